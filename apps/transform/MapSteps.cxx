// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "transform/MapSteps.h"

#include "files/base/Text.h"
#include "files/images/ImageFormat.h"
#include "files/input/HeaderLines.h"
#include "files/input/InputFile.h"
#include "files/maps/Maps.h"
#include "files/transforms/TransformFile.h"
#include "shared/CommandOptions.h"
#include "shared/registration/MapOutputs.h"

#include <CLI/CLI.hpp>

#include <map>

namespace
{

/** Returns a name without quotation marks around it. */
std::string
Unquoted(const std::string & name)
{
  const bool isQuoted = name.size() > 2 && name.front() == name.back() && (name.front() == '"' || name.front() == '\'');
  return isQuoted ? name.substr(1, name.size() - 2) : name;
}

} // namespace

std::string
MapStep::GetText() const
{
  return isInverse ? "inverse of " + path : path;
}

MapStep
ParseMapStep(const std::string & text)
{
  const std::size_t comma = text.rfind(',');
  if (text.size() < 2 || text.front() != '[' || text.back() != ']' || comma == std::string::npos)
  {
    return { text, false };
  }
  const std::string flag = Trimmed(text.substr(comma + 1, text.size() - comma - 2));
  if (flag != "0" && flag != "1" && flag != "true" && flag != "false")
  {
    throw UserError("cannot understand " + text + ": after the comma stands 1 for the inverse, or 0");
  }
  return { Trimmed(text.substr(1, comma - 1)), flag == "1" || flag == "true" };
}

std::vector<MapStep>
ReadStepsOfText(const std::string & path)
{
  std::vector<MapStep> steps;
  HeaderLines          lines(path);
  bool                 isFirst = true;
  for (std::string line; lines.Take(line); isFirst = false)
  {
    if (isFirst)
    {
      TakeMark(path, line);
    }
    const std::string name = Unquoted(Trimmed(line));
    if (!name.empty() && name.front() != '#')
    {
      MapStep step = ParseMapStep(name);
      step.path = BesideHeader(path, Unquoted(step.path));
      steps.push_back(step);
    }
  }
  return steps;
}

std::vector<MapStep>
MapOptions::GetSteps() const
{
  std::vector<MapStep>                       steps;
  std::map<const CLI::Option *, std::size_t> next;
  for (const CLI::Option * const option : command->parse_order())
  {
    const bool isInverse = option == command->get_option("--inverse");
    if (isInverse || option == command->get_option("--transform"))
    {
      MapStep step = ParseMapStep((isInverse ? inverses : transforms).at(next[option]++));
      step.isInverse = step.isInverse != isInverse;
      steps.push_back(step);
    }
  }
  return steps;
}

void
AddMapOptions(CLI::App & app, MapOptions & options, const std::string & group)
{
  options.command = &app;
  const auto add = [&](const char * names, std::vector<std::string> & paths, const char * text) {
    app.add_option(names, paths, text)
      ->option_text("FILE")
      ->type_name("transform input")
      ->allow_extra_args(false)
      ->group(group);
  };
  add("-x,--transform",
      options.transforms,
      "From fixed to moving points: a transform (.h5, .tfm, .txt, .mat,\n.lta) or an image of displacements. Several "
      "are applied to a point\nof the fixed image one after the other, the first first, as with\n"
      "antsApplyTransforms, whose [FILE,1] is the inverse here, too");
  add("--inverse", options.inverses, "The same for the inverse of a transform; its place among\n--transform counts");
}

void
AddMapInputs(FilesOfRun & files, const std::vector<MapStep> & steps)
{
  for (const MapStep & step : steps)
  {
    files.AddInput(step.path);
  }
}

void
CheckMapFiles(const std::vector<MapStep> & steps)
{
  for (const MapStep & step : steps)
  {
    if (!IsImageName(step.path))
    {
      CheckTransformFile(step.path);
    }
  }
}

std::vector<std::string>
TextsOf(const std::vector<MapStep> & steps)
{
  std::vector<std::string> texts;
  for (const MapStep & step : steps)
  {
    texts.push_back(step.GetText());
  }
  return texts;
}

template <unsigned int VDimension>
typename SpaceMap<VDimension>::Pointer
ReadMap(const std::vector<MapStep> & steps,
        const ReadingOptions &       reading,
        const std::string &          what,
        const ComputeOptions &       compute)
{
  std::vector<typename MapType<VDimension>::Pointer> read;
  for (const MapStep & step : steps)
  {
    read.push_back(ReadTransforms<VDimension>({ step.path }, reading, what));
    RequireRegular<VDimension>(step.path, *read.back());
  }
  const auto inverseOf = [&](std::size_t i) {
    return InvertMap<VDimension>(*read[i], ComputingOf(compute), DefaultInversion(), nullptr, steps[i].path);
  };
  const auto map = SpaceMap<VDimension>::New();
  // A composite applies the transform that was added last first.
  for (std::size_t i = steps.size(); i-- > 0;)
  {
    map->AddTransform(steps[i].isInverse ? inverseOf(i) : read[i]);
  }
  return map;
}

template <unsigned int VDimension>
typename SpaceMap<VDimension>::Pointer
ReadLinearMap(const MapStep & step, const ReadingOptions & reading, const std::string & what)
{
  const auto transform = ReadLinearTransform<VDimension>(step.path, reading, what);
  if (transform.IsNull())
  {
    return nullptr;
  }
  RequireRegular<VDimension>(step.path, *transform);
  const auto map = SpaceMap<VDimension>::New();
  // Inverting a linear map needs no device.
  map->AddTransform(step.isInverse ? InvertMap<VDimension>(*transform, {}, DefaultInversion(), nullptr, step.path)
                                   : transform);
  return map;
}

template SpaceMap<2>::Pointer
ReadLinearMap<2>(const MapStep &, const ReadingOptions &, const std::string &);
template SpaceMap<3>::Pointer
ReadLinearMap<3>(const MapStep &, const ReadingOptions &, const std::string &);
template SpaceMap<2>::Pointer
ReadMap<2>(const std::vector<MapStep> &, const ReadingOptions &, const std::string &, const ComputeOptions &);
template SpaceMap<3>::Pointer
ReadMap<3>(const std::vector<MapStep> &, const ReadingOptions &, const std::string &, const ComputeOptions &);
