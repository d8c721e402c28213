// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/RegisterOptions.h"

CLI::Option *
AddFile(CLI::App & app, const std::string & name, std::string & path, const std::string & what, const char * group)
{
  return app.add_option(name, path, what)->option_text("FILE")->group(group);
}

void
AddCommonOutputs(CLI::App & app, RegisterOptions & options, OptionModes & modes)
{
  const char * const group = groupOfOutputs;
  AddFile(app, "-o,--output-warped", options.outputWarped, "The moving image on the fixed one's grid", group);
  const std::string choice = "that of the moving image";
  options.outputType = choice;
  modes.Add(
    AddChoice(app, "--output-type", options.outputType, PixelTypes().GetNames(), "Pixel type of the warped image")
      ->group(group),
    "--output-warped",
    [&options] { return !options.outputWarped.empty(); });
  options.outputType.clear();
  AddFile(app, "--output-labels", options.outputLabels, "The moving labels on the fixed image's grid", group);
  AddFile(app, "--json", options.json, "Write what was done as JSON; - is standard output", group);
}

void
AddCommonInputs(CLI::App & app, RegisterOptions & options, OptionModes & modes, const std::string & kinds)
{
  const char * const group = groupOfInputs;
  app.add_option("FIXED", options.fixed, "The image whose grid the results have: NIfTI, MetaImage or NRRD, 2D or 3D")
    ->option_text(" ")
    ->required();
  app.add_option("MOVING", options.moving, "The image that is brought onto it; its grid may be another")
    ->option_text(" ")
    ->required();
  app
    .add_option("-i,--initial-transform",
                options.initialTransforms,
                "From fixed to moving points: " + kinds +
                  ".\nSeveral are applied to a point one after the other, the first\nfirst")
    ->option_text("FILE")
    ->allow_extra_args(false)
    ->group(group);
  AddFile(app, "--fixed-mask", options.fixedMask, "Where it is 0 the fixed image is not looked at", group);
  AddFile(app, "--moving-mask", options.movingMask, "Where it is 0 the moving image has no value", group);
  AddFile(app, "--moving-labels", options.movingLabels, "Labels on the moving image's grid, to warp along", group);
  modes.Add(app.get_option("--moving-labels"), "--fixed-labels or --output-labels", [&options] {
    return !options.fixedLabels.empty() || !options.outputLabels.empty();
  });
  AddFile(app,
          "--fixed-labels",
          options.fixedLabels,
          "Labels on the fixed image's grid: the report tells how the\n"
          "moving labels overlap with them, before and after",
          group);
  app.get_option("--fixed-labels")->needs("--moving-labels");
  app.get_option("--output-labels")->needs("--moving-labels");
}

void
AddLevelOptions(CLI::App & app, LevelOptions & options, const std::string & group)
{
  CLI::Option * const levels =
    app
      .add_option("-l,--levels",
                  options.levels,
                  "Number of resolutions, from coarse to fine, each half as fine\nas the next. Default: 4")
      ->check(AtLeast(1))
      ->option_text("N")
      ->group(group);
  app
    .add_option(
      "--shrink-factors", options.shrinkFactors, "The same, spelled out, in voxels of the image: 4,2,1 for example")
    ->delimiter(',')
    ->allow_extra_args(false)
    ->check(AtLeast(1))
    ->option_text("N[,N...]")
    ->excludes(levels)
    ->group(group);
  app
    .add_option("-n,--iterations",
                options.iterations,
                "Largest number of iterations of a level, one value or one a\nlevel. Default: 100")
    ->delimiter(',')
    ->allow_extra_args(false)
    ->check(AtLeast(0))
    ->option_text("N[,N...]")
    ->group(group);
}
