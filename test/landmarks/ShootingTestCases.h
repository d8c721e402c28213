// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ShootingTestCases_h
#define ShootingTestCases_h

#include "ReferenceShooting.h"
#include "TestVolumes.h"
#include "cudaneuro/GeodesicShooting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

/** Points that are to be matched, and what the tests of shooting have in common. */
namespace shootingtests
{

using cudaneuro::GeodesicShooting;
using cudaneuro::GeodesicShootingParameters;
using cudaneuro::ShootingEvaluation;
using cudaneuro::ShootingIntegrator;
using cudaneuro::ShootingLoss;
using cudaneuro::ShootingPrecision;

constexpr ShootingIntegrator integrators[] = { ShootingIntegrator::Euler,
                                               ShootingIntegrator::Heun,
                                               ShootingIntegrator::RungeKutta4 };
constexpr ShootingPrecision  precisions[] = { ShootingPrecision::Single, ShootingPrecision::Double };

template <typename T>
cudaneuro::ConstPoints
ConstPointsOf(const std::vector<T> & values)
{
  return { values.data(), cudaneuro::PixelTypeOf<T>::value, cudaneuro::MemorySpace::Host };
}

template <typename T>
cudaneuro::Points
PointsOf(std::vector<T> & values)
{
  return { values.data(), cudaneuro::PixelTypeOf<T>::value, cudaneuro::MemorySpace::Host };
}

struct Case
{
  GeodesicShootingParameters parameters;
  int                        dimension = 3;
  std::vector<double>        positions;
  std::vector<double>        target;
  std::vector<double>        weights;
  std::vector<double>        momenta;

