// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/ApproximateMath.h"
#include "core/ParameterChecks.h"
#include "landmarks/StageStates.h"
#include "points/PointArrays.h"
#include "points/PointOrder.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cudaneuro
{
namespace
{

void
RequireSizes(int dimension, std::int64_t numberOfPoints, int numberOfTargets)
{
  if (dimension != 2 && dimension != 3)
  {
    ThrowInvalid("dimension", dimension, "2 or 3");
  }
  if (numberOfPoints < 1 || numberOfPoints > std::numeric_limits<std::int32_t>::max())
  {
    ThrowInvalid("numberOfPoints", numberOfPoints, "from 1 to 2147483647");
  }
  RequireAtLeast("numberOfTargets", numberOfTargets, 1);
}

/** The middle of the points' bounding box: coordinates relative to it are small, with small rounding errors. */
std::array<double, 3>
CenterOf(int dimension, const std::vector<double> & positions)
{
  std::array<double, 3> center{};
  for (int d = 0; d < dimension; ++d)
  {
    double lowest = positions[d];
    double highest = positions[d];
    for (std::size_t i = d; i < positions.size(); i += dimension)
    {
      lowest = std::min(lowest, positions[i]);
      highest = std::max(highest, positions[i]);
    }
    center[d] = 0.5 * (lowest + highest);
  }
  return center;
}

} // namespace

void
RequireShooting(const GeodesicShootingParameters & parameters,
                int                                dimension,
                std::int64_t                       numberOfPoints,
                int                                numberOfTargets)
{
  RequireParameters(parameters);
  RequireSizes(dimension, numberOfPoints, numberOfTargets);
}

ShootingProblem
MakeShootingProblem(const GeodesicShootingParameters & parameters,
                    int                                dimension,
                    std::int64_t                       numberOfPoints,
                    const std::vector<double> &        positions,
                    int                                numberOfTargets)
{
  RequireShooting(parameters, dimension, numberOfPoints, numberOfTargets);
  RequirePositions("the template", dimension, positions);

  ShootingProblem problem;
  problem.parameters = parameters;
  problem.dimension = dimension;
  problem.numberOfPoints = numberOfPoints;
  problem.numberOfTargets = numberOfTargets;
  problem.units.center = CenterOf(dimension, positions);
  problem.units.scale = std::sqrt(0.5 * log2OfE) / parameters.sigma;
  problem.order = SpatialOrder(dimension, positions);
  problem.positions = ToWorkingPositions(problem, positions);
  return problem;
}

std::vector<double>
ToWorkingPositions(const ShootingProblem & problem, const std::vector<double> & positions)
{
  std::vector<double> working(positions.size());
  for (std::size_t k = 0; k < problem.order.size(); ++k)
  {
    for (int d = 0; d < problem.dimension; ++d)
    {
      const double position = positions[static_cast<std::size_t>(problem.order[k]) * problem.dimension + d];
      working[k * problem.dimension + d] = (position - problem.units.center[d]) * problem.units.scale;
    }
  }
  return working;
}

} // namespace cudaneuro
