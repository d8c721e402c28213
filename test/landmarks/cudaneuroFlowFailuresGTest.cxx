// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "TestVolumes.h"
#include "core/Dispatch.h"
#include "jobs/DeviceJob.h"
#include "landmarks/Flow.h"

#include <cmath>

namespace
{

using namespace cudaneuro;

/** Steps that fold, which the public functions refuse: what the search for single points says of them. */
class FlowFailuresTest : public DeviceTest
{
protected:
  /** Landmarks in a cube of 10 mm that all go their own way, by 20 sigma in one step. */
  FlowStates
  MakeStates(ShootingPrecision precision)
  {
    GeodesicShootingParameters parameters;
    parameters.sigma = 2.0;
    parameters.numberOfTimeSteps = 1;
    parameters.precision = precision;
    constexpr int       count = 40;
    std::vector<double> positions;
    std::vector<double> momenta;
    for (int i = 0; i < 3 * count; ++i)
    {
      positions.push_back(10.0 * (testvolumes::UniformNoise(1, i) - 0.5));
      momenta.push_back(20.0 * testvolumes::NormalNoise(2, i));
    }
    const ShootingProblem problem = MakeShootingProblem(parameters, 3, count, positions, 1);
    return FlowStates(problem, cpu::ShootStages(this->GetContext(), problem, momenta.data()));
  }
};

FlowFailures
MoveOnDevice(Context & context, const FlowStates & states, FlowDirection direction, std::vector<double> & points)
{
  CUDANEURO_DISPATCH(context, MovePoints(context, states, direction, points));
}

/** Positions in working units, among the landmarks and around them. */
std::vector<double>
PointsAround()
{
  std::vector<double> points(3 * 3000);
  for (std::size_t i = 0; i < points.size(); ++i)
  {
    points[i] = 12.0 * (testvolumes::UniformNoise(3, i) - 0.5);
  }
  return points;
}

TEST_P(FlowFailuresTest, AreCountedAndAllOthersAreInverses)
{
  const std::vector<double> points = PointsAround();
  for (const ShootingPrecision precision : { ShootingPrecision::Single, ShootingPrecision::Double })
  {
    const FlowStates    states = this->MakeStates(precision);
    std::vector<double> moved = points;
    FlowFailures        failures;
    RunDeviceJob(this->GetContext(),
                 [&] { failures = MoveOnDevice(this->GetContext(), states, FlowDirection::Backward, moved); });
    std::int64_t wrong = 0;
    std::int64_t first = -1;
    for (std::size_t i = 0; i < points.size(); i += 3)
    {
      double position[3];
      double forward[3];
      for (int d = 0; d < 3; ++d)
      {
        position[d] = points[i + d] + moved[i + d];
      }
      cpu::MovePoint(states, FlowDirection::Forward, position, forward, nullptr);
      double difference = 0.0;
      for (int d = 0; d < 3; ++d)
      {
        difference = std::max(difference, std::abs(position[d] + forward[d] - points[i + d]));
      }
      // Increments are up to 50 units long and change by 100 times the change of the position, which has an error of
      // 1e-6 in single precision.
      if (!(difference <= 1e-2))
      {
        ++wrong;
        first = first < 0 ? static_cast<std::int64_t>(i / 3) : first;
      }
    }
    EXPECT_GT(failures.count, 0);
    EXPECT_LE(wrong, failures.count);
    EXPECT_GE(failures.first, 0);
    EXPECT_LT(failures.first, static_cast<std::int64_t>(points.size() / 3));
    EXPECT_TRUE(first < 0 || failures.first <= first) << first;
  }
}

TEST_P(FlowFailuresTest, StepIsFound)
{
  for (const ShootingPrecision precision : { ShootingPrecision::Single, ShootingPrecision::Double })
  {
    EXPECT_EQ(cpu::FindFoldedStep(this->GetContext(), this->MakeStates(precision)), 0);
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(FlowFailuresTest);

} // namespace
