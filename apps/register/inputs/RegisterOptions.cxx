// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/inputs/RegisterOptions.h"

#include "shared/CommandOptions.h"
#include "shared/ImageOptions.h"
#include "shared/OptionValue.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <utility>

namespace
{

const Choice<cudaneuro::Interpolation> &
Interpolations()
{
  static const Choice<cudaneuro::Interpolation> choice(
    { { "linear", cudaneuro::Interpolation::Linear }, { "nearest", cudaneuro::Interpolation::Nearest } });
  return choice;
}

} // namespace

cudaneuro::Interpolation
InterpolationOf(const RegisterOptions & options)
{
  return Interpolations().GetValue(options.interpolation);
}

void
AddCommonOutputs(CLI::App & app, RegisterOptions & options, OptionModes & modes)
{
  const char * const group = groupOfOutputs;
  const auto         isWarped = [&options] { return !options.outputWarped.empty(); };
  AddFile(app,
          "-o,--output-warped",
          options.outputWarped,
          "The moving image on the fixed one's grid",
          group,
          "image output reference=fixed");
  modes.Add(AddChoice(app,
                      "--output-type",
                      options.outputType,
                      PixelTypes().GetNames(),
                      "Pixel type of the warped image",
                      "that of the moving image")
              ->group(group),
            "--output-warped",
            isWarped);
  modes.Add(AddChoice(app,
                      "--interpolation",
                      options.interpolation,
                      Interpolations().GetNames(),
                      "How the warped image's values are found; nearest for labels")
              ->group(group),
            "--output-warped",
            isWarped);
  modes.Add(
    app
      .add_option("--edge-padding-value,--outside",
                  options.outside,
                  "The warped image's value where the moving one has none, in its\nintensity units, as -1024 for CT")
      ->option_text("X")
      ->group(group),
    "--output-warped",
    isWarped);
  AddFile(app,
          "--output-labels",
          options.outputLabels,
          "The moving labels on the fixed image's grid",
          group,
          "image output type=label reference=fixed");
  AddJsonFile(app, options.json, group);
}

void
AddCommonInputs(CLI::App & app, RegisterOptions & options, OptionModes & modes, const std::string & kinds)
{
  const char * const group = groupOfInputs;
  app.add_option("FIXED", options.fixed, "The image whose grid the results have: NIfTI, MetaImage or NRRD, 2D or 3D")
    ->option_text(" ")
    ->type_name("image input");
  app.add_option("MOVING", options.moving, "The image that is brought onto it; its grid may be another")
    ->option_text(" ")
    ->type_name("image input");
  app
    .add_option("-i,--initial-transform",
                options.initialTransforms,
                "From fixed to moving points: " + kinds +
                  ".\nSeveral are applied to a point one after the other, the first\nfirst")
    ->option_text("FILE")
    ->type_name("transform input")
    ->allow_extra_args(false)
    ->group(group);
  AddFile(app, "--fixed-mask", options.fixedMask, "On the fixed image's grid; " + maskHelp, group, "image input");
  AddFile(app, "--moving-mask", options.movingMask, "On the moving image's grid; " + maskHelp, group, "image input");
  AddFile(app,
          "--moving-labels",
          options.movingLabels,
          "Labels on the moving image's grid, to warp along",
          group,
          "image input");
  AddImageOptions(app, options.opened, group);
  modes.Add(app.get_option("--moving-labels"), "--fixed-labels or --output-labels", [&options] {
    return !options.fixedLabels.empty() || !options.outputLabels.empty();
  });
  AddFile(app,
          "--fixed-labels",
          options.fixedLabels,
          "Labels on the fixed image's grid: the report tells how the\n"
          "moving labels overlap with them, before and after",
          group,
          "image input");
  app.get_option("--fixed-labels")->needs("--moving-labels");
  modes.Add(app
              .add_flag("--label-distances",
                        options.measuresLabelDistances,
                        "Report how far the boundaries of labels are apart in mm, before\n"
                        "and after, as well: 95 % Hausdorff distance and mean")
              ->group(group),
            "--fixed-labels",
            [&options] { return !options.fixedLabels.empty() || !options.pairs.empty(); });
}

