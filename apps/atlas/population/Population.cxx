// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/population/Population.h"

#include "files/images/ImageFormat.h"
#include "files/input/CsvTable.h"
#include "files/input/InputFile.h"
#include "files/output/DistinctNames.h"
#include "files/system/SystemFile.h"
#include "shared/ErrorList.h"
#include "shared/Files.h"

#include <algorithm>
#include <map>

namespace
{

/** Returns the name of a channel's column. Lists count channels from 1, and the first one has no number. */
std::string
ColumnOf(const char * name, int channel)
{
  return std::string(name) + '_' + std::to_string(channel);
}

/** Returns the number of a list's last channel. Each channel up to it has a column of images. */
int
LastChannelOf(const std::string & path, const CsvTable & table)
{
  int last = 1;
  for (int channel = 2; channel <= cudaneuro::maximumNumberOfChannels; ++channel)
  {
    for (const char * const column : { "image", "mask", "transform" })
    {
      last = table.HasColumn(ColumnOf(column, channel)) ? channel : last;
    }
  }
  for (int channel = 2; channel <= last; ++channel)
  {
    if (!table.HasColumn(ColumnOf("image", channel)))
    {
      RefuseInput(path,
                  "it has no column " + ColumnOf("image", channel) + ", and columns of channels up to " +
                    std::to_string(last));
    }
  }
  return last;
}

/** Requires as many files of an option as there are images, or none. */
void
RequireOneEach(const AtlasOptions & options, const char * option, const std::vector<std::string> & files)
{
  if (!files.empty() && files.size() != options.images.size())
  {
    throw UserError(std::string(option) + " names " + std::to_string(files.size()) + " files, and there are " +
                    std::to_string(options.images.size()) + " images: it takes one for each image, in their order");
  }
}

/** Adds the images of --channel. */
void
AddChannels(const AtlasOptions & options, Population & population)
{
  if (options.channels.size() >= static_cast<std::size_t>(cudaneuro::maximumNumberOfChannels))
  {
    throw UserError("--channel is given " + std::to_string(options.channels.size()) + " times; it may be up to " +
                    std::to_string(cudaneuro::maximumNumberOfChannels - 1) + " times");
  }
  for (const std::vector<std::string> & files : options.channels)
  {
    RequireOneEach(options, "--channel", files);
    for (std::size_t i = 0; i < files.size(); ++i)
    {
      population[i].channels.push_back({ files[i], {}, {} });
    }
  }
}

/** Returns the cohort of an image, which is the name of a folder. */
std::string
CohortOf(const std::string & path, const CsvTable & table, std::size_t row)
{
  const std::string name = table.GetValue(row, "cohort");
  if (name.empty())
  {
    RefuseInput(path, table.Describe(row, "cohort") + " is missing");
  }
  if (!IsPartOfFileName(name))
  {
    RefuseInput(path,
                table.Describe(row, "cohort") + " is " + name + "; it must be the name of a folder, without others");
  }
  return name;
}

/** \param hasCohorts whether each row must name its cohort */
Population
ReadList(const std::string & path, bool hasCohorts)
{
  CsvFormat format{ { "image", "weight", "mask", "transform", "labels", "points" }, {}, {} };
  if (hasCohorts)
  {
    format.known.push_back("cohort");
  }
  for (int channel = 2; channel <= cudaneuro::maximumNumberOfChannels; ++channel)
  {
    for (const char * const column : { "image", "mask", "transform" })
    {
      format.known.push_back(ColumnOf(column, channel));
    }
  }
  const CsvTable table(path, format);
  Population     population;
  for (std::size_t row = 0; row < table.GetNumberOfRows(); ++row)
  {
    const auto file = [&](const std::string & column) {
      const std::string value = table.GetValue(row, column);
      return value.empty() ? value : NameBeside(path, value);
    };
    PopulationImage image;
    if (hasCohorts)
    {
      image.cohort = CohortOf(path, table, row);
    }
    image.path = file("image");
    image.mask = file("mask");
    image.transform = file("transform");
    image.labels = file("labels");
    image.points = file("points");
    if (image.path.empty())
    {
      RefuseInput(path, table.Describe(row, "image") + " is missing");
    }
    for (int channel = 2; channel <= LastChannelOf(path, table); ++channel)
    {
      image.channels.push_back(
        { file(ColumnOf("image", channel)), file(ColumnOf("mask", channel)), file(ColumnOf("transform", channel)) });
      if (image.channels.back().path.empty())
      {
        RefuseInput(path,
                    table.Describe(row, ColumnOf("image", channel)) +
                      " is missing: all images have the channels of the list");
      }
    }
    const std::string weight = table.GetValue(row, "weight");
    if (!weight.empty())
    {
      const std::string field = table.Describe(row, "weight");
      image.weight = ParseNumber(path, field, weight);
      if (image.weight < 0.0)
      {
        RefuseField(path, field, weight, "it must be at least 0");
      }
    }
    population.push_back(image);
  }
  return population;
}

/** Requires at least two images in a list, command line or cohort, and one with weight. */
void
RequirePopulation(const std::string & source, const Population & population)
{
  const std::string prefix = source.empty() ? "" : source + ": ";
  if (population.size() == 1 && !IsDicom(population.front().path))
  {
    CheckRegularFile(population.front().path); // A pattern without matching files is one name.
  }
  if (population.size() < 2)
  {
    throw UserError(prefix + "an atlas needs at least 2 images; there " +
                    (population.empty() ? "is none" : "is 1, " + population.front().path));
  }
  if (std::none_of(
        population.begin(), population.end(), [](const PopulationImage & image) { return image.weight > 0.0; }))
  {
    throw UserError(prefix + "all weights are 0; their sum must be above 0");
  }
}

void
NameImages(Population & population)
{
  std::vector<std::string> paths;
  for (const PopulationImage & image : population)
  {
    paths.push_back(image.path);
  }
  const std::vector<std::string> names = DistinctNames(paths);
  for (std::size_t i = 0; i < names.size(); ++i)
  {
    population[i].name = names[i];
  }
}

} // namespace

