// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ReferenceLevelSet.h"
#include "ForEachVoxel.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <utility>

namespace reference
{

namespace
{

using Voxel = std::array<std::int64_t, 3>;

struct Band
{
  std::vector<Voxel>       voxels;
  std::vector<std::size_t> elements;
};

std::size_t
ElementOf(const cudaneuro::Grid & grid, const Voxel & voxel)
{
  return static_cast<std::size_t>(voxel[0] + grid.size[0] * (voxel[1] + grid.size[1] * voxel[2]));
}

Band
FindBand(const cudaneuro::Grid &            grid,
         const std::vector<double> &        distances,
         const std::vector<unsigned char> & mask,
         double                             width)
{
  Band band;
  ForEachVoxel(grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const std::size_t element = ElementOf(grid, { x, y, z });
    if (std::abs(distances[element]) <= width && (mask.empty() || mask[element] != 0))
    {
      band.voxels.push_back({ x, y, z });
      band.elements.push_back(element);
    }
  });
  return band;
}

std::vector<double>
PatchAround(const cudaneuro::Grid & grid, const std::vector<double> & distances, const Voxel & center, int size)
{
  std::vector<double> patch;
  const int           radius = size / 2;
  for (int z = -radius; z <= radius; ++z)
  {
    for (int y = -radius; y <= radius; ++y)
    {
      for (int x = -radius; x <= radius; ++x)
      {
        Voxel voxel{ center[0] + x, center[1] + y, center[2] + z };
        for (int axis = 0; axis < 3; ++axis)
        {
          voxel[axis] = std::clamp<std::int64_t>(voxel[axis], 0, grid.size[axis] - 1);
        }
        patch.push_back(distances[ElementOf(grid, voxel)]);
      }
    }
  }
  return patch;
}

double
SquaredDifference(const std::vector<double> & a, const std::vector<double> & b)
{
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  }
  return sum;
}

/** A voxel of the band, and its weight in the average of another. */
struct Weight
{
  std::size_t voxel;
  double      weight;
};

/** Weights of the voxels that voxel \p j is averaged with. */
std::vector<Weight>
WeightsOf(const cudaneuro::NonLocalMeansLevelSetParameters & parameters,
          const cudaneuro::Grid &                            grid,
          const Band &                                       band,
          const std::vector<std::vector<double>> &           patches,
          std::size_t                                        j)
{
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t l = 0; l < patches.size(); ++l)
  {
    if (l != j)
    {
      ranked.emplace_back(SquaredDifference(patches[j], patches[l]), l);
    }
  }
  std::sort(ranked.begin(), ranked.end());
  ranked.resize(std::min(ranked.size(), static_cast<std::size_t>(parameters.numberOfNeighbors)));
  std::vector<Weight> weights;
  for (const auto & [difference, l] : ranked)
  {
    double squaredLength = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
      const double length = grid.spacing[axis] * static_cast<double>(band.voxels[j][axis] - band.voxels[l][axis]);
      squaredLength += length * length;
    }
    const double weight =
      std::exp(-squaredLength / parameters.spatialScale) * std::exp(-difference / parameters.similarityScale);
    weights.push_back({ l, weight < static_cast<double>(FLT_MIN) ? 0.0 : weight });
  }
  return weights;
}

/** All patches against all others, and the iterations. */
double
RunPass(const cudaneuro::NonLocalMeansLevelSetParameters & parameters,
        const cudaneuro::Grid &                            grid,
        const Band &                                       band,
        std::vector<double> &                              distances)
{
  std::vector<std::vector<double>> patches;
  std::vector<double>              values;
  for (std::size_t j = 0; j < band.voxels.size(); ++j)
  {
    patches.push_back(PatchAround(grid, distances, band.voxels[j], parameters.patchSize));
    values.push_back(distances[band.elements[j]]);
  }
  std::vector<std::vector<Weight>> weights;
  double                           largestSum = 0.0;
  for (std::size_t j = 0; j < band.voxels.size(); ++j)
  {
    weights.push_back(WeightsOf(parameters, grid, band, patches, j));
    double sum = 0.0;
    for (const Weight & weight : weights.back())
    {
      sum += weight.weight;
    }
    largestSum = std::max(largestSum, sum);
  }
  const double timeStep = largestSum > 0.0 ? 1.0 / largestSum : 0.0;
  for (int iteration = 0; iteration < parameters.numberOfIterations; ++iteration)
  {
    const std::vector<double> before = values;
    for (std::size_t j = 0; j < values.size(); ++j)
    {
      for (const Weight & weight : weights[j])
      {
        values[j] += timeStep * weight.weight * (before[weight.voxel] - before[j]);
      }
    }
  }
  for (std::size_t j = 0; j < values.size(); ++j)
  {
    distances[band.elements[j]] = values[j];
  }
  return timeStep;
}

} // namespace

LevelSetDenoising
DenoiseLevelSet(const cudaneuro::NonLocalMeansLevelSetParameters & parameters,
                const cudaneuro::Grid &                            grid,
                const std::vector<double> &                        distances,
                const std::vector<unsigned char> &                 mask)
{
  LevelSetDenoising result;
  result.distances = distances;
  for (int pass = 0; pass < parameters.numberOfPasses; ++pass)
  {
    const Band   band = FindBand(grid, result.distances, mask, parameters.bandWidth);
    const double timeStep = RunPass(parameters, grid, band, result.distances);
    if (pass == 0)
    {
      result.bandVoxels = static_cast<std::int64_t>(band.voxels.size());
      result.timeStep = timeStep;
    }
  }
  return result;
}

} // namespace reference
