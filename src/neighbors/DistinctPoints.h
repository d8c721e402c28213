// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_DistinctPoints_h
#define cudaneuro_neighbors_DistinctPoints_h

#include "cuda/GpuContext.h"
#include "neighbors/NearestNeighbors.h"
#include "neighbors/VectorChoice.h"

namespace cudaneuro::gpu
{

/** The points of a search, except those that cannot be neighbors because too many points of lower index are equal to
 * them. */
struct DistinctPoints
{
  /** In no particular order. */
  DeviceBuffer<std::int32_t> indices;
  std::int64_t               count = 0;

  VectorChoice
  Choice() const
  {
    return { count, indices.Data() };
  }
};

/** Finds a set of points that contains the neighbors of any query.
 *
 * Equal points, where -0 equals 0, are at the same distance from every query, bit for bit, and the lower index is the
 * nearer neighbor. So a point with k + 1 equal points of lower index is not among the k nearest of any query, even if
 * one of these is the query itself, which is not its own neighbor.
 *
 * Points are sorted by a hash, and by index where it is equal. A point is excluded if it equals its predecessor, this
 * one equals its own predecessor, and so on k + 1 times: comparisons of vectors that are adjacent in this order prove
 * that they are equal. Different vectors of the same hash can stand between equal ones; in this case some points are
 * kept that could be excluded, which changes no result.
 *
 * \param hashBits number of bits of the hash that are used */
DistinctPoints
FindDistinctPoints(const GpuContext & gpu, const NeighborSearch & search, int hashBits = 64);

} // namespace cudaneuro::gpu

#endif
