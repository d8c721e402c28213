// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/LevelSetDefaults.h"

#include "cudaneuro/NonLocalMeansLevelSet.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

double
MeanSpacing(const Grid & grid)
{
  return std::cbrt(grid.spacing[0] * grid.spacing[1] * grid.spacing[2]);
}

double
RecommendedBandWidth(const Grid & grid)
{
  // Half a patch of five voxels: patches at the surface then cover exactly the band.
  return 2.5 * MeanSpacing(grid);
}

double
RecommendedLabelSimilarityScale(const Grid & grid, int patchSize)
{
  // The best of 0.1, 0.3, 0.8 and 2: its surface was nearest to the white matter surface of a map of probabilities that
  // was thresholded to labels.
  constexpr double squaredDifference = 0.3;
  const double     spacing = MeanSpacing(grid);
  return squaredDifference * spacing * spacing * patchSize * patchSize * patchSize;
}

double
DefaultSpatialScale(const Grid & grid)
{
  constexpr double voxels = 10.0;
  const double     length = voxels * MeanSpacing(grid);
  return length * length;
}

double
DefaultSimilarityScale(const Grid & grid, int patchSize, std::vector<float> & squaredDistances)
{
  // The most similar patches differ by their noise and by the steps of the grid along the surface. These factors
  // minimized the angles between normals on noisy shapes with edges.
  constexpr double part = 4.0;
  constexpr double largestSquaredDifference = 0.1;
  const auto       middle = squaredDistances.begin() + static_cast<std::ptrdiff_t>(squaredDistances.size() / 2);
  std::nth_element(squaredDistances.begin(), middle, squaredDistances.end());
  const double voxels = patchSize * patchSize * patchSize;
  const double spacing = MeanSpacing(grid);
  // Patches that differ by rounding alone, as those of a plane, count as similar.
  const double least = 1e-8 * spacing * spacing * voxels;
  const double most = largestSquaredDifference * spacing * spacing * voxels;
  return std::clamp(part * static_cast<double>(*middle), least, most);
}

} // namespace cudaneuro
