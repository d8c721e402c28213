// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_synthetic_SyntheticDeformation_h
#define cudaneuro_synthetic_SyntheticDeformation_h

#include "synthetic/SyntheticVelocity.h"
#include "cudaneuro/SyntheticLandmarks.h"

#include <array>
#include <vector>

namespace cudaneuro
{

/** The flow over unit time of random velocities around the synthetic surface, which moves points by distances with the
 * requested mean and maximum.
 * \param points three coordinates each, at least one point */
SyntheticFlow
MakeSyntheticDeformation(Context &                            context,
                         const SyntheticLandmarksParameters & parameters,
                         std::uint64_t                        key,
                         const std::vector<double> &          points);

/** Moves points, three coordinates each, on the context's threads. */
std::vector<double>
MoveBy(Context & context, const SyntheticFlow & flow, const std::vector<double> & points);

} // namespace cudaneuro

#endif
