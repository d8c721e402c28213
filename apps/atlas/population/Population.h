// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_population_Population_h
#define apps_atlas_population_Population_h

#include "atlas/population/AtlasOptions.h"
#include "files/images/OpenedImage.h"
#include "shared/Files.h"

/** The image of a further channel. */
struct PopulationChannel
{
  std::string path;
  /** Empty if there is none. */
  std::string mask;
  /** From points of the first channel's image to points of this one. */
  std::string transform;
};

/** One image of a population, from the command line or a list. */
struct PopulationImage
{
  /** Part of the names of its outputs: its file name without the ending, with a number if several have the same. */
  std::string name;
  std::string path;
  /** Empty if there is none. */
  std::string mask;
  std::string transform;
  std::string labels;
  std::string points;
  double      weight = 1.0;
  /** The cohort, in a list of cohorts. */
  std::string cohort{};
  /** The further channels, the same number for all images. */
  std::vector<PopulationChannel> channels{};
};

using Population = std::vector<PopulationImage>;

/** Reads the images of the command line or of the list, two or more.
 * \throws UserError */
Population
ReadPopulation(const AtlasOptions & options);

/** One population of a list of several, with its own atlas. */
struct Cohort
{
  /** The name of its folder. */
  std::string name;
  Population  population;
};
using Cohorts = std::vector<Cohort>;

/** Reads the cohorts of a list, in the order of their first rows.
 * \throws UserError that names the errors of the list */
Cohorts
ReadCohorts(const std::string & path);

/** Returns the number of channels after the first one. */
std::size_t
NumberOfFurtherChannels(const Population & population);

/** Returns the first image with labels; null if there is none. */
const PopulationImage *
FirstWithLabels(const Population & population);

/** Returns all input files of a population's atlas. */
std::vector<std::string>
InputsOf(const AtlasOptions & options, const Population & population);

/** Returns whether any image has points. */
bool
HasPoints(const Population & population);

/** Returns the weights of a population. */
std::vector<double>
WeightsOf(const Population & population);

/** Chooses --align if it is not given: affine, as users of ANTs expect it, or none if the list has transforms.
 * \throws UserError if images with transforms are to be aligned, or --require-success has no effect */
void
ResolveAlign(AtlasOptions & options, const Population & population);

/** Checks the headers of all files, and that images have the template's grid if they must.
 * \param gridPath the image whose grid the template has
 * \throws UserError that names all files that cannot be used, and why */
void
CheckPopulation(const AtlasOptions & options,
                const Population &   population,
                const std::string &  gridPath,
                OpenedImages &       opened);

#endif
