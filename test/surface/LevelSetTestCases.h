// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef LevelSetTestCases_h
#define LevelSetTestCases_h

#include "DeviceTest.h"
#include "TestVolumes.h"
#include "cudaneuro/NonLocalMeansLevelSet.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

/** Level sets for tests, whose bands have at most a few thousand voxels, because some are compared pair by pair. */
namespace levelsettests
{

using cudaneuro::Context;
using cudaneuro::Grid;
using cudaneuro::NonLocalMeansLevelSetParameters;
using cudaneuro::NonLocalMeansLevelSetResult;

using Position = std::array<double, 3>;

/** A function of the position in mm, where voxel (0, 0, 0) is at 0, at all voxels. */
template <typename TFunction>
std::vector<float>
Sample(const Grid & grid, const TFunction & function)
{
  std::vector<float> values;
  ForEachVoxel(grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const Position at{ static_cast<double>(x) * grid.spacing[0],
                       static_cast<double>(y) * grid.spacing[1],
                       static_cast<double>(z) * grid.spacing[2] };
    values.push_back(static_cast<float>(function(at)));
  });
  return values;
}

inline double
DistanceToSphere(const Position & at, const Position & center, double radius)
{
  return std::hypot(at[0] - center[0], at[1] - center[1], at[2] - center[2]) - radius;
}

/** The middle of a grid, in mm. */
inline Position
MiddleOf(const Grid & grid)
{
  Position middle{};
  for (int axis = 0; axis < 3; ++axis)
  {
    middle[axis] = 0.5 * static_cast<double>(grid.size[axis] - 1) * grid.spacing[axis];
  }
  return middle;
}

/** The distance to a sphere about the middle of the grid. */
inline std::vector<float>
Sphere(const Grid & grid, double radius)
{
  return Sample(grid, [&](const Position & at) { return DistanceToSphere(at, MiddleOf(grid), radius); });
}

/** Adds normal noise; so no two patches are alike, and the order of neighbors does not depend on rounding. */
inline std::vector<float>
WithNoise(std::vector<float> values, double sigma, std::uint64_t seed = 5)
{
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    values[i] += static_cast<float>(sigma * testvolumes::NormalNoise(seed, i));
  }
  return values;
}

/** Ten iterations, whose effect on the volume is seen. */
inline NonLocalMeansLevelSetParameters
WithoutCorrection()
{
  NonLocalMeansLevelSetParameters parameters;
  parameters.numberOfIterations = 10;
  parameters.volumeCorrection = false;
  return parameters;
}

/** Patches of 5 voxels, 40 neighbors, and scales that give neighbors weights of many magnitudes. */
inline NonLocalMeansLevelSetParameters
SomeParameters()
{
  NonLocalMeansLevelSetParameters parameters = WithoutCorrection();
  parameters.bandWidth = 1.6;
  parameters.numberOfNeighbors = 40;
  parameters.spatialScale = 60.0;
  parameters.similarityScale = 20.0;
  return parameters;
}

struct Denoised
{
  std::vector<float>          distances;
  NonLocalMeansLevelSetResult result;
};

inline Denoised
Denoise(Context &                               context,
        const NonLocalMeansLevelSetParameters & parameters,
        const Grid &                            grid,
        const std::vector<float> &              input,
        const std::vector<unsigned char> &      mask = {})
{
  Denoised denoised;
  denoised.distances.resize(input.size());
  denoised.result =
    NonLocalMeansLevelSet(context, parameters, grid, ConstView(input), ConstView(mask), View(denoised.distances));
  return denoised;
}

template <typename TValue, typename TExpected>
double
LargestDifference(const std::vector<TValue> & values, const std::vector<TExpected> & expected)
{
  EXPECT_EQ(values.size(), expected.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < std::min(values.size(), expected.size()); ++i)
  {
    const double difference = std::abs(static_cast<double>(values[i]) - static_cast<double>(expected[i]));
    largest = difference <= largest ? largest : (std::isnan(difference) ? HUGE_VAL : difference);
  }
  return largest;
}

} // namespace levelsettests

#endif
