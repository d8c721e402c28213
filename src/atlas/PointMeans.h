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

/** Where the members of all processes' shares, which call it together, have their points on the template. Inside
 * RunDeviceJob. Reports progress.
 * \param communicator null for a process that is alone
 * \throws Error when no member has points, Aborted */
std::vector<AtlasPoint>
MeanPoints(Context &                                        context,
           const AtlasPlan &                                plan,
           const std::vector<std::unique_ptr<AtlasShare>> & shares,
           Communicator *                                   communicator);

} // namespace cudaneuro

#endif