void
AddPairOptions(CLI::App & app, RegisterOptions & options, OptionModes & modes)
{
  const char * const       group = "Many pairs";
  CLI::Option * const      pairs = AddFile(app,
                                      "--pairs",
                                      options.pairs,
                                      "A CSV file of pairs, instead of the inputs above. Its columns\n"
                                           "are named fixed, moving and, where there are any, name,\n"
                                           "fixed_mask, moving_mask, fixed_labels, moving_labels, the\n"
                                           "initial maps, further channels (fixed_2, moving_2,\n"
                                           "fixed_mask_2 and so on) and points. The names of outputs and\n"
                                           "of --json have {name}",
                                      group,
                                      notInSlicer);
  std::vector<std::string> inputs{ "FIXED", "MOVING", "--initial-transform", "--fixed-mask", "--moving-mask" };
  inputs.insert(inputs.end(), { "--fixed-labels", "--moving-labels" });
  inputs.insert(inputs.end(), { "--initial-field", "--fixed-points", "--moving-points", "--grid", "--moving-grid" });
  for (const char * const name : { "", "-fixed-mask", "-moving-mask", "-fixed-transform", "-moving-transform" })
  {
    inputs.push_back(std::string("--channel") + name);
  }
  for (const std::string & input : inputs)
  {
    if (app.get_option_no_throw(input) != nullptr)
    {
      pairs->excludes(input);
    }
  }
  const auto isMode = [&options] { return !options.pairs.empty(); };
  modes.Add(AddFile(app, "--table", options.table, "Write the results of all pairs as CSV", group, notInSlicer),
            "--pairs",
            isMode);
  modes.Add(app
              .add_flag("--resume",
                        options.isResumed,
                        "Leave out pairs whose outputs are complete, and made by the\n"
                        "same method and options of the same files")
              ->type_name(notInSlicer)
              ->group(group),
            "--pairs",
            isMode);
}

bool
HasImages(const RegisterOptions & files)
{
  return !files.fixed.empty() || !files.moving.empty();
}

namespace
{

void
Require(const std::string & value, const char * name)
{
  if (value.empty())
  {
    throw CLI::RequiredError(name);
  }
}

/** Requires points or labels in a run without images. */
void
RequireTerms(const RegisterOptions & options)
{
  const bool hasPoints = !options.fixedPoints.empty();
  const bool hasLabels = options.areLabelsMatched && !options.fixedLabels.empty();
  if (!hasPoints && !hasLabels)
  {
    throw CLI::RequiredError(
      "FIXED and MOVING, or --fixed-points with --moving-points and --grid, or --fixed-labels with "
      "--moving-labels and --label-weight, or --pairs,");
  }
  if (options.grid.empty() && options.fixedLabels.empty())
  {
    throw CLI::RequiredError("Without FIXED and MOVING, --grid, whose voxels the displacements have,");
  }
  const std::pair<const std::string &, const char *> onlyWithImages[] = { { options.fixedMask, "--fixed-mask" },
                                                                          { options.movingMask, "--moving-mask" },
                                                                          { options.outputWarped, "--output-warped" } };
  for (const auto & [value, name] : onlyWithImages)
  {
    if (!value.empty())
    {
      throw UserError(name + std::string(" has no effect here: only with FIXED and MOVING"));
    }
  }
  if (!options.channels.empty())
  {
    throw UserError("--channel has no effect here: only with FIXED and MOVING, which are the first channel");
  }
}

} // namespace

void
RequireFiles(const RegisterOptions & options, TransformParts parts)
{
  if (!options.pairs.empty())
  {
    Require(options.json, "With --pairs, --json");
    Require(options.table, "With --pairs, --table");
    if (options.table == "-")
    {
      throw UserError("--table is -; it must be the name of a file, which is written again after every pair");
    }
    return;
  }
  if (!HasImages(options) && parts == TransformParts::Several)
  {
    RequireTerms(options);
  }
  else
  {
    Require(options.fixed, "FIXED, or --pairs,");
    Require(options.moving, "MOVING");
  }
  if (!options.grid.empty() && HasImages(options))
  {
    throw UserError("--grid has no effect here: only without FIXED and MOVING, whose grid the results have");
  }
  if (!options.outputLabels.empty() && options.movingLabels.empty())
  {
    throw CLI::RequiresError("--output-labels", "--moving-labels");
  }
}

std::vector<std::string>
TransformsOf(const RegisterOptions & files)
{
  std::vector<std::string> paths = files.initialTransforms;
  for (const ChannelFiles & channel : files.channels)
  {
    paths.insert(paths.end(), { channel.fixedTransform, channel.movingTransform });
  }
  paths.erase(std::remove(paths.begin(), paths.end(), ""), paths.end());
  return paths;
}

std::vector<std::string>
ImagesOf(const RegisterOptions & files)
{
  std::vector<std::string> paths{ files.fixed,        files.moving,     files.initialField,
                                  files.fixedMask,    files.movingMask, files.fixedLabels,
                                  files.movingLabels, files.grid,       files.movingGrid };
  for (const ChannelFiles & channel : files.channels)
  {
    paths.insert(paths.end(), { channel.fixed, channel.moving, channel.fixedMask, channel.movingMask });
  }
  paths.erase(std::remove(paths.begin(), paths.end(), ""), paths.end());
  return paths;
}

std::vector<std::string>
InputsOf(const RegisterOptions & files)
{
  std::vector<std::string> paths = TransformsOf(files);
  for (const std::string & path : ImagesOf(files))
  {
    paths.push_back(path);
  }
  for (const std::string & path : { files.fixedPoints, files.movingPoints })
  {
    if (!path.empty())
    {
      paths.push_back(path);
    }
  }
  return paths;
}