Population
ReadPopulation(const AtlasOptions & options)
{
  if (options.population)
  {
    return *options.population;
  }
  Population population;
  if (!options.list.empty())
  {
    population = ReadList(options.list, false);
  }
  RequireOneEach(options, "--labels", options.labels);
  RequireOneEach(options, "--points", options.points);
  for (std::size_t i = 0; i < options.images.size(); ++i)
  {
    population.push_back({});
    population.back().path = options.images[i];
    population.back().labels = options.labels.empty() ? "" : options.labels[i];
    population.back().points = options.points.empty() ? "" : options.points[i];
  }
  AddChannels(options, population);
  RequirePopulation(options.list, population);
  NameImages(population);
  return population;
}

Cohorts
ReadCohorts(const std::string & path)
{
  Cohorts                            cohorts;
  std::map<std::string, std::size_t> places; // of names with their case
  std::map<std::string, std::string> names;  // in lower case, because some file systems ignore case
  for (const PopulationImage & image : ReadList(path, true))
  {
    const auto [spelling, isNewName] = names.emplace(Lower(image.cohort), image.cohort);
    if (spelling->second != image.cohort)
    {
      RefuseInput(path,
                  "there are cohorts " + spelling->second + " and " + image.cohort +
                    ", whose folders some file systems take for one");
    }
    if (isNewName)
    {
      places[image.cohort] = cohorts.size();
      cohorts.push_back({ image.cohort, {} });
    }
    cohorts[places[image.cohort]].population.push_back(image);
  }
  ErrorList errors;
  for (Cohort & cohort : cohorts)
  {
    errors.Check([&] { RequirePopulation(path + ", cohort " + cohort.name, cohort.population); });
    NameImages(cohort.population);
  }
  if (cohorts.empty())
  {
    errors.Add(path + ": it has no images");
  }
  errors.ThrowIfAny();
  return cohorts;
}

std::size_t
NumberOfFurtherChannels(const Population & population)
{
  return population.front().channels.size();
}

const PopulationImage *
FirstWithLabels(const Population & population)
{
  const auto first = std::find_if(
    population.begin(), population.end(), [](const PopulationImage & image) { return !image.labels.empty(); });
  return first == population.end() ? nullptr : &*first;
}

bool
HasPoints(const Population & population)
{
  return std::any_of(
    population.begin(), population.end(), [](const PopulationImage & image) { return !image.points.empty(); });
}

void
ResolveAlign(AtlasOptions & options, const Population & population)
{
  const auto given = std::find_if(
    population.begin(), population.end(), [](const PopulationImage & image) { return !image.transform.empty(); });
  const bool hasTransforms = given != population.end();
  if (options.align.empty())
  {
    options.align = hasTransforms ? "none" : "affine";
    if (hasTransforms && options.isSuccessRequired)
    {
      throw UserError("--require-success has no effect here: images are not aligned, since " + options.list +
                      " has transforms");
    }
  }
  else if (options.Aligns() && hasTransforms)
  {
    throw UserError("--align " + options.align + " finds the transforms of the images, and " + options.list +
                    " has one of " + given->path + ": leave one of them out");
  }
}

std::vector<std::string>
InputsOf(const AtlasOptions & options, const Population & population)
{
  std::vector<std::string> inputs{ options.reference, options.initialTemplate };
  for (const PopulationImage & image : population)
  {
    for (const PopulationChannel & channel : image.channels)
    {
      inputs.insert(inputs.end(), { channel.path, channel.mask, channel.transform });
    }
    inputs.insert(inputs.end(), { image.path, image.mask, image.transform, image.labels, image.points });
  }
  return inputs;
}

std::vector<double>
WeightsOf(const Population & population)
{
  std::vector<double> weights;
  for (const PopulationImage & image : population)
  {
    weights.push_back(image.weight);
  }
  return weights;
}
