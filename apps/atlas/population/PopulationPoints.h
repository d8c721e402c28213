// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_population_PopulationPoints_h
#define apps_atlas_population_PopulationPoints_h

#include "atlas/population/Population.h"

#include <array>
#include <string>
#include <vector>

/** The points of an image. */
struct ImagePoints
{
  /** In mm; the third coordinate is 0 in 2D. */
  std::vector<std::array<double, 3>> positions;
  std::vector<int>                   numbers;
};

/** The points of the images of a population. Those of the same number are the same place in all images. */
struct PopulationPoints
{
  std::size_t numberOfPoints = 0;
  /** By their numbers; empty where files have none. */
  std::vector<std::string> labels;
  /** Of each image; empty lists for those without points. */
  std::vector<ImagePoints> images;
  /** What users are to be told. */
  std::vector<std::string> notes;

  /** The label of a point, or its number. */
  std::string
  NameOf(int number) const;
};

/** Reads the points of all images, and matches each file with those before it as cudaneuro-landmarks does: by label,
 * where both have labels that are all unique and one of them at least in common, or else by order. By label, each may
 * have points that others lack.
 * \param dimension of the images
 * \throws UserError that names all files that cannot be used */
PopulationPoints
ReadPopulationPoints(const Population & population, unsigned int dimension);

#endif
