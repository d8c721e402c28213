// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_ExactDistance_cuh
#define cudaneuro_neighbors_ExactDistance_cuh

#include "neighbors/NeighborFormulas.h"

namespace cudaneuro::gpu
{

/** Number of lanes that share a distance: each has 4 of the partial sums. */
constexpr int distanceLanes = 8;

/** SquaredDistance of two vectors. The 8 lanes of a group call it with the same vectors, and all 32 lanes of the warp
 * call it at the same time; all 8 lanes get the result. */
__device__ __forceinline__ double
SquaredDistanceOfLanes(const float * a, const float * b, int stride)
{
  const int      lane = threadIdx.x % distanceLanes;
  const float4 * quadsOfA = reinterpret_cast<const float4 *>(a) + lane;
  const float4 * quadsOfB = reinterpret_cast<const float4 *>(b) + lane;
  double         sums[4] = { 0.0, 0.0, 0.0, 0.0 };
#pragma unroll 4
  for (int i = 0; i < stride / 4; i += distanceLanes)
  {
    const float4 x = quadsOfA[i];
    const float4 y = quadsOfB[i];
    sums[0] = AddSquaredDifference(sums[0], x.x, y.x);
    sums[1] = AddSquaredDifference(sums[1], x.y, y.y);
    sums[2] = AddSquaredDifference(sums[2], x.z, y.z);
    sums[3] = AddSquaredDifference(sums[3], x.w, y.w);
  }
  double sum = AddFour(sums);
#pragma unroll
  for (int other = 1; other < distanceLanes; other *= 2)
  {
    sum += __shfl_xor_sync(0xffffffffu, sum, other);
  }
  return sum;
}

} // namespace cudaneuro::gpu

#endif
