// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ReferenceDenoising.h"
#include "ForEachVoxel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

/** The standard deviation of an image's noise, from Haar coefficients of cubes of 2 voxels an axis. */
namespace reference
{
namespace
{

/** Haar coefficients of a cube. */
struct Cube
{
  /** The magnitude of that along all axes. */
  double residual = 0.0;
  /** The sum of the magnitudes of all others but the mean. */
  double edges = 0.0;
};

/** Those of the cubes in one of \p planeStep planes whose voxels take part, and whose mean is above the image's. */
std::vector<Cube>
BrightCubes(const Image & image, int planeStep)
{
  double sum = 0.0;
  double count = 0.0;
  int    all = 0; // a bit for each axis that is longer than one voxel
  for (int axis = 0; axis < 3; ++axis)
  {
    all |= image.grid.size[axis] > 1 ? 1 << axis : 0;
  }
  ForEachVoxel(image.grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    if (image.TakesPart(x, y, z))
    {
      sum += image.At(x, y, z);
      count += 1.0;
    }
  });
  std::vector<Cube> cubes;
  ForEachVoxel(image.grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    std::array<double, 8> coefficients{};
    for (int corner = 0; corner < 8; ++corner)
    {
      const std::int64_t place[] = { x + corner % 2, y + corner / 2 % 2, z + corner / 4 };
      if ((corner & ~all) != 0)
      {
        continue;
      }
      if (place[0] >= image.grid.size[0] || place[1] >= image.grid.size[1] || place[2] >= image.grid.size[2] ||
          !image.TakesPart(place[0], place[1], place[2]))
      {
        return;
      }
      for (int axes = 0; axes < 8; ++axes)
      {
        const int ones = (axes & corner & 1) + (axes & corner & 2) / 2 + (axes & corner & 4) / 4;
        coefficients[axes] += (ones % 2 == 0 ? 1.0 : -1.0) * image.At(place[0], place[1], place[2]);
      }
    }
    const double corners = all == 7 ? 8.0 : all == 1 || all == 2 || all == 4 ? 2.0 : 4.0;
    if (all == 0 || z % planeStep != 0 || !(coefficients[0] / corners > sum / count))
    {
      return;
    }
    Cube cube;
    for (int axes = 1; axes < 8; ++axes)
    {
      if ((axes & ~all) == 0)
      {
        (axes == all ? cube.residual : cube.edges) += std::abs(coefficients[axes]) / std::sqrt(corners);
      }
    }
    if (cube.residual != 0.0 || cube.edges != 0.0)
    {
      cubes.push_back(cube);
    }
  });
  return cubes;
}

/** The standard deviation from the median residual of the cubes with edges up to a limit. */
double
SigmaOfCubes(const std::vector<Cube> & cubes, double mostEdges)
{
  std::vector<double> residuals;
  for (const Cube & cube : cubes)
  {
    if (cube.edges <= mostEdges)
    {
      residuals.push_back(cube.residual);
    }
  }
  if (residuals.empty())
  {
    return 0.0;
  }
  std::sort(residuals.begin(), residuals.end());
  const std::size_t n = residuals.size();
  return 1.4826 * (residuals[(n - 1) / 2] + residuals[n / 2]) / 2.0;
}

} // namespace

double
EstimateNoiseSigma(const Image & image)
{
  const bool   isVolume = image.grid.size[0] > 1 && image.grid.size[1] > 1 && image.grid.size[2] > 1;
  const int    planeStep = isVolume && image.grid.size[2] >= 64 ? 4 : 1;
  const double first = SigmaOfCubes(BrightCubes(image, planeStep), std::numeric_limits<double>::infinity());
  const double mostEdges = first > 0.0 ? (isVolume ? 4.8 : 1.5) * first : std::numeric_limits<double>::infinity();
  const double sigma = SigmaOfCubes(BrightCubes(image, 1), mostEdges);
  return sigma > 0.0 ? sigma : first;
}

} // namespace reference
