// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The agreement of blocks of two images: against its definition in double precision, and what it does not depend on.

#include "TestVolumes.h"
#include "metrics/BlockAgreementTest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

namespace
{

using namespace cudaneuro;
using namespace blockagreement;

/** Waves in all directions, so that every block has gradients. */
double
Waves(const Vector & x)
{
  return 50.0 * (std::sin(0.13 * x[0] + 0.04 * x[1]) + std::cos(0.11 * x[1] - 0.05 * x[2]) +
                 std::sin(0.12 * x[2] + 0.03 * x[0]));
}

struct Pair
{
  WeightedScan fixed;
  WeightedScan moving;
};

/** Waves on two grids that are turned in space, without weights; of slices, both are in one oblique plane. */
Pair
MakePair(const std::array<int, 3> & fixedSize, const std::array<int, 3> & movingSize, const Vector & spacing)
{
  const bool      is2D = fixedSize[2] == 1 && movingSize[2] == 1;
  const AffineMap plane = Rigid(35.0, { 1.0, 2.0, 0.5 });
  const AffineMap turned = is2D ? Compose(plane, Rigid(12.0, { 0.0, 0.0, 1.0 })) : Rigid(25.0, { -1.0, 0.5, 2.0 });
  Pair            pair{ Scan(fixedSize, CenteredGrid(fixedSize, { 4.0, 4.1, 3.9 }, plane), Waves, 1),
             Scan(movingSize, CenteredGrid(movingSize, spacing, turned), Waves, 2) };
  pair.fixed.weight.clear();
  pair.moving.weight.clear();
  return pair;
}

/** A map near the identity; it keeps the plane of MakePair's slices. */
AffineMap
MapInPlane()
{
  const AffineMap plane = Rigid(35.0, { 1.0, 2.0, 0.5 });
  AffineMap       map = Rigid(4.0, { 0.0, 0.0, 1.0 }, { 3.1, -2.3, 0.0 });
  map.matrix[0] *= 1.03;
  map.matrix[1] += 0.02;
  return Compose(plane, Compose(map, Inverse(plane)));
}

AffineMap
MapInSpace()
{
  AffineMap map = Rigid(5.0, { 1.0, -1.0, 0.4 }, { 2.7, -3.9, 1.3 });
  map.matrix[0] *= 1.05;
  map.matrix[5] += 0.03;
  return map;
}

TEST_P(BlockAgreements, MatchTheReference)
{
  struct Case
  {
    std::array<int, 3> fixedSize;
    std::array<int, 3> movingSize;
    Vector             movingSpacing;
  };
  const Case cases[] = { { { 26, 22, 19 }, { 24, 25, 20 }, { 4.0, 4.0, 4.0 } },
                         { { 26, 22, 19 }, { 48, 50, 5 }, { 2.0, 2.0, 6.0 } },
                         { { 40, 33, 1 }, { 35, 41, 1 }, { 3.0, 3.5, 1.0 } },
                         { { 20, 22, 18 }, { 41, 35, 1 }, { 3.0, 3.0, 5.0 } },
                         { { 40, 2, 3 }, { 3, 1, 30 }, { 4.0, 5.0, 3.0 } } };
  for (const Case & c : cases)
  {
    SCOPED_TRACE(testing::Message() << "sizes " << c.fixedSize[2] << " and " << c.movingSize[2]);
    const Pair      pair = MakePair(c.fixedSize, c.movingSize, c.movingSpacing);
    const bool      is2D = c.fixedSize[2] == 1 && c.movingSize[2] == 1;
    const AffineMap map = is2D ? MapInPlane() : MapInSpace();
    this->ExpectReference(pair.fixed, pair.moving, map);
  }
}

TEST_P(BlockAgreements, MatchTheReferenceWithMasksAndWeights)
{
  Pair pair = MakePair({ 26, 22, 19 }, { 24, 25, 20 }, { 4.0, 4.0, 4.0 });
  for (WeightedScan * scan : { &pair.fixed, &pair.moving })
  {
    for (std::size_t i = 0; i < scan->image.values.size(); ++i)
    {
      scan->image.mask.push_back(testvolumes::UniformNoise(3, i / 9) < 0.1 ? 0 : 200);
      // Among them 0.
      scan->weight.push_back(
        static_cast<double>(static_cast<float>(std::max(0.0, testvolumes::UniformNoise(4, i / 5) - 0.2))));
    }
  }
  this->ExpectReference(pair.fixed, pair.moving, MapInSpace());
}

TEST_P(BlockAgreements, SeeWhatGoesOnBeyondTheGrid)
{
  using Sides = std::array<bool, 3>;
  const Sides sides[][2] = { { { true, false, true }, { false, true, false } },
                             { { true, true, true }, { true, true, true } } };
  AffineMap   map = MapInSpace();
  map.offset[0] += 30.0;
  map.offset[2] -= 22.0;
  for (const auto & goesOn : sides)
  {
    Pair pair = MakePair({ 26, 22, 19 }, { 24, 25, 20 }, { 4.0, 4.0, 4.0 });
    for (WeightedScan * scan : { &pair.fixed, &pair.moving })
    {
      scan->image.goesOnBefore = goesOn[0];
      scan->image.goesOnBehind = goesOn[1];
    }
    this->ExpectReference(pair.fixed, pair.moving, map);
  }
}

TEST_P(BlockAgreements, OfAnImageWithItself)
{
  const Pair                   pair = MakePair({ 40, 32, 24 }, { 40, 32, 1 }, { 4.0, 4.0, 1.0 });
  const BlockAgreement::Result result = AgreementOnDevice(this->GetContext(), pair.fixed, pair.fixed).Evaluate({});
  EXPECT_EQ(result.agreement, 1.0);
  EXPECT_EQ(result.ofFixedBlocks.numberOfBlocks, 5 * 4 * 3);
  // Only rounding of float keeps the gradients from being parallel.
  EXPECT_NEAR(result.squaredCosine, 1.0, 1e-6);
  EXPECT_EQ(this->Agreement(pair.moving, pair.moving, {}), 1.0);
}

/** The image with \p change made to each intensity. */
WeightedScan
WithIntensities(WeightedScan scan, const std::function<double(double)> & change)
{
  for (double & value : scan.image.values)
  {
    value = change(value);
  }
  return scan;
}

TEST_P(BlockAgreements, DoNotDependOnTheScaleOfIntensities)
{
  Pair pair = MakePair({ 26, 22, 19 }, { 24, 25, 20 }, { 4.0, 4.0, 4.0 });
  // Multiples of 1/16, to which floats below 2^20 are exact.
  pair.fixed = WithIntensities(pair.fixed, [](double value) { return std::round(16.0 * value) / 16.0; });
  const AffineMap              map = MapInSpace();
  const BlockAgreement::Result expected = AgreementOnDevice(this->GetContext(), pair.fixed, pair.moving).Evaluate(map);
  const auto                   evaluate = [&](const std::function<double(double)> & change) {
    return AgreementOnDevice(this->GetContext(), WithIntensities(pair.fixed, change), pair.moving).Evaluate(map);
  };
  // Powers of 2 change no bits: with them, intensities are 1e31, 1e-31, and 5e5 away from 0.
  ExpectSame(evaluate([](double value) { return std::ldexp(value, 96); }), expected);
  ExpectSame(evaluate([](double value) { return std::ldexp(value, -110); }), expected);
  ExpectSame(evaluate([](double value) { return value - std::ldexp(1.0, 19); }), expected);
  ExpectSame(evaluate([](double value) { return -value; }), expected);
  const BlockAgreement::Result scaled = evaluate([](double value) { return 3.7 * value; });
  // The median is in another place of its bin.
  EXPECT_NEAR(scaled.squaredCosine, expected.squaredCosine, 2e-3);
  EXPECT_NEAR(scaled.agreement, expected.agreement, 0.05);
}

TEST_P(BlockAgreements, DoNotDependOnWhatIsOutsideMasks)
{
  Pair pair = MakePair({ 26, 22, 19 }, { 24, 25, 20 }, { 4.0, 4.0, 4.0 });
  Pair other = pair;
  for (const auto & [scan, changed] : { std::pair{ &pair.fixed, &other.fixed }, { &pair.moving, &other.moving } })
  {
    for (std::size_t i = 0; i < scan->image.values.size(); ++i)
    {
      scan->image.mask.push_back(testvolumes::UniformNoise(3, i / 9) < 0.1 ? 0 : 1);
      if (scan->image.mask[i] == 0)
      {
        changed->image.values[i] = i % 2 == 0 ? std::numeric_limits<double>::quiet_NaN() : 1e30;
      }
    }
    changed->image.mask = scan->image.mask;
  }
  AgreementOnDevice agreement(this->GetContext(), pair.fixed, pair.moving);
  AgreementOnDevice changed(this->GetContext(), other.fixed, other.moving);
  ExpectSame(changed.Evaluate(MapInSpace()), agreement.Evaluate(MapInSpace()));
}

TEST_P(BlockAgreements, OfImagesThatHaveNothingInCommon)
{
  const Pair         pair = MakePair({ 26, 22, 19 }, { 24, 25, 20 }, { 4.0, 4.0, 4.0 });
  const WeightedScan constant = WithIntensities(pair.moving, [](double) { return 7.0; });
  WeightedScan       goesOn = pair.moving;
  goesOn.image.goesOnBefore = goesOn.image.goesOnBehind = { true, true, true };
  AffineMap far;
  far.offset = { 0.0, 1e30, 0.0 };
  AffineMap beside;
  beside.offset = { 400.0, 0.0, 0.0 };
  // Nothing is visible.
  for (const AffineMap & map : { far, beside })
  {
    const BlockAgreement::Result result = AgreementOnDevice(this->GetContext(), pair.fixed, pair.moving).Evaluate(map);
    ExpectSame(result, BlockAgreement::Result());
  }
  // What is visible has no gradient.
  EXPECT_EQ(this->Agreement(pair.fixed, constant, {}), 0.0);
  EXPECT_EQ(this->Agreement(constant, constant, {}), 0.0);
  AgreementOnDevice            beyond(this->GetContext(), pair.fixed, goesOn);
  const BlockAgreement::Result result = beyond.Evaluate(beside);
  EXPECT_EQ(result.agreement, 0.0);
  // Of 4 x 3 x 3 blocks, 3 at edges are below 15 % of the largest.
  EXPECT_EQ(result.ofFixedBlocks.numberOfBlocks, 33);
}

TEST_P(BlockAgreements, RefuseMapsWithoutAnInverse)
{
  const Pair        pair = MakePair({ 26, 22, 19 }, { 24, 25, 20 }, { 4.0, 4.0, 4.0 });
  AgreementOnDevice agreement(this->GetContext(), pair.fixed, pair.moving);
  AffineMap         flat;
  flat.matrix[8] = 0.0;
  EXPECT_THROW(agreement.Evaluate(flat), InvalidParameterError);
}

CUDANEURO_TEST_ON_ALL_DEVICES(BlockAgreements);

} // namespace
