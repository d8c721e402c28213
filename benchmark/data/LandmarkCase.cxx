// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "data/LandmarkCase.h"

#include "cudaneuro/SyntheticLandmarks.h"
#include "landmarks/Integrator.h"
#include "points/PointOrder.h"

#include <cfloat>
#include <cmath>
#include <numeric>

namespace cudaneuro::benchmark
{

namespace
{

double
SquaredDistance(const double * a, const double * b)
{
  const double x = a[0] - b[0];
  const double y = a[1] - b[1];
  const double z = a[2] - b[2];
  return x * x + y * y + z * z;
}

} // namespace

Landmarks
MakeLandmarks(std::int64_t numberOfPoints, int numberOfTargets)
{
  Context                      context{ Device() };
  SyntheticLandmarksParameters parameters;
  parameters.numberOfPoints = numberOfPoints;
  const SyntheticLandmarks synthetic(context, parameters);
  Landmarks                landmarks;
  landmarks.points = synthetic.GetTemplate();
  for (int target = 0; target < numberOfTargets; ++target)
  {
    landmarks.targets.push_back(synthetic.MakeTarget(context, target));
  }
  return landmarks;
}

std::unique_ptr<GeodesicShooting>
MakeShooting(Context &                          context,
             const GeodesicShootingParameters & parameters,
             const Landmarks &                  landmarks,
             int                                firstTarget,
             int                                numberOfTargets)
{
  const auto viewOf = [](const std::vector<double> & points) {
    return ConstPoints{ points.data(), PixelType::Double, MemorySpace::Host };
  };
  auto shooting = std::make_unique<GeodesicShooting>(
    context, parameters, 3, landmarks.GetNumberOfPoints(), viewOf(landmarks.points), numberOfTargets);
  auto from = landmarks.targets.begin() + firstTarget;
  for (int target = 0; target < numberOfTargets; ++target, ++from)
  {
    shooting->SetTarget(target, viewOf(*from));
  }
  return shooting;
}

std::vector<double>
MakeMomenta(const GeodesicShootingParameters & parameters, const Landmarks & landmarks, int target)
{
  const std::vector<double> & points = landmarks.points;
  std::vector<double>         momenta = landmarks.targets[static_cast<std::size_t>(target)];
  double                      sum = 0.0;
  for (std::size_t i = 0; i < points.size(); i += 3)
  {
    sum += std::exp(-0.5 * SquaredDistance(&points[0], &points[i]) / (parameters.sigma * parameters.sigma));
  }
  for (std::size_t i = 0; i < points.size(); ++i)
  {
    momenta[i] = (momenta[i] - points[i]) / sum;
  }
  return momenta;
}

double
CountNearPairs(double sigma, const std::vector<double> & positions, const std::vector<double> & points)
{
  // The kernel is 2^(-squared distance) in units of sigma sqrt(2 ln 2).
  const double unit = 2.0 * std::log(2.0) * sigma * sigma;
  const double reach = unit * NegligibleSquaredDistance(static_cast<std::int64_t>(points.size() / 3), FLT_MANT_DIG);
  std::vector<std::int64_t> counts(positions.size() / 3);
  Context                   context{ Device() };
  context.ParallelFor(static_cast<std::int64_t>(counts.size()), [&](std::int64_t position) {
    for (std::size_t i = 0; i < points.size(); i += 3)
    {
      counts[static_cast<std::size_t>(position)] +=
        SquaredDistance(&positions[3 * position], &points[i]) < reach ? 1 : 0;
    }
  });
  return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{ 0 }));
}

Floor
GradientFloor(const GeodesicShootingParameters & parameters, const Limits & limits, double pairs)
{
  const bool   isSingle = parameters.precision == ShootingPrecision::Single;
  const double sums = 2.0 * parameters.numberOfTimeSteps * MakeIntegrator(parameters.integrator).stages;
  return isSingle ? FloorOf("ex2 rate", sums * pairs, limits.ex2) : Floor();
}

} // namespace cudaneuro::benchmark
