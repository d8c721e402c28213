// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_StageStates_h
#define cudaneuro_landmarks_StageStates_h

#include "landmarks/TrajectorySolver.h"

#include <vector>

namespace cudaneuro
{

/** Checks all that is known before the points are read.
 * \throws InvalidParameterError as the constructor of GeodesicShooting */
void
RequireShooting(const GeodesicShootingParameters & parameters,
                int                                dimension,
                std::int64_t                       numberOfPoints,
                int                                numberOfTargets);

/** \throws InvalidParameterError as the constructor of GeodesicShooting */
ShootingProblem
MakeShootingProblem(const GeodesicShootingParameters & parameters,
                    int                                dimension,
                    std::int64_t                       numberOfPoints,
                    const std::vector<double> &        positions,
                    int                                numberOfTargets);

/** Converts positions to the problem's units and order. */
std::vector<double>
ToWorkingPositions(const ShootingProblem & problem, const std::vector<double> & positions);

/** The states z_s at which all stages of all steps start, in working units and order: arrays of shape (steps, stages,
 * points, dimension). */
struct StageStates
{
  std::vector<double> positions;
  std::vector<double> momenta;
};

namespace cpu
{
/** \param momenta in the caller's units and order, in host memory
 * \throws Error for a trajectory that leaves the range of the floating-point numbers */
StageStates
ShootStages(Context & context, const ShootingProblem & problem, const double * momenta);
} // namespace cpu

} // namespace cudaneuro

#endif
