// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "landmarks/FlowTestCases.h"

#include <cstring>
#include <limits>

namespace
{

using namespace flowtests;
using cudaneuro::MemorySpace;
using cudaneuro::PixelType;

/** Points that are moved together, on a device. */
class GeodesicFlowPoints : public DeviceTest
{};

TEST_P(GeodesicFlowPoints, AgreeWithReference)
{
  for (const Shooting & shooting : AllShootings())
  {
    // Not a multiple of what a warp moves, and with points far away.
    auto points = RandomPoints(shooting.dimension, 333, 21);
    for (std::size_t i = 0; i < points.size() / 4; ++i)
    {
      points[i] += 300.0;
    }
    const auto expected = reference::FlowForward(shooting.parameters, shooting.dimension, shooting.landmarks, points);
    for (const ShootingPrecision precision : allPrecisions)
    {
      const GeodesicFlow flow = shooting.MakeFlow(this->GetContext(), precision);
      const auto         moved =
        TransformTogether(this->GetContext(), flow, FlowDirection::Forward, shooting.dimension, points);
      const auto back = TransformTogether(this->GetContext(), flow, FlowDirection::Backward, shooting.dimension, moved);
      EXPECT_LE(LargestDifference(moved, expected), ToleranceOf(precision)) << shooting.parameters.integrator;
      // The inverse, too, may stretch.
      EXPECT_LE(LargestDifference(back, points), 10.0 * ToleranceOf(precision)) << shooting.parameters.integrator;
    }
  }
}

TEST_P(GeodesicFlowPoints, ManyLandmarksAgreeWithReference)
{
  // Several regions of groups, some of them near; the kernel is narrow.
  Shooting shooting = MakeShooting(3, ShootingIntegrator::Euler, 3, 1700);
  shooting.parameters.sigma = 0.8;
  for (double & momentum : shooting.landmarks.momenta)
  {
    momentum *= 4.0;
  }
  const auto points = RandomPoints(3, 64, 22);
  const auto expected = reference::FlowForward(shooting.parameters, 3, shooting.landmarks, points);
  EXPECT_GT(LargestDifference(points, expected), 0.5);
  for (const ShootingPrecision precision : allPrecisions)
  {
    const GeodesicFlow flow = shooting.MakeFlow(this->GetContext(), precision);
    const auto         moved = TransformTogether(this->GetContext(), flow, FlowDirection::Forward, 3, points);
    EXPECT_LE(LargestDifference(moved, expected), ToleranceOf(precision));
  }
}

TEST_P(GeodesicFlowPoints, TakeFloatAndWriteInPlace)
{
  const Shooting     shooting = MakeShooting(3, ShootingIntegrator::Euler, 20);
  const GeodesicFlow flow = shooting.MakeFlow(this->GetContext());
  const auto         points = RandomPoints(3, 100, 23);
  const auto         expected = TransformOneByOne(flow, FlowDirection::Forward, 3, points);
  std::vector<float> single(points.begin(), points.end());
  flow.TransformPoints(this->GetContext(),
                       FlowDirection::Forward,
                       100,
                       { single.data(), PixelType::Float, MemorySpace::Host },
                       { single.data(), PixelType::Float, MemorySpace::Host });
  // The coordinates, of up to 40 mm, are rounded to float before and after.
  EXPECT_LE(LargestDifference({ single.begin(), single.end() }, expected), 1.5e-5);
}

TEST_P(GeodesicFlowPoints, StepThatFoldsIsReported)
{
  const GeodesicFlow flow = OneStep(20.0).MakeFlow(this->GetContext(), ShootingPrecision::Single);
  const auto         points = RandomPoints(3, 120, 24);
  ExpectNoInverse([&] { TransformTogether(this->GetContext(), flow, FlowDirection::Backward, 3, points); },
                  "120 points");
}

TEST_P(GeodesicFlowPoints, StepsThatStretchMuchHaveAnInverse)
{
  // The derivative of the step goes from 0.2 to 1.8: the fixed-point iteration of the device does not converge
  // everywhere.
  const Shooting shooting = OneStep(2.6);
  const auto     points = RandomPoints(3, 500, 25);
  for (const ShootingPrecision precision : allPrecisions)
  {
    const GeodesicFlow flow = shooting.MakeFlow(this->GetContext(), precision);
    const auto         moved = TransformTogether(this->GetContext(), flow, FlowDirection::Backward, 3, points);
    EXPECT_LE(LargestDifference(TransformTogether(this->GetContext(), flow, FlowDirection::Forward, 3, moved), points),
              10.0 * ToleranceOf(precision));
  }
}

TEST_P(GeodesicFlowPoints, RefuseWhatCannotBe)
{
  const GeodesicFlow        flow = OneStep(1.0).MakeFlow(this->GetContext());
  std::vector<double>       points = { 0.0, 1.0, 2.0, 3.0, std::numeric_limits<double>::quiet_NaN(), 5.0 };
  const std::vector<double> before = points;
  const auto                transform = [&](std::int64_t count, const void * input, void * output, PixelType type) {
    flow.TransformPoints(this->GetContext(),
                         FlowDirection::Forward,
                         count,
                         { input, type, MemorySpace::Host },
                         { output, type, MemorySpace::Host });
  };
  ExpectInvalidParameter(
    [&] { transform(2, points.data(), points.data(), PixelType::Double); }, "coordinate 1 of point 1 of input", "nan");
  EXPECT_EQ(std::memcmp(points.data(), before.data(), points.size() * sizeof(double)), 0);
  ExpectInvalidParameter(
    [&] { transform(-1, points.data(), points.data(), PixelType::Double); }, "numberOfPoints", "-1");
  ExpectInvalidParameter([&] { transform(1, nullptr, points.data(), PixelType::Double); }, "input", "absent");
  ExpectInvalidParameter([&] { transform(1, points.data(), nullptr, PixelType::Double); }, "output", "absent");
  EXPECT_THROW(transform(1, points.data(), points.data(), PixelType::Short), cudaneuro::InvalidParameterError);
  EXPECT_NO_THROW(transform(0, nullptr, nullptr, PixelType::Double));
}

CUDANEURO_TEST_ON_ALL_DEVICES(GeodesicFlowPoints);

} // namespace
