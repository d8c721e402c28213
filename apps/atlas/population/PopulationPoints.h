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

/** The points of the images of a population. Points with the same number correspond in all images. */
struct PopulationPoints
{
  std::size_t numberOfPoints = 0;
  /** The labels by number; empty if files have none. */
  std::vector<std::string> labels;
  /** The points of each image; empty lists for images without points. */
  std::vector<ImagePoints> images;
  /** Notes for users. */
  std::vector<std::string> notes;

  /** Returns the label of a point, or its number. */
  std::string
  NameOf(int number) const;
};

/** Reads the points of all images, and matches each file with earlier ones like cudaneuro-landmarks: by label, if the
 * labels of both are unique and at least one is common, else by order. By label, each file may have points that others
 * lack.
 * \param dimension of the images
 * \throws UserError that names all files that cannot be used */
PopulationPoints
ReadPopulationPoints(const Population & population, unsigned int dimension);

#endif
