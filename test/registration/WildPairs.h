// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef WildPairs_h
#define WildPairs_h

#include "HardPhantoms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

/** Pairs of images that have little or nothing to do with each other, in 2D and 3D. */
namespace wildpairs
{

using hardphantoms::HardPair;

/** What an image shows at a voxel. */
struct WildImage
{
  std::uint64_t         seed;
  cudaneuro::Grid       grid;
  std::array<double, 3> center{};

  WildImage(std::uint64_t anySeed, const cudaneuro::Grid & itsGrid)
    : seed(anySeed)
    , grid(itsGrid)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      center[axis] = static_cast<double>(grid.size[axis] - 1) * (0.35 + 0.3 * testvolumes::UniformNoise(seed, axis));
    }
  }

  std::array<double, 3>
  FromCenter(const std::array<std::int64_t, 3> & voxel) const
  {
    std::array<double, 3> distance{};
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      distance[axis] = grid.size[axis] == 1 ? 0.0 : static_cast<double>(voxel[axis]) - center[axis];
    }
    return distance;
  }

  /** From 0 to 1, with a border of two voxels. */
  double
  Ball(const std::array<std::int64_t, 3> & voxel) const
  {
    const std::array<double, 3> d = this->FromCenter(voxel);
    return hardphantoms::SoftStep(6.0 - std::hypot(d[0], d[1], d[2]));
  }

  double
  Cube(const std::array<std::int64_t, 3> & voxel) const
  {
    const std::array<double, 3> d = this->FromCenter(voxel);
    return hardphantoms::SoftStep(6.0 - std::max({ std::abs(d[0]), std::abs(d[1]), std::abs(d[2]) }));
  }

  /** Shells and spokes around the center, inside a ball of ten voxels. */
  double
  Head(const std::array<std::int64_t, 3> & voxel) const
  {
    const std::array<double, 3> d = this->FromCenter(voxel);
    const double                radius = std::hypot(d[0], d[1], d[2]);
    return hardphantoms::SoftStep(10.0 - radius) *
           (0.6 + 0.4 * std::sin(radius) * std::cos(3.0 * std::atan2(d[1], d[0])));
  }
};

/** Of pair \p seed: one of eight kinds, every second one in 2D. */
inline HardPair
MakeWildPair(std::uint64_t seed)
{
  HardPair pair;
  pair.geometry.grid = seed % 2 == 0 ? testvolumes::MakeGrid({ 36, 33, 1 }, { 0.8, 1.0, 1.0 })
                                     : testvolumes::MakeGrid({ 24, 23, 21 }, { 1.0, 0.9, 1.2 });
  const auto &        size = pair.geometry.grid.size;
  const std::uint64_t kind = seed / 2 % 8;
  const WildImage     one(2 * seed, pair.geometry.grid);
  const WildImage     other(2 * seed + 1, pair.geometry.grid);
  ForEachVoxel(size, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::size_t i) {
    const std::array<std::int64_t, 3> voxel{ x, y, z };
    const double                      noise = testvolumes::UniformNoise(seed + 5000, i);
    const double                      otherNoise = testvolumes::UniformNoise(seed + 7000, i);
    double                            fixed = one.Head(voxel) + 0.05 * noise;
    double                            moving = other.Head(voxel) + 0.05 * otherNoise;
    switch (kind)
    {
      case 0: // noise
        fixed = noise;
        moving = otherNoise;
        break;
      case 1: // a head that is cut
        moving = y < size[1] / 2 - 2 ? 0.0 : moving;
        break;
      case 2: // empty halves
        fixed = x < size[0] / 2 ? 0.0 : fixed;
        moving = x < size[0] / 2 ? moving : 0.0;
        break;
      case 3: // another contrast
        moving = 3.0 * std::exp(-2.0 * moving);
        break;
      case 4: // outliers
        fixed = noise > 0.995 ? 1e6 : fixed;
        moving = otherNoise > 0.99 ? -1e6 : moving;
        break;
      case 5: // a ball into a cube
        fixed = one.Ball(voxel);
        moving = other.Cube(voxel);
        break;
      case 6: // an image into noise
        moving = otherNoise;
        break;
      default: // far from 0
        fixed = 1e4 + 1e3 * fixed;
        moving = -1e4 + 1e3 * moving;
    }
    pair.fixed.push_back(static_cast<float>(fixed));
    pair.moving.push_back(static_cast<float>(moving));
  });
  return pair;
}

/** Few levels, large steps and little smoothing, with the metric and the bound that \p seed chooses. */
inline cudaneuro::RegistrationParameters
WildParameters(std::uint64_t seed)
{
  using cudaneuro::RegistrationMetric;
  const std::array<RegistrationMetric, 3> metrics{ RegistrationMetric::MeanSquares,
                                                   RegistrationMetric::LocalCorrelation,
                                                   RegistrationMetric::MutualInformation };
  const std::array<double, 3>             bounds{ 0.02, 0.0, 0.5 };
  const std::array<double, 3>             sigmas{ 0.7, 2.0, 1.2 };
  cudaneuro::RegistrationParameters       parameters;
  parameters.unbiasedWeight = 0.01;
  parameters.levels = { { { 2, 2, 2 }, 30 }, { { 1, 1, 1 }, 30 } };
  parameters.metric = metrics[seed / 16 % 3];
  parameters.jacobianBound = bounds[seed / 48 % 3];
  parameters.updateFieldStandardDeviations.fill(sigmas[seed / 144 % 3]);
  return parameters;
}

} // namespace wildpairs

#endif
