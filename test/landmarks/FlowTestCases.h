// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef FlowTestCases_h
#define FlowTestCases_h

#include "ExpectedErrors.h"
#include "ReferenceFlow.h"
#include "TestVolumes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

/** Shootings for tests of the flow of points. */
namespace flowtests
{

using cudaneuro::FlowDirection;
using cudaneuro::GeodesicFlow;
using cudaneuro::GeodesicShootingParameters;
using cudaneuro::ShootingIntegrator;
using cudaneuro::ShootingPrecision;

struct Shooting
{
  GeodesicShootingParameters parameters;
  int                        dimension = 3;
  reference::LandmarkState   landmarks;

  std::int64_t
  NumberOfPoints() const
  {
    return static_cast<std::int64_t>(landmarks.positions.size()) / dimension;
  }

  GeodesicFlow
  MakeFlow(cudaneuro::Context & context, ShootingPrecision precision = ShootingPrecision::Double) const
  {
    GeodesicShootingParameters withPrecision = parameters;
    withPrecision.precision = precision;
    return GeodesicFlow(
      context, withPrecision, dimension, this->NumberOfPoints(), landmarks.positions.data(), landmarks.momenta.data());
  }
};

/** The middle of all test cases, in mm. */
constexpr double middle[3] = { 10.0, -20.0, 30.0 };

/** Random points in a box of 24 x 20 x 16 mm about the middle. */
inline std::vector<double>
RandomPoints(int dimension, std::int64_t count, std::uint64_t seed)
{
  constexpr double    lengths[3] = { 24.0, 20.0, 16.0 };
  std::vector<double> points;
  for (std::int64_t i = 0; i < count * dimension; ++i)
  {
    const int d = static_cast<int>(i % dimension);
    points.push_back(middle[d] + lengths[d] * (testvolumes::UniformNoise(seed, i) - 0.5));
  }
  return points;
}

/** Landmarks that together move points by about 3 mm, of a kernel as wide. */
inline Shooting
MakeShooting(int dimension, ShootingIntegrator integrator, int steps, std::int64_t count = 70)
{
  Shooting shooting;
  shooting.parameters.sigma = 3.0;
  shooting.parameters.numberOfTimeSteps = steps;
  shooting.parameters.integrator = integrator;
  shooting.dimension = dimension;
  shooting.landmarks.positions = RandomPoints(dimension, count, 5);
  const double size = 7.0 / std::sqrt(static_cast<double>(count));
  for (std::int64_t i = 0; i < count * dimension; ++i)
  {
    // Momenta that change smoothly in space, and noise.
    const double smooth = std::sin(0.2 * shooting.landmarks.positions[i] + 1.3 * static_cast<double>(i % dimension));
    shooting.landmarks.momenta.push_back(size * (smooth + 0.5 * testvolumes::NormalNoise(6, i)));
  }
  return shooting;
}

/** The integrators, each with enough steps for a map that does not fold. */
inline std::vector<Shooting>
AllShootings()
{
  std::vector<Shooting> shootings;
  for (const int dimension : { 2, 3 })
  {
    shootings.push_back(MakeShooting(dimension, ShootingIntegrator::Euler, 20));
    shootings.push_back(MakeShooting(dimension, ShootingIntegrator::Heun, 8));
    shootings.push_back(MakeShooting(dimension, ShootingIntegrator::RungeKutta4, 5));
  }
  return shootings;
}

/** One landmark that moves by \p momentum mm along x, in one step. */
inline Shooting
OneStep(double momentum, double sigma = 2.0)
{
  Shooting shooting;
  shooting.parameters.sigma = sigma;
  shooting.parameters.numberOfTimeSteps = 1;
  shooting.landmarks = { { middle[0], middle[1], middle[2] }, { momentum, 0.0, 0.0 } };
  return shooting;
}

inline std::vector<double>
TransformOneByOne(const GeodesicFlow & flow, FlowDirection direction, int dimension, const std::vector<double> & points)
{
  std::vector<double> moved(points.size());
  for (std::size_t i = 0; i < points.size(); i += dimension)
  {
    flow.TransformPoint(direction, points.data() + i, moved.data() + i);
  }
  return moved;
}

inline std::vector<double>
TransformTogether(cudaneuro::Context &        context,
                  const GeodesicFlow &        flow,
                  FlowDirection               direction,
                  int                         dimension,
                  const std::vector<double> & points)
{
  std::vector<double> moved(points.size());
  flow.TransformPoints(context,
                       direction,
                       static_cast<std::int64_t>(points.size()) / dimension,
                       { points.data(), cudaneuro::PixelType::Double, cudaneuro::MemorySpace::Host },
                       { moved.data(), cudaneuro::PixelType::Double, cudaneuro::MemorySpace::Host });
  return moved;
}

inline double
LargestDifference(const std::vector<double> & a, const std::vector<double> & b)
{
  EXPECT_EQ(a.size(), b.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    // NaN would not be larger.
    EXPECT_TRUE(std::isfinite(a[i]) && std::isfinite(b[i])) << i;
    largest = std::max(largest, std::abs(a[i] - b[i]));
  }
  return largest;
}

/** What single precision may lose, in mm: positions relative to the middle of neighbors have an error of 1e-6,
 * increments one of 1e-6 of a step, and a map that stretches by up to 4 enlarges it. */
constexpr double singleTolerance = 2e-5;
/** Likewise in double precision, for coordinates below 50 mm. */
constexpr double doubleTolerance = 1e-11;

inline double
ToleranceOf(ShootingPrecision precision)
{
  return precision == ShootingPrecision::Single ? singleTolerance : doubleTolerance;
}

/** Expects an Error that names what was to be moved and says what helps. */
template <typename TBody>
void
ExpectNoInverse(const TBody & body, const std::string & name)
{
  const auto        error = ErrorOf<cudaneuro::Error>([&] { body(); });
  const std::string message = error.what();
  EXPECT_NE(message.find("Backward flow of " + name), std::string::npos) << message;
  EXPECT_NE(message.find("use more of them"), std::string::npos) << message;
}

constexpr ShootingPrecision allPrecisions[] = { ShootingPrecision::Single, ShootingPrecision::Double };
constexpr FlowDirection     bothDirections[] = { FlowDirection::Forward, FlowDirection::Backward };

} // namespace flowtests

#endif
