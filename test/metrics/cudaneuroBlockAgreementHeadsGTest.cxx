// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The agreement of blocks of two heads: it tells heads that are aligned from others, and has the same bits in each run.

#include "TestVolumes.h"
#include "metrics/BlockAgreementTest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>

namespace
{

using namespace cudaneuro;
using namespace blockagreement;

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

CUDANEURO_TEST_ON_CUDA(BlockAgreementsOnCuda);

} // namespace
