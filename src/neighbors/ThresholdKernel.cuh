// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_ThresholdKernel_cuh
#define cudaneuro_neighbors_ThresholdKernel_cuh

#include "neighbors/CandidateLists.cuh"
#include "neighbors/NeighborBounds.cuh"
#include "neighbors/WarpSelect.cuh"

namespace cudaneuro::gpu
{

constexpr int thresholdThreads = 128;
constexpr int thresholdWarps = thresholdThreads / 32;

/** Writes each query's minimum product of one of its \p rank nearest points to lists.leastProducts, from the maxima of
 * its groups, which a warp reads; leastProductOfPoint if too few groups have a point. Sets lists.counts to 0. */
template <int VGroupsOfLane>
__global__ void
__launch_bounds__(thresholdThreads) ThresholdKernel(const float *     maxima,
                                                    int               groups,
                                                    int               numberOfQueries,
                                                    int               rank,
                                                    Fp16Vectors       queries,
                                                    const HalfScale * scale,
                                                    CandidateLists    lists)
{
  const int lane = threadIdx.x % 32;
  const int query = static_cast<int>(blockIdx.x * thresholdWarps + threadIdx.x / 32);
  if (query >= numberOfQueries)
  {
    return;
  }
  unsigned int numbers[VGroupsOfLane];
#pragma unroll
  for (int i = 0; i < VGroupsOfLane; ++i)
  {
    const int group = i * 32 + lane;
    numbers[i] = group < groups ? OrderedBits(maxima[static_cast<std::int64_t>(query) * groups + group]) : 0;
  }
  const unsigned int bits = KthLargest(numbers, rank);
  if (lane == 0)
  {
    const float        reached = FloatOfOrderedBits(bits);
    const std::int64_t position = queries.PositionOf(query);
    lists.leastProducts[query] =
      bits != 0 && reached > leastProductOfPoint
        ? __double2float_rd(LeastProduct(
            reached, queries.norms[position], queries.errors[position], LargestErrorOf(*scale), queries.depth))
        : leastProductOfPoint;
    lists.counts[query] = 0;
  }
}

} // namespace cudaneuro::gpu

#endif
