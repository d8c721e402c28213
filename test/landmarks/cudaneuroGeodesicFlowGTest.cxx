// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "landmarks/FlowTestCases.h"

#include <cstring>
#include <limits>
#include <thread>

namespace
{

using namespace flowtests;
using cudaneuro::MemorySpace;
using cudaneuro::PixelType;

/** Points that are moved one by one, by the calling thread. */
class GeodesicFlowPoint : public ::testing::Test
{
protected:
  cudaneuro::Context m_Context{ cudaneuro::Device{} };
};

TEST_F(GeodesicFlowPoint, LandmarksLandWhereShootingPutsThem)
{
  for (const Shooting & shooting : AllShootings())
  {
    GeodesicShootingParameters parameters = shooting.parameters;
    parameters.precision = ShootingPrecision::Double;
    const auto                  count = shooting.NumberOfPoints();
    const auto &                positions = shooting.landmarks.positions;
    cudaneuro::GeodesicShooting engine(
      m_Context, parameters, shooting.dimension, count, { positions.data(), PixelType::Double, MemorySpace::Host });
    std::vector<double> trajectory((parameters.numberOfTimeSteps + 1) * positions.size());
    engine.Shoot(shooting.landmarks.momenta.data(), { trajectory.data(), PixelType::Double, MemorySpace::Host }, {});
    const std::vector<double> end(trajectory.end() - static_cast<std::ptrdiff_t>(positions.size()), trajectory.end());
    EXPECT_GT(LargestDifference(positions, end), 2.0);

    const GeodesicFlow flow = shooting.MakeFlow(m_Context);
    const auto         moved = TransformOneByOne(flow, FlowDirection::Forward, shooting.dimension, positions);
    EXPECT_LE(LargestDifference(moved, end), doubleTolerance) << shooting.parameters.integrator;
  }
}

TEST_F(GeodesicFlowPoint, AgreesWithReference)
{
  for (const Shooting & shooting : AllShootings())
  {
    const auto points = RandomPoints(shooting.dimension, 150, 11);
    const auto expected = reference::FlowForward(shooting.parameters, shooting.dimension, shooting.landmarks, points);
    const GeodesicFlow flow = shooting.MakeFlow(m_Context);
    const auto         moved = TransformOneByOne(flow, FlowDirection::Forward, shooting.dimension, points);
    EXPECT_LE(LargestDifference(moved, expected), doubleTolerance) << shooting.parameters.integrator;
  }
}

TEST_F(GeodesicFlowPoint, ForwardAndBackwardAreInverse)
{
  for (const Shooting & shooting : AllShootings())
  {
    const auto         points = RandomPoints(shooting.dimension, 150, 12);
    const GeodesicFlow flow = shooting.MakeFlow(m_Context);
    for (const FlowDirection first : bothDirections)
    {
      const auto there = TransformOneByOne(flow, first, shooting.dimension, points);
      const auto second = first == FlowDirection::Forward ? FlowDirection::Backward : FlowDirection::Forward;
      const auto back = TransformOneByOne(flow, second, shooting.dimension, there);
      EXPECT_GT(LargestDifference(there, points), 1.0);
      // The iteration of each step ends at changes of 1e-12 sigma; maps enlarge that little.
      EXPECT_LE(LargestDifference(back, points), 1e-10) << shooting.parameters.integrator;
    }
  }
}

/** Derivatives of the map by differences over 2e-4 mm: their error is 1e-8 of the third derivatives, and 1e-11 of
 * rounding errors. */
std::vector<double>
DifferenceJacobian(const GeodesicFlow & flow, FlowDirection direction, int dimension, const double * point)
{
  constexpr double    step = 1e-4;
  std::vector<double> jacobian(dimension * dimension);
  for (int column = 0; column < dimension; ++column)
  {
    std::vector<double> below(point, point + dimension);
    std::vector<double> above = below;
    below[column] -= step;
    above[column] += step;
    flow.TransformPoint(direction, below.data(), below.data());
    flow.TransformPoint(direction, above.data(), above.data());
    for (int row = 0; row < dimension; ++row)
    {
      jacobian[row * dimension + column] = (above[row] - below[row]) / (2.0 * step);
    }
  }
  return jacobian;
}

TEST_F(GeodesicFlowPoint, JacobianAgreesWithDifferences)
{
  for (const Shooting & shooting : AllShootings())
  {
    const int          dimension = shooting.dimension;
    const auto         points = RandomPoints(dimension, 40, 13);
    const GeodesicFlow flow = shooting.MakeFlow(m_Context);
    for (const FlowDirection direction : bothDirections)
    {
      for (std::size_t i = 0; i < points.size(); i += dimension)
      {
        std::vector<double> jacobian(dimension * dimension);
        std::vector<double> moved(dimension);
        std::vector<double> movedAlone(dimension);
        flow.TransformPoint(direction, points.data() + i, moved.data(), jacobian.data());
        flow.TransformPoint(direction, points.data() + i, movedAlone.data());
        EXPECT_LE(LargestDifference(moved, movedAlone), doubleTolerance);
        EXPECT_LE(LargestDifference(jacobian, DifferenceJacobian(flow, direction, dimension, points.data() + i)), 2e-7)
          << shooting.parameters.integrator;
      }
    }
  }
}

TEST_F(GeodesicFlowPoint, JacobianIsPositiveEverywhere)
{
  // Strong for its steps, but no step folds: the determinants are far from 1.
  Shooting shooting = MakeShooting(3, ShootingIntegrator::Euler, 30);
  for (double & momentum : shooting.landmarks.momenta)
  {
    momentum *= 1.5;
  }
  const GeodesicFlow flow = shooting.MakeFlow(m_Context);
  double             smallest = 1.0;
  double             largest = 1.0;
  for (int i = 0; i < 20 * 20 * 20; ++i)
  {
    const int    y = i / 20 % 20;
    const int    z = i / 400;
    const double point[3] = { middle[0] + 1.5 * (i % 20 - 9.5),
                              middle[1] + 1.5 * (y - 9.5),
                              middle[2] + 1.5 * (z - 9.5) };
    double       moved[3];
    double       j[9];
    flow.TransformPoint(FlowDirection::Forward, point, moved, j);
    const double determinant =
      j[0] * (j[4] * j[8] - j[5] * j[7]) - j[1] * (j[3] * j[8] - j[5] * j[6]) + j[2] * (j[3] * j[7] - j[4] * j[6]);
    smallest = std::min(smallest, determinant);
    largest = std::max(largest, determinant);
  }
  EXPECT_GT(smallest, 0.0);
  EXPECT_LT(smallest, 0.5);
  EXPECT_GT(largest, 2.0);
}

TEST_F(GeodesicFlowPoint, FarPointsDoNotMove)
{
  const Shooting     shooting = MakeShooting(3, ShootingIntegrator::Euler, 20);
  const GeodesicFlow flow = shooting.MakeFlow(m_Context);
  for (const FlowDirection direction : bothDirections)
  {
    // Beyond 8.5 sigma the kernel is below the rounding error; 1e300 has no square.
    for (const double distance : { 60.0, 1e6, 1e300 })
    {
      const double point[3] = { middle[0], middle[1] - distance, middle[2] };
      double       moved[3];
      double       jacobian[9];
      flow.TransformPoint(direction, point, moved, jacobian);
      for (int d = 0; d < 3; ++d)
      {
        EXPECT_EQ(moved[d], point[d]);
        EXPECT_EQ(jacobian[4 * d], 1.0);
      }
    }
    const double nan[3] = { middle[0], std::numeric_limits<double>::quiet_NaN(), middle[2] };
    double       moved[3];
    flow.TransformPoint(direction, nan, moved);
    EXPECT_TRUE(std::isnan(moved[1]));
  }
}

TEST_F(GeodesicFlowPoint, OneLandmarkKeepsItsMomentum)
{
  Shooting shooting = OneStep(2.5);
  shooting.parameters.numberOfTimeSteps = 10;
  const GeodesicFlow flow = shooting.MakeFlow(m_Context);
  double             moved[3];
  double             back[3];
  flow.TransformPoint(FlowDirection::Forward, middle, moved);
  flow.TransformPoint(FlowDirection::Backward, moved, back);
  const double end[3] = { middle[0] + 2.5, middle[1], middle[2] };
  for (int d = 0; d < 3; ++d)
  {
    EXPECT_NEAR(moved[d], end[d], doubleTolerance);
    EXPECT_NEAR(back[d], middle[d], doubleTolerance);
  }
}

TEST_F(GeodesicFlowPoint, DuplicatedLandmarksAddUp)
{
  Shooting twice = MakeShooting(3, ShootingIntegrator::Heun, 8);
  twice.landmarks.positions.insert(
    twice.landmarks.positions.end(), twice.landmarks.positions.begin(), twice.landmarks.positions.end());
  for (double & momentum : twice.landmarks.momenta)
  {
    momentum *= 0.5;
  }
  twice.landmarks.momenta.insert(
    twice.landmarks.momenta.end(), twice.landmarks.momenta.begin(), twice.landmarks.momenta.end());
  const Shooting once = MakeShooting(3, ShootingIntegrator::Heun, 8);
  const auto     points = RandomPoints(3, 50, 14);
  const auto     moved = TransformOneByOne(twice.MakeFlow(m_Context), FlowDirection::Forward, 3, points);
  const auto     expected = TransformOneByOne(once.MakeFlow(m_Context), FlowDirection::Forward, 3, points);
  EXPECT_LE(LargestDifference(moved, expected), doubleTolerance);
}

TEST_F(GeodesicFlowPoint, StepThatFoldsIsReported)
{
  // x + 20 K(x) folds, about ahead of the landmark: what is there comes from three points.
  const GeodesicFlow flow = OneStep(20.0).MakeFlow(m_Context);
  const double       point[3] = { 15.0, -20.0, 30.0 };
  double             moved[3];
  ExpectNoInverse([&] { flow.TransformPoint(FlowDirection::Backward, point, moved); }, "point (15, -20, 30)");
  EXPECT_NO_THROW(flow.TransformPoint(FlowDirection::Forward, point, moved));

  // Two landmarks that meet fold what is between them, but nothing ahead: each cancels the other there.
  Shooting meeting = OneStep(0.0);
  meeting.landmarks = { { 9.8, -20.0, 30.0, 10.2, -20.0, 30.0 }, { 15.0, 0.0, 0.0, -15.0, 0.0, 0.0 } };
  const GeodesicFlow meetingFlow = meeting.MakeFlow(m_Context);
  ExpectNoInverse([&] { meetingFlow.TransformPoint(FlowDirection::Backward, point, moved); }, "point (15, -20, 30)");

  // With steps as short as the landmarks need, the same shooting has an inverse.
  Shooting slow = OneStep(20.0);
  slow.parameters.numberOfTimeSteps = 50;
  const GeodesicFlow slowFlow = slow.MakeFlow(m_Context);
  double             again[3];
  slowFlow.TransformPoint(FlowDirection::Backward, point, moved);
  slowFlow.TransformPoint(FlowDirection::Forward, moved, again);
  EXPECT_NEAR(again[0], point[0], 1e-10);
}

TEST_F(GeodesicFlowPoint, StepsThatStretchMuchHaveAnInverse)
{
  // The derivative of the step goes from 0.2 to 1.8 and, at 2.6, beyond where a fixed point attracts.
  for (const double momentum : { 2.6, 1.6, -2.6 })
  {
    const GeodesicFlow flow = OneStep(momentum, 2.0).MakeFlow(m_Context);
    const auto         points = RandomPoints(3, 500, 15);
    const auto         moved = TransformOneByOne(flow, FlowDirection::Backward, 3, points);
    EXPECT_LE(LargestDifference(TransformOneByOne(flow, FlowDirection::Forward, 3, moved), points), 1e-10);
  }
}

TEST_F(GeodesicFlowPoint, ThreadsComputeTheSameBits)
{
  const Shooting      shooting = MakeShooting(3, ShootingIntegrator::RungeKutta4, 5);
  const GeodesicFlow  flow = shooting.MakeFlow(m_Context);
  const auto          points = RandomPoints(3, 100, 16);
  const auto          expected = TransformOneByOne(flow, FlowDirection::Backward, 3, points);
  std::vector<double> results[4];
  {
    std::vector<std::thread> threads;
    for (std::vector<double> & result : results)
    {
      threads.emplace_back([&] { result = TransformOneByOne(flow, FlowDirection::Backward, 3, points); });
    }
    for (std::thread & thread : threads)
    {
      thread.join();
    }
  }
  for (const std::vector<double> & result : results)
  {
    ASSERT_EQ(result.size(), expected.size());
    EXPECT_EQ(std::memcmp(result.data(), expected.data(), expected.size() * sizeof(double)), 0);
  }
}

TEST_F(GeodesicFlowPoint, RefusesWhatCannotBe)
{
  const Shooting             shooting = OneStep(1.0);
  const double *             positions = shooting.landmarks.positions.data();
  const double *             momenta = shooting.landmarks.momenta.data();
  const double               nan = std::numeric_limits<double>::quiet_NaN();
  const double               notFinite[3] = { 0.0, nan, 0.0 };
  GeodesicShootingParameters parameters = shooting.parameters;
  const auto                 make = [&](int dimension, std::int64_t count, const double * q, const double * p) {
    const GeodesicFlow flow(m_Context, parameters, dimension, count, q, p);
  };
  ExpectInvalidParameter([&] { make(4, 1, positions, momenta); }, "dimension", "4");
  ExpectInvalidParameter([&] { make(3, 0, positions, momenta); }, "numberOfPoints", "0");
  ExpectInvalidParameter([&] { make(3, -1, positions, momenta); }, "numberOfPoints", "-1");
  ExpectInvalidParameter([&] { make(3, 1, nullptr, momenta); }, "positions", "absent");
  ExpectInvalidParameter([&] { make(3, 1, positions, nullptr); }, "momenta", "absent");
  ExpectInvalidParameter([&] { make(3, 1, notFinite, momenta); }, "the template", "nan");
  ExpectInvalidParameter([&] { make(3, 1, positions, notFinite); }, "the momenta", "nan");
  parameters.sigma = 0.0;
  ExpectInvalidParameter([&] { make(3, 1, positions, momenta); }, "Sigma", "0");
  parameters.sigma = 2.0;
  const double huge[3] = { 1e200, 0.0, 0.0 };
  EXPECT_THROW(make(3, 1, positions, huge), cudaneuro::Error);
}

} // namespace
