// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_PointMeans_h
#define cudaneuro_atlas_PointMeans_h

#include "atlas/AtlasShare.h"
#include "cudaneuro/Communicator.h"

#include <memory>
#include <vector>

namespace cudaneuro
{

/** The mean positions on the template of the points of all processes' members. Called by all processes together, inside
 * RunDeviceJob. Reports progress.
 * \param communicator null for a single process
 * \throws Error if no member has points, Aborted */
std::vector<AtlasPoint>
MeanPoints(Context &                                        context,
           const AtlasPlan &                                plan,
           const std::vector<std::unique_ptr<AtlasShare>> & shares,
           Communicator *                                   communicator);

} // namespace cudaneuro

#endif
