// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_TrajectoryLoss_h
#define cudaneuro_landmarks_TrajectoryLoss_h

#include "landmarks/TrajectoryArguments.h"
#include "landmarks/TrajectorySolver.h"

#include <algorithm>

namespace cudaneuro
{

/** \returns the loss in the caller's units. \param weightedPoints the number of the target's points of positive
 * weight */
inline ShootingLoss
SumOfTerms(const ShootingProblem & problem, std::int64_t weightedPoints, const LossTerms * terms, std::size_t tiles)
{
  LossTerms total{};
  for (std::size_t tile = 0; tile < tiles; ++tile)
  {
    total.kineticEnergy += terms[tile].kineticEnergy;
    total.weightedSquaredDistance += terms[tile].weightedSquaredDistance;
    total.sumOfDistances += terms[tile].sumOfDistances;
    total.maximumDistance = std::max(total.maximumDistance, terms[tile].maximumDistance);
  }
  const double scale = problem.units.scale;
  ShootingLoss loss;
  loss.kineticEnergy = total.kineticEnergy / (scale * scale);
  loss.mismatch = problem.parameters.lambda * total.weightedSquaredDistance / (scale * scale);
  loss.meanDistance = total.sumOfDistances / scale / static_cast<double>(weightedPoints);
  loss.maximumDistance = total.maximumDistance / scale;
  return loss;
}

} // namespace cudaneuro

#endif
