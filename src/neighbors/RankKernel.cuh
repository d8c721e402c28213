// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_RankKernel_cuh
#define cudaneuro_neighbors_RankKernel_cuh

#include "neighbors/CandidateLists.cuh"
#include "neighbors/ExactDistance.cuh"
#include "neighbors/NearestNeighbors.h"
#include "neighbors/NeighborBounds.cuh"
#include "neighbors/WarpSelect.cuh"

namespace cudaneuro::gpu
{

constexpr int rankThreads = 128;
constexpr int rankWarps = rankThreads / 32;

/** Maximum number of candidates that a warp sorts. */
constexpr int rankCapacity = 512;

/** Queries of a search that have too many candidates, in no particular order. */
struct OverflowQueries
{
  int *          count;
  std::int32_t * queries;
};

/** Index of an empty entry of a list, at infinite distance and therefore behind all others. */
constexpr std::int32_t noPoint = 0x7fffffff;

/** Writes the neighbors of a query of the search from a sorted list of \p listed. Called by a warp. */
__device__ inline void
WriteNeighbors(
  const NeighborSearch & search, std::int64_t query, const double * distances, const std::int32_t * indices, int listed)
{
  for (int i = threadIdx.x % 32; i < search.numberOfNeighbors; i += 32)
  {
    const std::int64_t to = query * search.numberOfNeighbors + i;
    const bool         isPoint = i < listed && indices[i] != noPoint;
    search.indices[to] = isPoint ? indices[i] : -1;
    if (search.squaredDistances)
    {
      search.squaredDistances[to] = isPoint ? __double2float_rn(distances[i]) : INFINITY;
    }
  }
}

/** A query's candidates in shared memory. */
struct RankShared
{
  double       distances[rankCapacity];
  std::int32_t indices[rankCapacity];
};

/** Stores the candidates whose products are at least \p least, except \p excluded, in shared.indices, in no particular
 * order; vectorsAt maps positions to points.
 * \returns their number; those beyond the capacity are lost */
template <int VCount>
__device__ int
KeepCandidates(const Candidate *    candidates,
               const std::int32_t * vectorsAt,
               const unsigned int (&numbers)[VCount],
               unsigned int least,
               std::int64_t excluded,
               RankShared & shared)
{
  const int lane = threadIdx.x % 32;
  int       kept = 0;
#pragma unroll
  for (int i = 0; i < VCount; ++i)
  {
    const bool         isNear = numbers[i] != 0 && numbers[i] >= least;
    const std::int32_t point = isNear ? vectorsAt[candidates[i * 32 + lane].position] : 0;
    const bool         keep = isNear && point != excluded;
    const unsigned int keeping = __ballot_sync(0xffffffffu, keep);
    const int          to = kept + __popc(keeping & ((1u << lane) - 1));
    if (keep && to < rankCapacity)
    {
      shared.indices[to] = point;
    }
    kept += __popc(keeping);
  }
  return kept;
}

/** Ranks the candidates of each query; a warp has a query. Reads their products, discards those which the k-th largest
 * of these excludes, computes the distances of the others from search.queries and search.points, and writes the results
 * of the search. Queries with more candidates than the capacity are appended to \p left. The batch consists of the
 * queries \p chosen. */
static __global__ void
__launch_bounds__(rankThreads) RankKernel(NeighborSearch       search,
                                          VectorChoice         chosen,
                                          Fp16Vectors          halves,
                                          const std::int32_t * vectorsAt,
                                          const HalfScale *    scale,
                                          CandidateLists       lists,
                                          OverflowQueries      left)
{
  __shared__ RankShared sharedOfWarps[rankWarps];
  RankShared &          shared = sharedOfWarps[threadIdx.x / 32];
  const int             lane = threadIdx.x % 32;
  const int             inBatch = static_cast<int>(blockIdx.x * rankWarps + threadIdx.x / 32);
  if (inBatch >= chosen.count)
  {
    return;
  }
  const std::int64_t query = chosen[inBatch];
  const int          count = lists.counts[inBatch];
  const Candidate *  candidates = lists.candidates + static_cast<std::int64_t>(inBatch) * candidateCapacity;
  int                kept = count;
  if (count <= candidateCapacity)
  {
    unsigned int numbers[candidateCapacity / 32];
#pragma unroll
    for (int i = 0; i < candidateCapacity / 32; ++i)
    {
      numbers[i] = i * 32 + lane < count ? OrderedBits(candidates[i * 32 + lane].product) : 0;
    }
    const int    rank = search.numberOfNeighbors + (search.excludeSelf ? 1 : 0);
    unsigned int least = 0;
    if (count > rank)
    {
      const float        reached = FloatOfOrderedBits(KthLargest(numbers, rank));
      const std::int64_t position = halves.PositionOf(inBatch);
      least = OrderedBits(__double2float_rd(
        LeastProduct(reached, halves.norms[position], halves.errors[position], LargestErrorOf(*scale), halves.depth)));
    }
    kept = KeepCandidates(candidates, vectorsAt, numbers, least, search.excludeSelf ? query : -1, shared);
  }
  if (kept > rankCapacity)
  {
    if (lane == 0)
    {
      left.queries[atomicAdd(left.count, 1)] = static_cast<std::int32_t>(query);
    }
    return;
  }
  __syncwarp();
  const float * const own = search.queries + query * search.stride;
  for (int first = 0; first < kept; first += 32 / distanceLanes)
  {
    const int          i = first + lane / distanceLanes;
    const std::int64_t point = shared.indices[min(i, kept - 1)];
    const double       distance = SquaredDistanceOfLanes(own, search.points + point * search.stride, search.stride);
    if (lane % distanceLanes == 0 && i < kept)
    {
      shared.distances[i] = distance;
    }
  }
  int room = 2;
  while (room < kept)
  {
    room *= 2;
  }
  for (int i = kept + lane; i < room; i += 32)
  {
    shared.distances[i] = INFINITY;
    shared.indices[i] = noPoint;
  }
  __syncwarp();
  SortNeighbors(shared.distances, shared.indices, room);
  WriteNeighbors(search, query, shared.distances, shared.indices, kept);
}

} // namespace cudaneuro::gpu

#endif