  std::int64_t
  NumberOfPoints() const
  {
    return static_cast<std::int64_t>(positions.size()) / dimension;
  }
};

/** Points in a cube, so many that each has about 10 neighbors within sigma; targets about a third of sigma away.
 * Every fifth point has no weight. */
inline Case
MakeCase(int dimension, std::int64_t points)
{
  Case test;
  test.dimension = dimension;
  test.parameters.sigma = 1.5;
  test.parameters.lambda = 10.0;
  test.parameters.numberOfTimeSteps = 6;
  const double extent = std::pow(static_cast<double>(points), 1.0 / dimension);
  for (std::int64_t i = 0; i < points * dimension; ++i)
  {
    test.positions.push_back(extent * (testvolumes::UniformNoise(1, i) - 0.5));
    test.target.push_back(test.positions.back() + testvolumes::UniformNoise(2, i) - 0.5);
    test.momenta.push_back(0.6 * (testvolumes::UniformNoise(3, i) - 0.5));
  }
  for (std::int64_t i = 0; i < points; ++i)
  {
    test.weights.push_back(i % 5 == 4 ? 0.0 : 0.5 + testvolumes::UniformNoise(4, i));
  }
  return test;
}

struct Evaluation
{
  ShootingLoss        loss;
  std::vector<double> gradient;
};

inline Evaluation
Evaluate(GeodesicShooting & shooting, const std::vector<double> & momenta, int target = 0)
{
  Evaluation                      result{ {}, std::vector<double>(momenta.size(), -1.0) };
  std::vector<ShootingEvaluation> evaluations{ { target, momenta.data(), result.gradient.data(), {} } };
  shooting.Evaluate(evaluations);
  result.loss = evaluations[0].loss;
  return result;
}

inline std::unique_ptr<GeodesicShooting>
MakeShooting(cudaneuro::Context & context, const Case & test)
{
  auto shooting = std::make_unique<GeodesicShooting>(
    context, test.parameters, test.dimension, test.NumberOfPoints(), ConstPointsOf(test.positions));
  shooting->SetTarget(0, ConstPointsOf(test.target), test.weights.data());
  return shooting;
}

inline Evaluation
Evaluate(cudaneuro::Context & context, const Case & test)
{
  return Evaluate(*MakeShooting(context, test), test.momenta);
}

struct TrajectoryArrays
{
  std::vector<double> positions;
  std::vector<double> momenta;
};

inline TrajectoryArrays
Shoot(cudaneuro::Context & context, const Case & test)
{
  const std::size_t size = static_cast<std::size_t>(test.parameters.numberOfTimeSteps + 1) * test.positions.size();
  TrajectoryArrays  result{ std::vector<double>(size, -1.0), std::vector<double>(size, -1.0) };
  GeodesicShooting  shooting(
    context, test.parameters, test.dimension, test.NumberOfPoints(), ConstPointsOf(test.positions));
  shooting.Shoot(test.momenta.data(), PointsOf(result.positions), PointsOf(result.momenta));
  return result;
}

inline reference::ShootingResult
Reference(const Case & test)
{
  const GeodesicShootingParameters & parameters = test.parameters;
  const reference::ShootingScheme &  scheme =
    parameters.integrator == ShootingIntegrator::Euler
       ? reference::eulerScheme
       : (parameters.integrator == ShootingIntegrator::Heun ? reference::heunScheme : reference::rungeKutta4Scheme);
  return reference::Shoot({ test.dimension,
                            parameters.sigma,
                            parameters.lambda,
                            parameters.numberOfTimeSteps,
                            scheme,
                            test.positions,
                            test.target,
                            test.weights },
                          test.momenta);
}

inline double
LargestMagnitude(const std::vector<double> & values)
{
  double largest = 0.0;
  for (const double value : values)
  {
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

/** Infinity where a number is NaN or sizes differ. */
inline double
LargestDifference(const std::vector<double> & a, const std::vector<double> & b)
{
  double largest = a.size() == b.size() ? 0.0 : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
  {
    const double difference = std::abs(a[i] - b[i]);
    largest = std::isnan(difference) ? std::numeric_limits<double>::infinity() : std::max(largest, difference);
  }
  return largest;
}

inline double
EpsilonOf(const Case & test)
{
  return test.parameters.precision == ShootingPrecision::Single
           ? static_cast<double>(std::numeric_limits<float>::epsilon())
           : std::numeric_limits<double>::epsilon();
}

/** How far positions are off, in mm: each step rounds coordinates, of up to half the extent of the points and their
 * way, by up to half of epsilon, and such errors add up as the square root of their number. Sums over pairs are
 * rounded, too, but velocities are smaller than the extent. */
inline double
PositionError(const Case & test)
{
  const auto   extremes = std::minmax_element(test.positions.begin(), test.positions.end());
  const double halfExtent = 0.5 * (*extremes.second - *extremes.first) + test.parameters.sigma;
  return 0.5 * EpsilonOf(test) * halfExtent * std::sqrt(test.parameters.numberOfTimeSteps + 1.0);
}

/** The relative error of losses and gradients from that of positions. Differences to the targets, of about a third
 * of sigma, are off by two or three of them, squares of those by twice as much; kernels are off by the errors over
 * sigma, and by two units in the last place from their exponential function. */
inline double
RelativeError(const Case & test)
{
  return 8.0 * (PositionError(test) / test.parameters.sigma + 2.0 * EpsilonOf(test));
}

inline void
ExpectNear(const Case &                test,
           const Evaluation &          result,
           const ShootingLoss &        loss,
           const std::vector<double> & gradient)
{
  const double relative = RelativeError(test);
  EXPECT_NEAR(result.loss.kineticEnergy, loss.kineticEnergy, relative * loss.kineticEnergy);
  EXPECT_NEAR(result.loss.mismatch, loss.mismatch, relative * loss.mismatch);
  EXPECT_NEAR(result.loss.meanDistance, loss.meanDistance, relative * loss.meanDistance);
  EXPECT_NEAR(result.loss.maximumDistance, loss.maximumDistance, relative * loss.maximumDistance);
  EXPECT_LE(LargestDifference(result.gradient, gradient), relative * LargestMagnitude(gradient));
}

inline void
ExpectNearReference(const Case & test, const Evaluation & result)
{
  const reference::ShootingResult expected = Reference(test);
  ExpectNear(test,
             result,
             { expected.kineticEnergy, expected.mismatch, expected.meanDistance, expected.maximumDistance },
             expected.gradient);
}

/** Expects the same bits. */
inline void
ExpectSame(const Evaluation & a, const Evaluation & b)
{
  EXPECT_EQ(a.loss.kineticEnergy, b.loss.kineticEnergy);
  EXPECT_EQ(a.loss.mismatch, b.loss.mismatch);
  EXPECT_EQ(a.loss.meanDistance, b.loss.meanDistance);
  EXPECT_EQ(a.loss.maximumDistance, b.loss.maximumDistance);
  EXPECT_EQ(a.gradient, b.gradient);
}

} // namespace shootingtests

#endif
