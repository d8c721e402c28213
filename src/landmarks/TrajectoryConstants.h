// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_TrajectoryConstants_h
#define cudaneuro_landmarks_TrajectoryConstants_h

#include "landmarks/Integrator.h"
#include "landmarks/TrajectoryArguments.h"
#include "landmarks/TrajectorySolver.h"
#include "points/PointOrder.h"

#include <cmath>
#include <type_traits>

namespace cudaneuro
{

/** \returns arguments whose numbers of points and steps and constants, which depend only on the problem, are set */
template <typename T>
TrajectoryArguments<T>
ConstantsOfTrajectories(const ShootingProblem & problem)
{
  const GeodesicShootingParameters & parameters = problem.parameters;
  const Integrator                   integrator = MakeIntegrator(parameters.integrator);
  const double                       timeStep = 1.0 / parameters.numberOfTimeSteps;
  TrajectoryArguments<T>             arguments{};
  arguments.numberOfPoints = static_cast<int>(problem.numberOfPoints);
  arguments.numberOfSteps = parameters.numberOfTimeSteps;
  arguments.stages = integrator.stages;
  for (int stage = 0; stage < integrator.stages; ++stage)
  {
    arguments.advance[stage] = static_cast<T>(timeStep * integrator.advance[stage]);
    arguments.weight[stage] = static_cast<T>(timeStep * integrator.weight[stage]);
  }
  const double negligible = NegligibleSquaredDistance(problem.numberOfPoints, std::is_same_v<T, float> ? 24 : 53);
  arguments.negligibleSquaredDistance = static_cast<T>(negligible);
  // Landmarks seldom move farther in a step: over 40 steps it is 5 times the kernel's standard deviation.
  constexpr double mostMove = 0.12;
  arguments.mostMove = static_cast<T>(mostMove);
  arguments.listSquaredDistance =
    static_cast<T>(std::pow(std::sqrt(negligible) + 2.0 * mostMove * std::sqrt(problem.dimension), 2));
  arguments.twiceLambda = static_cast<T>(2.0 * parameters.lambda);
  arguments.scale = problem.units.scale;
  return arguments;
}

} // namespace cudaneuro

#endif
