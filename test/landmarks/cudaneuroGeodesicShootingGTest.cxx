// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "ShootingTestCases.h"

#include <array>

/** Losses, gradients and trajectories against what is known of them. */
namespace
{

using namespace shootingtests;

class GeodesicShootingTest : public DeviceTest
{};

TEST_P(GeodesicShootingTest, AgreesWithReference)
{
  for (const int dimension : { 2, 3 })
  {
    for (const ShootingIntegrator integrator : integrators)
    {
      for (const ShootingPrecision precision : precisions)
      {
        SCOPED_TRACE(::testing::Message() << dimension << "D " << integrator << " " << precision);
        Case test = MakeCase(dimension, 150);
        test.parameters.integrator = integrator;
        test.parameters.precision = precision;
        ExpectNearReference(test, Evaluate(this->GetContext(), test));
      }
    }
  }
}

/** How far the positions of the reference are off, in mm. The library adds up the slopes of a step's stages before it adds
 * them to coordinates; the reference adds those of each stage to coordinates, and is rounded as often as by as many steps
 * of one stage. It computes in double, always. */
double
ReferencePositionError(Case test)
{
  const bool isEuler = test.parameters.integrator == ShootingIntegrator::Euler;
  const int  stages = isEuler ? 1 : (test.parameters.integrator == ShootingIntegrator::Heun ? 2 : 4);
  test.parameters.precision = ShootingPrecision::Double;
  test.parameters.numberOfTimeSteps *= stages;
  return PositionError(test);
}

TEST_P(GeodesicShootingTest, TrajectoriesAgreeWithReference)
{
  for (const ShootingIntegrator integrator : integrators)
  {
    for (const ShootingPrecision precision : precisions)
    {
      SCOPED_TRACE(::testing::Message() << integrator << " " << precision);
      Case test = MakeCase(3, 70);
      test.parameters.integrator = integrator;
      test.parameters.precision = precision;
      const TrajectoryArrays result = Shoot(this->GetContext(), test);
      reference::PhaseState  expected;
      for (const reference::PhaseState & state : Reference(test).times)
      {
        expected.positions.insert(expected.positions.end(), state.positions.begin(), state.positions.end());
        expected.momenta.insert(expected.momenta.end(), state.momenta.begin(), state.momenta.end());
      }
      EXPECT_LE(LargestDifference(result.positions, expected.positions),
                2.0 * PositionError(test) + ReferencePositionError(test));
      EXPECT_LE(LargestDifference(result.momenta, expected.momenta),
                RelativeError(test) * LargestMagnitude(expected.momenta));
    }
  }
}

TEST_P(GeodesicShootingTest, GradientAgreesWithFiniteDifferences)
{
  for (const int dimension : { 2, 3 })
  {
    for (const ShootingIntegrator integrator : integrators)
    {
      SCOPED_TRACE(::testing::Message() << dimension << "D " << integrator);
      Case test = MakeCase(dimension, 21);
      test.parameters.integrator = integrator;
      test.parameters.precision = ShootingPrecision::Double;
      const auto       shooting = MakeShooting(this->GetContext(), test);
      const Evaluation result = Evaluate(*shooting, test.momenta);
      // Central differences are wrong by the square of the step times third derivatives, and by the loss's rounding
      // error over the step: about 1e-10 of the gradient each.
      const double        step = 1e-5;
      std::vector<double> differences;
      for (double & momentum : test.momenta)
      {
        const double middle = momentum;
        momentum = middle + step;
        const double above = Evaluate(*shooting, test.momenta).loss.Total();
        momentum = middle - step;
        const double below = Evaluate(*shooting, test.momenta).loss.Total();
        momentum = middle;
        differences.push_back((above - below) / (2.0 * step));
      }
      EXPECT_LE(LargestDifference(result.gradient, differences), 1e-6 * LargestMagnitude(differences));
    }
  }
}

/** How far the Hamiltonian is from its first value at the end. */
double
Drift(cudaneuro::Context & context, const Case & test)
{
  const TrajectoryArrays result = Shoot(context, test);
  const auto             size = static_cast<std::ptrdiff_t>(test.positions.size());
  const auto             energy = [&](std::ptrdiff_t first) {
    const reference::PhaseState state{ { result.positions.begin() + first, result.positions.begin() + first + size },
                                       { result.momenta.begin() + first, result.momenta.begin() + first + size } };
    return reference::KineticEnergy(test.dimension, test.parameters.sigma, state);
  };
  return std::abs(energy(test.parameters.numberOfTimeSteps * size) - energy(0));
}

TEST_P(GeodesicShootingTest, HamiltonianDriftFallsWithTheOrder)
{
  const std::array<double, 3> expectedRatios{ 2.0, 4.0, 16.0 };
  for (std::size_t i = 0; i < 3; ++i)
  {
    SCOPED_TRACE(integrators[i]);
    Case test = MakeCase(2, 12);
    test.parameters.integrator = integrators[i];
    test.parameters.precision = ShootingPrecision::Double;
    test.parameters.numberOfTimeSteps = 32;
    const double coarse = Drift(this->GetContext(), test);
    test.parameters.numberOfTimeSteps = 64;
    const double fine = Drift(this->GetContext(), test);
    // The next term of the error is a step's length smaller.
    EXPECT_NEAR(coarse / fine, expectedRatios[i], 0.1 * expectedRatios[i]);
  }
}

/** Nothing acts on a single point. */
TEST_P(GeodesicShootingTest, OneLandmarkMovesStraight)
{
  for (const ShootingPrecision precision : precisions)
  {
    for (const ShootingIntegrator integrator : integrators)
    {
      SCOPED_TRACE(::testing::Message() << precision << " " << integrator);
      Case test = MakeCase(3, 1);
      test.parameters.precision = precision;
      test.parameters.integrator = integrator;
      const TrajectoryArrays result = Shoot(this->GetContext(), test);
      const int              steps = test.parameters.numberOfTimeSteps;
      // Up to 8 roundings a step of numbers up to 1.
      const double tolerance = precision == ShootingPrecision::Single ? 1e-6 : 1e-14;
      for (int i = 0; i < 3 * (steps + 1); ++i)
      {
        const double time = static_cast<double>(i / 3) / steps;
        EXPECT_NEAR(result.positions[i], test.positions[i % 3] + time * test.momenta[i % 3], tolerance);
        EXPECT_NEAR(result.momenta[i], test.momenta[i % 3], tolerance);
      }
    }
  }
}

/** Two points in the plane, by their distance vector r and the difference s of their momenta. The sum of the momenta
 * stays, and with K = exp(-|r|^2 / (2 sigma^2)) and p_1.p_2 = (|sum|^2 - |s|^2) / 4, dr/dt = (1 - K) s and ds/dt = 2
 * K p_1.p_2 r / sigma^2; the middle moves by (1 + K) sum / 2. */
class TwoLandmarks
{
public:
  using Real = long double;
  using State = std::array<Real, 6>; // r, s, middle

