// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "ShootingTestCases.h"
#include "landmarks/StageStates.h"

/** The states that the stages of time steps start from, against trajectories. */
namespace
{

using namespace shootingtests;

/** Positions and momenta of one stage or time, the caller's units and order. */
TrajectoryArrays
StateAt(const Case & test, int stage)
{
  cudaneuro::Context               context{ cudaneuro::Device{} };
  const cudaneuro::ShootingProblem problem =
    cudaneuro::MakeShootingProblem(test.parameters, test.dimension, test.NumberOfPoints(), test.positions, 1);
  const cudaneuro::StageStates states = cudaneuro::cpu::ShootStages(context, problem, test.momenta.data());
  TrajectoryArrays             result{ test.positions, test.momenta };
  const std::size_t            size = test.positions.size();
  for (std::size_t i = 0; i < size; ++i)
  {
    const std::size_t d = i % test.dimension;
    const std::size_t to = static_cast<std::size_t>(problem.order[i / test.dimension]) * test.dimension + d;
    const double      scale = problem.units.scale;
    result.positions[to] = states.positions.at(stage * size + i) / scale + problem.units.center[d];
    result.momenta[to] = states.momenta.at(stage * size + i) / scale;
  }
  return result;
}

/** The same of a trajectory in double precision. */
TrajectoryArrays
TimeAt(Case test, int time)
{
  cudaneuro::Context context{ cudaneuro::Device{} };
  test.parameters.precision = ShootingPrecision::Double;
  const TrajectoryArrays all = Shoot(context, test);
  const auto             size = static_cast<std::ptrdiff_t>(test.positions.size());
  return { { all.positions.begin() + time * size, all.positions.begin() + (time + 1) * size },
           { all.momenta.begin() + time * size, all.momenta.begin() + (time + 1) * size } };
}

void
ExpectEqual(const TrajectoryArrays & a, const TrajectoryArrays & b)
{
  // The same operations, which the compiler may join in other ways.
  EXPECT_LE(LargestDifference(a.positions, b.positions), 1e-14);
  EXPECT_LE(LargestDifference(a.momenta, b.momenta), 1e-14);
}

TEST(StageStates, OfFirstStagesAreThoseOfTheTrajectory)
{
  for (const int dimension : { 2, 3 })
  {
    for (const ShootingIntegrator integrator : integrators)
    {
      SCOPED_TRACE(::testing::Message() << dimension << "D " << integrator);
      Case test = MakeCase(dimension, 50);
      test.parameters.integrator = integrator;
      const int stages = integrator == ShootingIntegrator::Euler ? 1 : (integrator == ShootingIntegrator::Heun ? 2 : 4);
      for (int time = 0; time < test.parameters.numberOfTimeSteps; ++time)
      {
        ExpectEqual(StateAt(test, time * stages), TimeAt(test, time));
      }
    }
  }
}

/** The second stage is reached by Euler's method: at the end of the step with Heun's, and in its middle with Runge's
 * and Kutta's. */
TEST(StageStates, OfSecondStagesAreEulerSteps)
{
  Case euler = MakeCase(3, 50);
  Case heun = euler;
  euler.parameters.numberOfTimeSteps = 1;
  heun.parameters.numberOfTimeSteps = 1;
  heun.parameters.integrator = ShootingIntegrator::Heun;
  ExpectEqual(StateAt(heun, 1), TimeAt(euler, 1));

  Case kutta = heun;
  kutta.parameters.integrator = ShootingIntegrator::RungeKutta4;
  euler.parameters.numberOfTimeSteps = 2;
  ExpectEqual(StateAt(kutta, 1), TimeAt(euler, 1));
}

TEST(StageStates, RefusesOverflow)
{
  Case test = MakeCase(3, 20);
  test.momenta[3] = 1e200;
  EXPECT_THROW(StateAt(test, 0), cudaneuro::Error);
}

} // namespace
