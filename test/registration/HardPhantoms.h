// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef HardPhantoms_h
#define HardPhantoms_h

#include "TestVolumes.h"
#include "cudaneuro/Registration.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

/** Pairs of images whose registration would fold, and methods to register them with. */
namespace hardphantoms
{

using namespace cudaneuro;

struct HardPair
{
  Geometry           geometry;
  std::vector<float> fixed;
  std::vector<float> moving;
};

inline double
SoftStep(double distance)
{
  return 1.0 / (1.0 + std::exp(-2.0 * distance));
}

/** A disc or ball that is to become a C, with soft borders. */
inline HardPair
MakeC(const std::array<std::int64_t, 3> & size)
{
  HardPair pair;
  pair.geometry.grid = testvolumes::MakeGrid(size);
  const auto   middle = [&](int axis) { return 0.5 * static_cast<double>(size[axis] - 1); };
  const double radius = 0.62 * middle(0);
  ForEachVoxel(size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const double u = static_cast<double>(x) - middle(0);
    const double v = static_cast<double>(y) - middle(1);
    const double w = static_cast<double>(z) - middle(2);
    const double r = std::sqrt(u * u + v * v + w * w);
    const double disc = SoftStep(radius - r);
    const double gap = SoftStep(0.3 * radius - std::abs(v)) * SoftStep(u);
    pair.moving.push_back(static_cast<float>(100.0 * disc));
    pair.fixed.push_back(static_cast<float>(100.0 * disc * SoftStep(r - 0.45 * radius) * (1.0 - gap)));
  });
  return pair;
}

/** Balls of other places, sizes and numbers in the two images, with noise. */
inline HardPair
MakeBalls(std::uint64_t seed)
{
  constexpr std::int64_t length = 24;
  HardPair               pair;
  pair.geometry.grid = testvolumes::MakeGrid({ length, length - 1, length - 3 });
  const auto random = [seed](std::uint64_t i) { return testvolumes::UniformNoise(seed, i); };
  const auto value = [&](int image, const std::array<std::int64_t, 3> & voxel) {
    double sum = 0.0;
    for (std::uint64_t ball = 0; ball < 6; ++ball)
    {
      const std::uint64_t first = 100 * static_cast<std::uint64_t>(image) + 4 * ball;
      double              squared = 0.0;
      for (int axis = 0; axis < 3; ++axis)
      {
        const double center = length * (0.2 + 0.6 * random(first + static_cast<std::uint64_t>(axis)));
        squared += (static_cast<double>(voxel[axis]) - center) * (static_cast<double>(voxel[axis]) - center);
      }
      sum += SoftStep(2.0 + 4.0 * random(first + 3) - std::sqrt(squared));
    }
    return sum;
  };
  ForEachVoxel(
    std::array<std::int64_t, 3>{ length, length - 1, length - 3 },
    [&](std::int64_t x, std::int64_t y, std::int64_t z, std::size_t i) {
      pair.fixed.push_back(static_cast<float>(value(0, { x, y, z }) + 0.1 * testvolumes::NormalNoise(seed + 50, i)));
      pair.moving.push_back(static_cast<float>(value(1, { x, y, z }) + 0.1 * testvolumes::NormalNoise(seed + 90, i)));
    });
  return pair;
}

inline RegistrationParameters
OfUnbiased(double weight)
{
  RegistrationParameters parameters;
  parameters.unbiasedWeight = weight;
  parameters.updateFieldStandardDeviations = { 3.0, 3.0, 3.0 };
  parameters.levels = { { { 4, 4, 1 }, 100 }, { { 2, 2, 1 }, 100 }, { { 1, 1, 1 }, 100 } };
  return parameters;
}

inline RegistrationParameters
OfGreedy()
{
  RegistrationParameters parameters;
  parameters.useDeformedGradient = true;
  parameters.velocityMethod = VelocityMethod::SuccessiveOverRelaxation;
  parameters.firstSweeps = 20;
  return parameters;
}

constexpr std::uint64_t numberOfBalls = 20;

inline RegistrationParameters
MethodOfBalls(std::uint64_t seed)
{
  switch (seed % 4)
  {
    case 0:
      return OfUnbiased(0.01);
    case 1:
    {
      RegistrationParameters correlation = OfUnbiased(0.02);
      correlation.metric = RegistrationMetric::LocalCorrelation;
      return correlation;
    }
    case 2:
    {
      RegistrationParameters plain = OfUnbiased(0.0);
      plain.updateFieldStandardDeviations = { 1.5, 1.5, 1.5 };
      return plain;
    }
    default:
      return OfGreedy();
  }
}

/** A method and a bound for MakeBalls(seed), of seeds from 1 to numberOfBalls. */
inline RegistrationParameters
OfBalls(std::uint64_t seed)
{
  RegistrationParameters parameters = MethodOfBalls(seed);
  parameters.levels = { { { 2, 2, 2 }, 40 }, { { 1, 1, 1 }, 40 } };
  parameters.jacobianBound = seed % 3 == 0 ? 0.1 : 0.02;
  return parameters;
}

} // namespace hardphantoms

#endif