  TwoLandmarks(const Case & test)
    : m_Sigma(test.parameters.sigma)
  {
    const std::vector<double> & q = test.positions;
    const std::vector<double> & p = test.momenta;
    for (int d = 0; d < 2; ++d)
    {
      m_Sum[d] = Real(p[d]) + p[2 + d];
      m_State[d] = Real(q[d]) - q[2 + d];
      m_State[2 + d] = Real(p[d]) - p[2 + d];
      m_State[4 + d] = (Real(q[d]) + q[2 + d]) / 2;
    }
  }

  /** Runge-Kutta in steps so small that its error is below the rounding error of double. */
  void
  Run()
  {
    constexpr int  steps = 4000;
    constexpr Real h = Real(1) / steps;
    for (int step = 0; step < steps; ++step)
    {
      const State k1 = this->Slope(m_State);
      const State k2 = this->Slope(Sum(m_State, h / 2, k1));
      const State k3 = this->Slope(Sum(m_State, h / 2, k2));
      const State k4 = this->Slope(Sum(m_State, h, k3));
      m_State = Sum(Sum(m_State, h / 6, k1), h / 3, k2);
      m_State = Sum(Sum(m_State, h / 3, k3), h / 6, k4);
    }
  }

  std::vector<double>
  Positions() const
  {
    return { double(m_State[4] + m_State[0] / 2),
             double(m_State[5] + m_State[1] / 2),
             double(m_State[4] - m_State[0] / 2),
             double(m_State[5] - m_State[1] / 2) };
  }

private:
  static State
  Sum(const State & a, Real factor, const State & b)
  {
    State result;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
      result[i] = a[i] + factor * b[i];
    }
    return result;
  }

  State
  Slope(const State & z) const
  {
    const Real kernel = std::exp(-(z[0] * z[0] + z[1] * z[1]) / (2 * m_Sigma * m_Sigma));
    const Real product = (m_Sum[0] * m_Sum[0] + m_Sum[1] * m_Sum[1] - z[2] * z[2] - z[3] * z[3]) / 4;
    const Real pull = 2 * kernel * product / (m_Sigma * m_Sigma);
    return { (1 - kernel) * z[2], (1 - kernel) * z[3],         pull * z[0],
             pull * z[1],         (1 + kernel) * m_Sum[0] / 2, (1 + kernel) * m_Sum[1] / 2 };
  }

