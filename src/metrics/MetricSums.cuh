// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_MetricSums_cuh
#define cudaneuro_metrics_MetricSums_cuh

#include "fields/Sampling.h"
#include "metrics/MetricColumns.h"
#include "metrics/MetricSums.h"

/** Sums over the parts of a grid, in an order that depends on the grid only. */
namespace cudaneuro::gpu
{

/** The sums of a column's derivatives by the position on the moving grid, and of these times the voxel's number in the
 * column. */
struct GradientSums
{
  float x = 0.0f;
  float y = 0.0f;
  float z = 0.0f;
  float alongX = 0.0f;
  float alongY = 0.0f;
  float alongZ = 0.0f;

  __device__ void
  Add(float factor, const ValueAndGradient & sample, float voxel)
  {
    const float alongFactor = factor * voxel;
    x = fmaf(factor, sample.x, x);
    y = fmaf(factor, sample.y, y);
    z = fmaf(factor, sample.z, z);
    alongX = fmaf(alongFactor, sample.x, alongX);
    alongY = fmaf(alongFactor, sample.y, alongY);
    alongZ = fmaf(alongFactor, sample.z, alongZ);
  }
};

/** Sums each of several numbers, a power of 2, over the lanes of a warp. The sum of number k goes to the lanes from
 * k 32 / VNumbers on.
 *
 * It is a transposing butterfly: each step halves the numbers of a lane. */
template <int VNumbers>
__device__ __forceinline__ double
SumOverWarp(double (&numbers)[VNumbers])
{
  const int lane = static_cast<int>(threadIdx.x) % lanesOfTile;
  int       distance = lanesOfTile / 2;
#pragma unroll
  for (int half = VNumbers / 2; half > 0; half /= 2, distance /= 2)
  {
    const bool isUpper = (lane & distance) != 0;
#pragma unroll
    for (int i = 0; i < half; ++i)
    {
      const double sent = isUpper ? numbers[i] : numbers[i + half];
      const double kept = isUpper ? numbers[i + half] : numbers[i];
      numbers[i] = kept + __shfl_xor_sync(0xffffffffu, sent, distance);
    }
  }
  double sum = numbers[0];
#pragma unroll
  for (; distance > 0; distance /= 2)
  {
    sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  }
  return sum;
}

/** The sums of a map's numbers over a block's threads. */
template <int VThreads>
class BlockSums
{
public:
  /** The shared memory of the sums. */
  struct Memory
  {
    double ofWarps[VThreads / lanesOfTile][numbersOfMap];
  };

  __device__ explicit BlockSums(Memory & memory)
    : m_Memory(memory)
  {}

  /** Stores each warp's sums of the numbers of all threads, as numbers \p first and following. */
  template <int VNumbers>
  __device__ void
  Put(int first, double (&numbers)[VNumbers]) const
  {
    constexpr int lanesOfNumber = lanesOfTile / VNumbers;
    const int     thread = static_cast<int>(threadIdx.x);
    const int     lane = thread % lanesOfTile;
    const double  sum = SumOverWarp(numbers);
    if (lane % lanesOfNumber == 0)
    {
      m_Memory.ofWarps[thread / lanesOfTile][first + lane / lanesOfNumber] = sum;
    }
  }

  /** Stores each warp's sums of the derivatives by the map. A column has one x and one y. */
  __device__ void
  Put(const ColumnStart & start, const GradientSums & sums) const
  {
    this->PutAxis(0, start, sums.x, sums.alongX);
    this->PutAxis(1, start, sums.y, sums.alongY);
    this->PutAxis(2, start, sums.z, sums.alongZ);
  }

  /** Writes the block's sum of a number. */
  __device__ void
  Write(int number, double * sums) const
  {
    double sum = 0.0;
    for (const auto & ofWarp : m_Memory.ofWarps)
    {
      sum += ofWarp[number];
    }
    sums[number] = sum;
  }

private:
  __device__ void
  PutAxis(int axis, const ColumnStart & start, double sum, double along) const
  {
    double numbers[numbersOfAxis] = { start.x * sum, start.y * sum, start.z * sum + along, sum };
    this->Put(axis * numbersOfAxis, numbers);
  }

  Memory & m_Memory;
};

/** Writes the numbers of a map, from \p first to before \p end: blockIdx.y is the map, blockIdx.x the part. The
 * last block of the map to arrive adds up the parts. */
template <int VThreads>
__device__ void
WriteNumbers(const BlockSums<VThreads> & sums, const MapSums & to, int first, int end)
{
  constexpr int     groups = VThreads / numbersOfMap;
  __shared__ bool   isLast;
  __shared__ double ofGroups[groups][numbersOfMap];
  const int         thread = static_cast<int>(threadIdx.x);
  const int         number = thread % numbersOfMap;
  const bool        isWanted = number >= first && number < end;
  const auto        numberOfParts = static_cast<int>(gridDim.x);
  double * const    parts = to.parts + std::size_t{ blockIdx.y } * gridDim.x * numbersOfMap;
  __syncthreads();
  if (thread < numbersOfMap && isWanted)
  {
    sums.Write(number, parts + std::size_t{ blockIdx.x } * numbersOfMap);
  }
  // The fence makes the numbers visible to other blocks before the arrival is.
  __threadfence();
  __syncthreads();
  if (thread == 0)
  {
    isLast = atomicAdd(to.arrivals + blockIdx.y, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!isLast)
  {
    return;
  }
  __threadfence();
  double sum = 0.0;
  if (isWanted)
  {
    for (int part = thread / numbersOfMap; part < numberOfParts; part += groups)
    {
      sum += __ldcg(parts + static_cast<std::size_t>(part) * numbersOfMap + number);
    }
  }
  ofGroups[thread / numbersOfMap][number] = sum;
  __syncthreads();
  if (thread < numbersOfMap && isWanted)
  {
    double total = 0.0;
    for (const auto & ofGroup : ofGroups)
    {
      total += ofGroup[number];
    }
    to.numbers[std::size_t{ blockIdx.y } * numbersOfMap + number] = total;
  }
  if (thread == 0)
  {
    to.arrivals[blockIdx.y] = 0;
  }
}

} // namespace cudaneuro::gpu

#endif
