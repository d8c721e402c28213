// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef KeptPoints_h
#define KeptPoints_h

#include "cudaneuro/Context.h"
#include "neighbors/ReferenceNeighbors.h"

#include <vector>

namespace keptpoints
{

/** The points that FindDistinctPoints of src/neighbors/DistinctPoints.h leaves, in no order.
 * \param hashBits the fewer, the more vectors have the same hash. */
std::vector<std::int32_t>
FindKept(cudaneuro::Context &                  context,
         const referenceneighbors::VectorSet & points,
         int                                   numberOfNeighbors,
         int                                   hashBits);

} // namespace keptpoints

#endif