  Real                m_Sigma;
  std::array<Real, 2> m_Sum{};
  State               m_State{};
};

TEST_P(GeodesicShootingTest, TwoLandmarksConvergeToTheExactPath)
{
  Case test = MakeCase(2, 2);
  test.positions = { -0.6, 0.1, 0.7, -0.2 };
  test.momenta = { 1.1, 0.4, -0.7, 0.5 };
  test.parameters.precision = ShootingPrecision::Double;
  TwoLandmarks exact(test);
  exact.Run();
  const std::vector<double> expected = exact.Positions();
  const auto                errorWith = [&](ShootingIntegrator integrator, int steps) {
    test.parameters.integrator = integrator;
    test.parameters.numberOfTimeSteps = steps;
    const TrajectoryArrays result = Shoot(this->GetContext(), test);
    return LargestDifference({ result.positions.end() - 4, result.positions.end() }, expected);
  };
  const std::array<double, 3> expectedRatios{ 2.0, 4.0, 16.0 };
  for (std::size_t i = 0; i < 3; ++i)
  {
    SCOPED_TRACE(integrators[i]);
    // The next term of the error is a step's length smaller.
    EXPECT_NEAR(
      errorWith(integrators[i], 32) / errorWith(integrators[i], 64), expectedRatios[i], 0.1 * expectedRatios[i]);
  }
  // What remains of an error of 1e-3 at one step after 1 / 200^4.
  EXPECT_LE(errorWith(ShootingIntegrator::RungeKutta4, 200), 1e-11);
}

/** Rotates vectors about a skew axis, or in the plane. */
std::vector<double>
Rotated(int dimension, const std::vector<double> & values)
{
  // Columns are orthonormal: (1, 2, 2) / 3 and so on.
  constexpr double    inSpace[3][3] = { { 1.0 / 3, -2.0 / 3, 2.0 / 3 },
                                        { 2.0 / 3, -1.0 / 3, -2.0 / 3 },
                                        { 2.0 / 3, 2.0 / 3, 1.0 / 3 } };
  constexpr double    inPlane[2][2] = { { 0.6, -0.8 }, { 0.8, 0.6 } };
  std::vector<double> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    const std::size_t row = i % dimension;
    for (int d = 0; d < dimension; ++d)
    {
      result[i] += (dimension == 3 ? inSpace[row][d] : inPlane[row][d]) * values[i - row + d];
    }
  }
  return result;
}

TEST_P(GeodesicShootingTest, IsEquivariant)
{
  for (const int dimension : { 2, 3 })
  {
    for (const ShootingPrecision precision : precisions)
    {
      SCOPED_TRACE(::testing::Message() << dimension << "D " << precision);
      Case test = MakeCase(dimension, 150);
      test.parameters.precision = precision;
      const Evaluation result = Evaluate(this->GetContext(), test);

      Case moved = test;
      moved.positions = Rotated(dimension, test.positions);
      moved.target = Rotated(dimension, test.target);
      moved.momenta = Rotated(dimension, test.momenta);
      for (std::size_t i = 0; i < moved.positions.size(); ++i)
      {
        moved.positions[i] += 3.0 + static_cast<double>(i % dimension);
        moved.target[i] += 3.0 + static_cast<double>(i % dimension);
      }
      ExpectNear(test, Evaluate(this->GetContext(), moved), result.loss, Rotated(dimension, result.gradient));
    }
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(GeodesicShootingTest);

class GeodesicShootingDevices : public DeviceTest
{};

TEST_P(GeodesicShootingDevices, AgreesWithCpu)
{
  cudaneuro::Context cpu{ cudaneuro::Device{} };
  for (const int dimension : { 2, 3 })
  {
    for (const ShootingIntegrator integrator : integrators)
    {
      for (const ShootingPrecision precision : precisions)
      {
        SCOPED_TRACE(::testing::Message() << dimension << "D " << integrator << " " << precision);
        Case test = MakeCase(dimension, 1847);
        test.parameters.integrator = integrator;
        test.parameters.precision = precision;
        const Evaluation expected = Evaluate(cpu, test);
        ExpectNear(test, Evaluate(this->GetContext(), test), expected.loss, expected.gradient);
      }
    }
  }
}

CUDANEURO_TEST_ON_CUDA(GeodesicShootingDevices);

} // namespace
