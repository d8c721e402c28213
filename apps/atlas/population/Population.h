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
  /** Empty where there is none. */
  std::string mask;
  /** From points of the first channel's image to points of this one. */
  std::string transform;
};

/** One image of a population, as the command line or a list has it. */
struct PopulationImage
{
  /** Part of the names of its outputs: that of its file without the ending, with a number where several have the
   * same. */
  std::string name;
  std::string path;
  /** Empty where there is none. */
  std::string mask;
  std::string transform;
  std::string labels;
  std::string points;
  double      weight = 1.0;
  /** Of a list of cohorts. */
  std::string cohort{};
  /** As many for all images. */
  std::vector<PopulationChannel> channels{};
};

using Population = std::vector<PopulationImage>;

/** The images of the command line or of the list, two or more.
 * \throws UserError */
Population
ReadPopulation(const AtlasOptions & options);

/** A population of a list of several, each of which has an atlas of its own. */
struct Cohort
{
  /** Of its folder. */
  std::string name;
  Population  population;
};
using Cohorts = std::vector<Cohort>;

/** The cohorts of a list, in the order in which it has them first.
 * \throws UserError that names what is wrong with the list */
Cohorts
ReadCohorts(const std::string & path);

/** The number of channels after the first one. */
std::size_t
NumberOfFurtherChannels(const Population & population);

/** The first image that has labels; null where none has. */
const PopulationImage *
FirstWithLabels(const Population & population);

/** All files that an atlas of a population is made from. */
std::vector<std::string>
InputsOf(const AtlasOptions & options, const Population & population);

/** Whether any image has points. */
bool
HasPoints(const Population & population);

/** The weights of a population. */
std::vector<double>
WeightsOf(const Population & population);

/** Chooses --align where it is not given: affine, as users of ANTs expect it, and none where the list has transforms.
 * \throws UserError when images are to be aligned that have transforms, or --require-success has no effect */
void
ResolveAlign(AtlasOptions & options, const Population & population);

/** Checks the headers of all files, and that images have the template's grid unless they need not.
 * \param gridPath the image whose grid the template has
 * \throws UserError that names all files that cannot be used, and why */
void
CheckPopulation(const AtlasOptions & options,
                const Population &   population,
                const std::string &  gridPath,
                OpenedImages &       opened);

#endif
