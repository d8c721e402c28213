// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_WarpSelect_cuh
#define cudaneuro_neighbors_WarpSelect_cuh

#include "cuda/WarpReduce.cuh"
#include "neighbors/NeighborFormulas.h"

/** Warp-wide maximum and sort. */
namespace cudaneuro::gpu
{

/** Bits in the order of the floats; above 0 for all but one NaN. */
__device__ __forceinline__ unsigned int
OrderedBits(float value)
{
  const unsigned int bits = __float_as_uint(value);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}

__device__ __forceinline__ float
FloatOfOrderedBits(unsigned int bits)
{
  return __uint_as_float(bits >> 31 ? bits & 0x7fffffffu : ~bits);
}

__device__ __forceinline__ int
WarpSum(int value)
{
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(0xffffffffu, value);
#else
  return WarpReduce(value, [](int a, int b) { return a + b; });
#endif
}

__device__ __forceinline__ unsigned int
WarpMinimum(unsigned int value)
{
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync(0xffffffffu, value);
#else
  return WarpReduce(value, [](unsigned int a, unsigned int b) { return min(a, b); });
#endif
}

/** The rank-th largest of the warp's numbers, of which each lane has VCount; 0 if fewer are above 0. Finds the largest
 * number that at least \p rank numbers reach bit by bit, the highest bit first. */
template <int VCount>
__device__ unsigned int
KthLargest(const unsigned int (&numbers)[VCount], int rank)
{
  unsigned int reached = 0;
  for (int bit = 31; bit >= 0; --bit)
  {
    const unsigned int trial = reached | 1u << bit;
    int                count = 0;
#pragma unroll
    for (const unsigned int number : numbers)
    {
      count += number >= trial ? 1 : 0;
    }
    count = WarpSum(count);
    if (count < rank)
    {
      continue;
    }
    reached = trial;
    if (count == rank)
    {
      unsigned int least = ~0u;
#pragma unroll
      for (const unsigned int number : numbers)
      {
        least = number >= trial ? min(least, number) : least;
      }
      return WarpMinimum(least);
    }
  }
  return reached;
}

/** Sorts \p count neighbors in shared memory, nearest first, by bitonic merges; count is a power of 2. Called by all
 * lanes of a warp after __syncwarp. */
__device__ inline void
SortNeighbors(double * distances, std::int32_t * indices, int count)
{
  const int lane = threadIdx.x % 32;
  for (int sorted = 2; sorted <= count; sorted *= 2)
  {
    for (int distance = sorted / 2; distance > 0; distance /= 2)
    {
      for (int i = lane; i < count / 2; i += 32)
      {
        const int            low = 2 * i - (i & (distance - 1));
        const int            high = low + distance;
        const RankedNeighbor a{ distances[low], indices[low] };
        const RankedNeighbor b{ distances[high], indices[high] };
        const bool           ascends = (low & sorted) == 0;
        if (ascends ? IsNearer(b, a) : IsNearer(a, b))
        {
          distances[low] = b.squaredDistance;
          indices[low] = b.index;
          distances[high] = a.squaredDistance;
          indices[high] = a.index;
        }
      }
      __syncwarp();
    }
  }
}

} // namespace cudaneuro::gpu

#endif
