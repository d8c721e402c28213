// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AffineMean.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using cudaneuro::AffineMap;

namespace
{

// Numbers about 1 after some ten products of matrices.
constexpr double tolerance = 1e-12;

using Center = std::array<double, 3>;

constexpr Center center{ 10.0, -20.0, 30.0 };

AffineMap
Stretch(double x, double y, double z)
{
  AffineMap map;
  map.matrix = { x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z };
  return map;
}

AffineMap
Rotation(double angle)
{
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  AffineMap    map;
  map.matrix = { c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0 };
  return map;
}

Center
Apply(const AffineMap & map, const Center & point)
{
  return Compose(map, { {}, point }).offset;
}

double
Determinant(const std::array<double, 9> & m)
{
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

void
ExpectNear(const std::array<double, 9> & values, const std::array<double, 9> & expected, double allowed = tolerance)
{
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    EXPECT_NEAR(values[i], expected[i], allowed) << i;
  }
}

/** Maps that rotate by any angle, stretch along directions of their own by up to a factor of 1.5, and shift. */
std::vector<AffineMap>
RandomMaps(std::size_t count)
{
  std::mt19937                           random(20261122);
  std::uniform_real_distribution<double> symmetric(-1.0, 1.0);
  std::vector<AffineMap>                 maps(count);
  for (AffineMap & map : maps)
  {
    AffineMap noise;
    for (double & value : noise.matrix)
    {
      value += 0.2 * symmetric(random);
    }
    const auto   stretch = [&] { return std::exp(0.4 * symmetric(random)); };
    const double x = stretch();
    const double y = stretch();
    map = Compose(Rotation(3.0 * symmetric(random)), Compose(Stretch(x, y, stretch()), noise));
    map.offset = { 40.0 * symmetric(random), 40.0 * symmetric(random), 40.0 * symmetric(random) };
  }
  return maps;
}

} // namespace

TEST(AffineMean, LogarithmsOfStretches)
{
  // Factors 1/2 and 2 have the mean 1 along x; along y they are 3 and 3, along z 1 and 4. Poses do not count.
  const std::vector<AffineMap> maps{ Compose(Rotation(2.5), Stretch(0.5, 3.0, 1.0)), Stretch(2.0, 3.0, 4.0) };
  ExpectNear(MeanLogarithmOfStretches(maps, { 1.0, 1.0 }),
             { 0.0, 0.0, 0.0, 0.0, std::log(3.0), 0.0, 0.0, 0.0, std::log(2.0) });
  // Weights are relative.
  ExpectNear(MeanLogarithmOfStretches(maps, { 1.0, 3.0 }),
             { 0.5 * std::log(2.0), 0.0, 0.0, 0.0, std::log(3.0), 0.0, 0.0, 0.0, 0.75 * std::log(4.0) });
}

TEST(AffineMean, ScaledCopies)
{
  // The first image is the largest, and was the reference.
  std::vector<AffineMap> maps{ Stretch(1.0, 1.0, 1.0), Stretch(0.9, 0.9, 0.9), Stretch(0.81, 0.81, 0.81) };
  TakeOutMeanStretch(maps, { 1.0, 1.0, 1.0 }, center);
  const std::array<double, 3> scales{ 1.0 / 0.9, 1.0, 0.9 };
  for (std::size_t k = 0; k < maps.size(); ++k)
  {
    ExpectNear(maps[k].matrix, Stretch(scales[k], scales[k], scales[k]).matrix);
  }
}

TEST(AffineMean, NothingIsLeftOfIt)
{
  const std::vector<double> weights{ 1.0, 2.0, 0.0, 0.5, 1.0, 3.0 };
  std::vector<AffineMap>    maps = RandomMaps(weights.size());
  TakeOutMeanStretch(maps, weights, center);
  ExpectNear(MeanLogarithmOfStretches(maps, weights), {});
}

TEST(AffineMean, AllMapsAreFollowedByOneThatTurnsNothing)
{
  const std::vector<double>    weights(5, 1.0);
  const std::vector<AffineMap> before = RandomMaps(weights.size());
  std::vector<AffineMap>       maps = before;
  TakeOutMeanStretch(maps, weights, center);
  const AffineMap neutral = Compose(Inverse(before[0]), maps[0]);
  for (std::size_t k = 0; k < maps.size(); ++k)
  {
    const AffineMap same = Compose(Inverse(before[k]), maps[k]);
    ExpectNear(same.matrix, neutral.matrix);
    const Center held = Apply(maps[k], center);
    const Center expected = Apply(before[k], center);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      EXPECT_NEAR(held[axis], expected[axis], 100.0 * tolerance); // mm, some 100 of them
    }
  }
  // A product of symmetric matrices that are near the identity but for the first: its rotation is of second order in
  // them.
  const auto & m = neutral.matrix;
  EXPECT_GT(Determinant(m), 0.0);
  EXPECT_NEAR(std::atan2(m[3] - m[1], m[0] + m[4]), 0.0, 0.01);
}

TEST(AffineMean, IsItsOwnResult)
{
  const std::vector<double> weights(4, 1.0);
  std::vector<AffineMap>    maps = RandomMaps(weights.size());
  TakeOutMeanStretch(maps, weights, center);
  const std::vector<AffineMap> once = maps;
  TakeOutMeanStretch(maps, weights, center);
  for (std::size_t k = 0; k < maps.size(); ++k)
  {
    ExpectNear(maps[k].matrix, once[k].matrix);
  }
}

TEST(AffineMean, CentersOfGrids)
{
  cudaneuro::Geometry geometry;
  geometry.grid.size = { 5, 8, 11 };
  geometry.grid.spacing = { 1.0, 2.0, 0.5 };
  geometry.origin = { 1.0, 2.0, 3.0 };
  geometry.direction = { 0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0 };
  // The center is 2, 7 and 2.5 mm from the first voxel along the axes of the grid.
  const Center expected{ 1.0 - 7.0, 2.0 + 2.0, 3.0 + 2.5 };
  EXPECT_EQ(CenterOf(geometry), expected);
}
