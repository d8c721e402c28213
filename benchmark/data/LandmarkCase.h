// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef LandmarkCase_h
#define LandmarkCase_h

#include "Table.h"
#include "cudaneuro/GeodesicShooting.h"

#include <memory>
#include <vector>

namespace cudaneuro::benchmark
{

/** Synthetic landmarks with some targets. */
struct Landmarks
{
  std::vector<double>              points;
  std::vector<std::vector<double>> targets;

  std::int64_t
  GetNumberOfPoints() const
  {
    return static_cast<std::int64_t>(points.size() / 3);
  }
};

Landmarks
MakeLandmarks(std::int64_t numberOfPoints, int numberOfTargets);

/** Landmarks that are created on first use, because 100,000 take seconds. */
struct LazyLandmarks
{
  LazyLandmarks(std::int64_t points, int targets)
    : numberOfPoints(points)
    , numberOfTargets(targets)
    , landmarks([=] { return MakeLandmarks(points, targets); })
  {}

  const Landmarks &
  Get() const
  {
    return landmarks.Get();
  }
  /** Returns points x time steps x targets, the size of its rows. */
  Size
  GetSize(const GeodesicShootingParameters & parameters, int targets) const
  {
    return { numberOfPoints, parameters.numberOfTimeSteps, targets };
  }

  std::int64_t    numberOfPoints;
  int             numberOfTargets;
  Lazy<Landmarks> landmarks;
};

/** Returns the loss of the first \p numberOfTargets targets. */
std::unique_ptr<GeodesicShooting>
MakeShooting(Context &                          context,
             const GeodesicShootingParameters & parameters,
             const Landmarks &                  landmarks,
             int                                firstTarget,
             int                                numberOfTargets);

/** Returns momenta that move the points roughly to a target: the displacements over the kernel's sum at a point. */
std::vector<double>
MakeMomenta(const GeodesicShootingParameters & parameters, const Landmarks & landmarks, int target);

/** Counts the ordered pairs of a position and a point that are close enough for their kernel to count in single
 * precision, before anything moves. */
double
CountNearPairs(double sigma, const std::vector<double> & positions, const std::vector<double> & points);

/** Returns the time of the exponentials of a gradient at that many ordered pairs: two for each pair and sum, of the
 * trajectory and of its adjoint. No limit is known in double precision, whose exponentials do not use the special
 * function unit. */
Floor
GradientFloor(const GeodesicShootingParameters & parameters, const Limits & limits, double pairs);

} // namespace cudaneuro::benchmark

#endif
