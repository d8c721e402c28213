// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "TestVolumes.h"
#include "UploadedVolumes.h"
#include "jobs/DeviceJob.h"
#include "metrics/blocks/BlockAgreement.h"
#include "metrics/ReferenceBlockAgreement.h"

#include <cmath>
#include <functional>
#include <limits>

namespace
{

using namespace cudaneuro;
using reference::WeightedScan;
using Vector = std::array<double, 3>;

constexpr double blockSide = 32.0;
constexpr double shift = 8.0;

double
Norm(const Vector & x)
{
  return std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

Vector
Mapped(const AffineMap & map, const Vector & x)
{
  Vector y = map.offset;
  for (int entry = 0; entry < 9; ++entry)
  {
    y[entry / 3] += map.matrix[entry] * x[entry % 3];
  }
  return y;
}

/** A rotation about an axis through the origin, then a translation. */
AffineMap
Rigid(double degrees, const Vector & axis, const Vector & translation = {})
{
  const double angle = degrees * 3.14159265358979323846 / 180.0;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const double length = Norm(axis);
  const Vector u{ axis[0] / length, axis[1] / length, axis[2] / length };
  AffineMap    map;
  map.matrix = { c + u[0] * u[0] * (1 - c),        u[0] * u[1] * (1 - c) - u[2] * s, u[0] * u[2] * (1 - c) + u[1] * s,
                 u[1] * u[0] * (1 - c) + u[2] * s, c + u[1] * u[1] * (1 - c),        u[1] * u[2] * (1 - c) - u[0] * s,
                 u[2] * u[0] * (1 - c) - u[1] * s, u[2] * u[1] * (1 - c) + u[0] * s, c + u[2] * u[2] * (1 - c) };
  map.offset = translation;
  return map;
}

/** The intensity around the head. */
constexpr double air = 0.0;

/** A head around the origin, up to 255: a brain with 40 blobs, and a skull between it and the skin. */
double
Head(const Vector & x)
{
  const double depth = 1.0 - Norm({ x[0] / 60.0, x[1] / 75.0, x[2] / 55.0 });
  if (depth < 0.0)
  {
    return air;
  }
  if (depth < 0.15)
  {
    return depth < 0.05 ? 180.0 : 30.0;
  }
  double value = 120.0;
  for (std::uint64_t blob = 0; blob < 40; ++blob)
  {
    const auto   random = [blob](std::uint64_t i) { return testvolumes::UniformNoise(11, 8 * blob + i); };
    const Vector center{ 90.0 * random(0) - 45.0, 110.0 * random(1) - 55.0, 80.0 * random(2) - 40.0 };
    const double radius = 6.0 + 8.0 * random(3);
    const double distance = Norm({ x[0] - center[0], x[1] - center[1], x[2] - center[2] }) / radius;
    value += (random(4) < 0.5 ? -70.0 : 70.0) * std::exp(-0.5 * distance * distance);
  }
  return std::min(std::max(value, 1.0), 254.0);
}

/** Where a grid lies, its center at the origin. */
AffineMap
CenteredGrid(const std::array<int, 3> & size, const Vector & spacing, const AffineMap & rotation = {})
{
  AffineMap map = rotation;
  for (int entry = 0; entry < 9; ++entry)
  {
    map.matrix[entry] *= spacing[entry % 3];
  }
  const Vector center = Mapped(map, { 0.5 * (size[0] - 1), 0.5 * (size[1] - 1), 0.5 * (size[2] - 1) });
  map.offset = { -center[0], -center[1], -center[2] };
  return map;
}

/** An image of \p intensity on a grid, with a little noise. Where the intensity is background, the weight is 0. */
WeightedScan
Scan(const std::array<int, 3> &                    size,
     const AffineMap &                             indexToPoint,
     const std::function<double(const Vector &)> & intensity,
     std::uint64_t                                 seed = 1)
{
  WeightedScan scan;
  scan.image.size = size;
  scan.indexToPoint = indexToPoint;
  ForEachVoxel(size, [&](int x, int y, int z) {
    const double noise = 3.0 * testvolumes::NormalNoise(seed, scan.image.values.size());
    const double value = intensity(Mapped(indexToPoint, { double(x), double(y), double(z) }));
    scan.image.values.push_back(static_cast<double>(static_cast<float>(value + noise)));
    scan.weight.push_back(value != air ? 1.0 : 0.0);
  });
  return scan;
}

/** The head as \p map, from its points to those of the scan, shows it, or its negative. */
std::function<double(const Vector &)>
HeadSeenBy(const AffineMap & map, bool isInverted)
{
  return [inverse = Inverse(map), isInverted](const Vector & x) {
    const double value = Head(Mapped(inverse, x));
    return isInverted && value != air ? 255.0 - value : value;
  };
}

WeightedScan
HeadScan(const AffineMap & map = {}, bool isInverted = false, std::uint64_t seed = 1)
{
  const std::array<int, 3> size{ 38, 44, 36 };
  return Scan(size, CenteredGrid(size, { 4.0, 4.0, 4.0 }), HeadSeenBy(map, isInverted), seed);
}

/** Two scans in memory of a device. */
class AgreementOnDevice
{
public:
  AgreementOnDevice(Context & context, const WeightedScan & fixed, const WeightedScan & moving)
    : m_Context(context)
    , m_Volumes(context)
  {
    RunDeviceJob(context, [&] {
      m_Agreement =
        std::make_unique<BlockAgreement>(context, this->Upload(fixed), this->Upload(moving), blockSide, shift);
    });
  }

  BlockAgreement::Result
  Evaluate(const AffineMap & map)
  {
    BlockAgreement::Result result;
    RunDeviceJob(m_Context, [&] { result = m_Agreement->Evaluate(map); });
    return result;
  }

private:
  AgreementImage
  Upload(const WeightedScan & scan)
  {
    AgreementImage image;
    image.extent = { scan.image.size[0], scan.image.size[1], scan.image.size[2] };
    image.image = m_Volumes.Upload(std::vector<float>(scan.image.values.begin(), scan.image.values.end()));
    image.mask = m_Volumes.Upload(scan.image.mask);
    image.weight = m_Volumes.Upload(std::vector<float>(scan.weight.begin(), scan.weight.end()));
    image.indexToPoint = scan.indexToPoint;
    std::copy_n(scan.image.goesOnBefore.begin(), 3, image.extended.lower);
    std::copy_n(scan.image.goesOnBehind.begin(), 3, image.extended.upper);
    return image;
  }

  Context &                       m_Context;
  UploadedVolumes                 m_Volumes;
  std::unique_ptr<BlockAgreement> m_Agreement;
};

void
ExpectPart(const BlockAgreement::Part & part, const reference::BlockAgreementPart & expected)
{
  // A block whose sums are the same to 2e-3 may be decided by the median of the lengths of gradients, which is found in
  // bins of 1 %.
  EXPECT_NEAR(part.agreement, expected.agreement, expected.undecided + 1e-5);
  EXPECT_LT(expected.undecided, 0.1);
  EXPECT_EQ(part.numberOfBlocks, expected.numberOfBlocks);
  // The median interpolated in a bin is right to a few parts in 1e3, and less than that comes to the ratios.
  EXPECT_NEAR(part.squaredCosine, expected.squaredCosine, 2e-3 * expected.squaredCosine);
  EXPECT_NEAR(part.alignedGradients, expected.alignedGradients, 5e-3 * expected.alignedGradients);
}

void
ExpectSame(const BlockAgreement::Part & a, const BlockAgreement::Part & b)
{
  EXPECT_EQ(a.agreement, b.agreement);
  EXPECT_EQ(a.squaredCosine, b.squaredCosine);
  EXPECT_EQ(a.alignedGradients, b.alignedGradients);
  EXPECT_EQ(a.numberOfBlocks, b.numberOfBlocks);
}

void
ExpectSame(const BlockAgreement::Result & a, const BlockAgreement::Result & b)
{
  ExpectSame(static_cast<const BlockAgreement::Part &>(a), b);
  ExpectSame(a.ofFixedBlocks, b.ofFixedBlocks);
  ExpectSame(a.ofMovingBlocks, b.ofMovingBlocks);
}

class BlockAgreements : public DeviceTest
{
protected:
  void
  ExpectReference(const WeightedScan & fixed, const WeightedScan & moving, const AffineMap & map)
  {
    const BlockAgreement::Result result = AgreementOnDevice(this->GetContext(), fixed, moving).Evaluate(map);
    {
      SCOPED_TRACE("blocks of the fixed image");
      ExpectPart(result.ofFixedBlocks, reference::AgreementOfBlocks(fixed, moving, map, blockSide, shift));
    }
    SCOPED_TRACE("blocks of the moving image");
    ExpectPart(result.ofMovingBlocks, reference::AgreementOfBlocks(moving, fixed, Inverse(map), blockSide, shift));
    EXPECT_EQ(result.agreement, 0.5 * (result.ofFixedBlocks.agreement + result.ofMovingBlocks.agreement));
    EXPECT_EQ(result.numberOfBlocks, result.ofFixedBlocks.numberOfBlocks + result.ofMovingBlocks.numberOfBlocks);
  }

  double
  Agreement(const WeightedScan & fixed, const WeightedScan & moving, const AffineMap & map)
  {
    return AgreementOnDevice(this->GetContext(), fixed, moving).Evaluate(map).agreement;
  }
};

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

TEST_P(BlockAgreements, TellHeadsThatAreAlignedFromOthers)
{
  const AffineMap    truth = Rigid(18.0, { 1.0, 0.5, -2.0 }, { 9.0, -6.0, 4.0 });
  const WeightedScan fixed = HeadScan();
  const AffineMap    apart[] = { Rigid(0.0, { 1.0, 0.0, 0.0 }, { 12.0, 12.0, -11.0 }),
                                 Rigid(15.0, { 1.0, 0.3, 0.2 }),
                                 Rigid(15.0, { -0.2, 1.0, 0.4 }, { 20.0, 0.0, 0.0 }),
                                 Rigid(170.0, { 0.1, 0.0, 1.0 }) };
  for (const bool isInverted : { false, true })
  {
    const WeightedScan moving = HeadScan(truth, isInverted, 2);
    AgreementOnDevice  agreement(this->GetContext(), fixed, moving);
    EXPECT_GT(agreement.Evaluate(truth).agreement, 0.6);
    for (const AffineMap & error : apart)
    {
      EXPECT_LT(agreement.Evaluate(Compose(error, truth)).agreement, 0.3) << "map " << (&error - apart);
    }
  }
}

TEST_P(BlockAgreements, OfThinStacks)
{
  const AffineMap          truth = Rigid(9.0, { 1.0, 0.5, -2.0 }, { 3.0, -6.0, 4.0 });
  const WeightedScan       head = HeadScan();
  const std::array<int, 3> size{ 70, 84, 5 };
  const WeightedScan       stack = Scan(size, CenteredGrid(size, { 2.0, 2.0, 6.0 }), HeadSeenBy(truth, false), 2);
  AgreementOnDevice        agreement(this->GetContext(), head, stack);
  // Blocks of the head that the stack cuts see more of it when they are shifted.
  EXPECT_GT(agreement.Evaluate(truth).ofMovingBlocks.agreement, 0.75);
  for (const Vector & axis : { Vector{ 1.0, 0.0, 0.0 }, Vector{ 0.0, 1.0, 0.0 }, Vector{ 0.0, 0.0, 1.0 } })
  {
    // Of some 20 blocks, chance has two or three more or less agree.
    EXPECT_LT(agreement.Evaluate(Compose(Rigid(20.0, axis), truth)).ofMovingBlocks.agreement, 0.4) << axis[0];
  }
}

TEST_P(BlockAgreements, OfSlicesInAnObliquePlane)
{
  const AffineMap          plane = Rigid(50.0, { 1.0, 2.0, 0.5 }, { 3.0, 5.0, -8.0 });
  const AffineMap          inPlane = Rigid(14.0, { 0.0, 0.0, 1.0 }, { 6.0, -9.0, 0.0 });
  const AffineMap          truth = Compose(plane, Compose(inPlane, Inverse(plane)));
  const std::array<int, 3> size{ 90, 100, 1 };
  const AffineMap          grid = Compose(plane, CenteredGrid(size, { 1.7, 1.7, 1.0 }));
  const WeightedScan       fixed = Scan(size, grid, Head, 1);
  const WeightedScan       moving = Scan(size, grid, HeadSeenBy(truth, true), 2);
  AgreementOnDevice        agreement(this->GetContext(), fixed, moving);
  EXPECT_GT(agreement.Evaluate(truth).agreement, 0.8);
  for (const double degrees : { 20.0, 90.0, 180.0 })
  {
    const AffineMap error = Rigid(degrees, { 0.0, 0.0, 1.0 }, { 8.0, 5.0, 0.0 });
    const AffineMap wrong = Compose(plane, Compose(error, Compose(inPlane, Inverse(plane))));
    EXPECT_LT(agreement.Evaluate(wrong).agreement, 0.3) << degrees << " degrees";
  }
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

TEST_P(BlockAgreements, HaveTheSameBitsInEachRun)
{
  const AffineMap              truth = Rigid(18.0, { 1.0, 0.5, -2.0 }, { 9.0, -6.0, 4.0 });
  const WeightedScan           fixed = HeadScan();
  const WeightedScan           moving = HeadScan(truth, true, 2);
  AgreementOnDevice            agreement(this->GetContext(), fixed, moving);
  const BlockAgreement::Result result = agreement.Evaluate(truth);
  agreement.Evaluate({});
  ExpectSame(agreement.Evaluate(truth), result);
  ExpectSame(AgreementOnDevice(this->GetContext(), fixed, moving).Evaluate(truth), result);
  Context           three(this->GetParam(), 3);
  AgreementOnDevice inTeam(three, fixed, moving);
  ExpectSame(inTeam.Evaluate(truth), result);
}

class BlockAgreementsOnCuda : public DeviceTest
{};

TEST_P(BlockAgreementsOnCuda, AreThoseOfTheCpu)
{
  const AffineMap    truth = Rigid(18.0, { 1.0, 0.5, -2.0 }, { 9.0, -6.0, 4.0 });
  const WeightedScan fixed = HeadScan();
  const WeightedScan moving = HeadScan(truth, true, 2);
  Context            cpu(Device{});
  AgreementOnDevice  onCpu(cpu, fixed, moving);
  AgreementOnDevice  onCuda(this->GetContext(), fixed, moving);
  for (const double degrees : { 0.0, 4.0, 30.0 })
  {
    const AffineMap              map = Compose(Rigid(degrees, { 1.0, 0.0, 0.0 }), truth);
    const BlockAgreement::Result a = onCuda.Evaluate(map);
    const BlockAgreement::Result b = onCpu.Evaluate(map);
    EXPECT_EQ(a.numberOfBlocks, b.numberOfBlocks);
    // Terms are floats, of which sums of hundreds keep 6 digits or more.
    EXPECT_NEAR(a.squaredCosine, b.squaredCosine, 1e-6);
    EXPECT_NEAR(a.alignedGradients, b.alignedGradients, 1e-6);
    // One block, of about 150 that count up to twice their mean, may be decided by rounding.
    EXPECT_NEAR(a.agreement, b.agreement, 0.015);
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(BlockAgreements);
CUDANEURO_TEST_ON_CUDA(BlockAgreementsOnCuda);

} // namespace
