// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_DistinctPoints_h
#define cudaneuro_neighbors_DistinctPoints_h

#include "cuda/GpuContext.h"
#include "neighbors/NearestNeighbors.h"
#include "neighbors/VectorChoice.h"

namespace cudaneuro::gpu
{

/** The points of a search without those that are nobody's neighbors because so many of lower index are equal to
 * them. */
struct DistinctPoints
{
  /** In no order. */
  DeviceBuffer<std::int32_t> indices;
  std::int64_t               count = 0;

  VectorChoice
  Choice() const
  {
    return { count, indices.Data() };
  }
};

/** Finds the points that the neighbors of any query are among.
 *
 * Equal points, where -0 equals 0, are at the same distance from every query, bit for bit, and the lower index is the
 * nearer neighbor. So a point with k + 1 equal points of lower index is not among the k nearest of any query, be one of
 * these the query itself that is not its own neighbor.
 *
 * Points are sorted by a hash, and by index where it is equal. A point is left out when it equals the one before it,
 * this the one before, and so on k + 1 times: comparisons of vectors that stand beside one another prove it. Other
 * vectors of the same hash can stand between equal ones; then points are kept that need not be, which changes no
 * result.
 *
 * \param hashBits bits of the hash that are used. */
DistinctPoints
FindDistinctPoints(const GpuContext & gpu, const NeighborSearch & search, int hashBits = 64);

} // namespace cudaneuro::gpu

#endif
