// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_Fp16Vectors_cuh
#define cudaneuro_neighbors_Fp16Vectors_cuh

#include "core/IntegerMath.h"
#include "cuda/WarpReduce.cuh"
#include "neighbors/ShuffledOrder.h"
#include "neighbors/VectorChoice.h"

#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <cstring>

/** Vectors in half precision for the matrix units, and bounds of their errors.
 *
 * A vector x becomes h = half(2^e (x - m)) with a center m and an exponent e that all vectors share, which does not
 * change the order of distances. Three further numbers follow the components of h, so that a product of matrices yields
 * the number by which points are ranked: with h of a point followed by -p1, -p2, -p3, where 2048 (p1 + p2 + p3) = |h|^2
 * / 2, and h of a query followed by 2048 three times, the product is
 *
 *   s = <h_query, h_point> - |h_point|^2 / 2 = (|h_query|^2 - |h_query - h_point|^2) / 2,
 *
 * which is larger for nearer points. */
namespace cudaneuro::gpu
{

/** Number of further numbers behind the components. */
constexpr int halfTail = 3;

/** The further numbers of queries, a power of 2. */
constexpr float halfTailFactor = 2048.0f;

/** Exponent of the largest magnitude of 2^e (x - m): 512 components then have |h|^2 / 2 of at most 2^22, and 1 / 2048
 * of this is within the range of halves. */
constexpr int largestHalfExponent = 7;

/** Number of dummy vectors behind the last one, with which a tile of points may end. */
constexpr int halfPadding = 128;

/** Magnitude of a dummy vector's further numbers, which are negative: its s is -4e8, below that of every
 * point. */
constexpr float noHalfTail = 65504.0f;

/** A value below s of all points: |s| is at most 1.5 * 512 * 2^14. */
constexpr float leastProductOfPoint = -1e8f;

/** Values common to all vectors of a search, in device memory. */
struct HalfScale
{
  /** Bits of the largest |x_i - m_i|. */
  unsigned int largestBits;
  /** Bits of the largest error of points. */
  unsigned int largestErrorBits;
};

/** The exponent e. */
__host__ __device__ inline int
HalfExponent(const HalfScale & scale)
{
  float largest;
  memcpy(&largest, &scale.largestBits, sizeof(largest));
  return largest > 0.0f ? largestHalfExponent - 1 - ilogbf(largest) : 0;
}

__host__ __device__ inline float
LargestErrorOf(const HalfScale & scale)
{
  float error;
  memcpy(&error, &scale.largestErrorBits, sizeof(error));
  return error;
}

/** Vectors of halves and their bounds: errors are at least |2^e (x - m) - h|; norms are |h|^2, rounded to nearest. */
struct Fp16Vectors
{
  __half * data = nullptr;
  float *  errors = nullptr;
  float *  norms = nullptr;
  /** Number of halves from one vector to the next. */
  int depth = 0;
  /** The position of the i-th chosen vector, and the index among all vectors of the one at each position; null if
   * chosen vectors are in their own order. */
  std::int32_t * positions = nullptr;
  std::int32_t * vectorsAt = nullptr;

  __device__ std::int64_t
             PositionOf(std::int64_t vector) const
  {
    return positions ? positions[vector] : vector;
  }
};

constexpr int halfThreads = 256;
constexpr int halfWarps = halfThreads / 32;

/** Raises scale->largestBits to the bits of the largest |x_i - m_i|; a thread reads 4 components at a time. */
static __global__ void
LargestKernel(const float * vectors, std::int64_t count, int stride, const float * center, HalfScale * scale)
{
  const int          quads = stride / 4;
  const std::int64_t total = count * quads;
  float              largest = 0.0f;
  for (std::int64_t i = blockIdx.x * std::int64_t{ halfThreads } + threadIdx.x; i < total;
       i += std::int64_t{ halfThreads } * gridDim.x)
  {
    const float4 x = reinterpret_cast<const float4 *>(vectors)[i];
    const float4 m = reinterpret_cast<const float4 *>(center)[i % quads];
    largest =
      fmaxf(fmaxf(largest, fmaxf(fabsf(x.x - m.x), fabsf(x.y - m.y))), fmaxf(fabsf(x.z - m.z), fabsf(x.w - m.w)));
  }
  largest = WarpReduce(largest, [](float a, float b) { return fmaxf(a, b); });
  if (threadIdx.x % 32 == 0)
  {
    atomicMax(&scale->largestBits, __float_as_uint(largest));
  }
}

/** The three halves whose sum times halfTailFactor is \p value to 2^-14: each takes 11 bits of the remainder. */
__device__ inline void
SplitIntoTail(double value, __half (&tail)[halfTail])
{
  double rest = value / halfTailFactor;
  for (__half & part : tail)
  {
    part = __double2half(rest);
    rest -= static_cast<double>(__half2float(part));
  }
}

/** Converts a chosen vector to halves. A warp reads \p stride floats, and writes \p halves.depth halves, an error and a
 * norm, and its position if there are positions. Vectors behind the last one become dummies. For points (\p tailed) it
 * raises the largest error. */
static __global__ void
HalfVectorKernel(const float * vectors,
                 VectorChoice  chosen,
                 int           stride,
                 int           dimension,
                 const float * center,
                 HalfScale *   scale,
                 Fp16Vectors   halves,
                 bool          tailed)
{
  const int          lane = threadIdx.x % 32;
  const std::int64_t vector = blockIdx.x * std::int64_t{ halfWarps } + threadIdx.x / 32;
  const std::int64_t count = chosen.count;
  if (vector >= count + halfPadding)
  {
    return;
  }
  const bool         isShuffled = halves.positions != nullptr && vector < count;
  const std::int64_t position = isShuffled ? ShuffledPosition(vector, count) : vector;
  __half * const     to = halves.data + position * halves.depth;
  if (vector >= count)
  {
    for (int i = lane; i < halves.depth; i += 32)
    {
      const bool isTail = i >= dimension && i < dimension + halfTail;
      to[i] = __float2half_rn(isTail ? -noHalfTail : 0.0f);
    }
    return;
  }
  const std::int64_t  index = chosen[vector];
  const float * const from = vectors + index * stride;
  const double        factor = scalbn(1.0, HalfExponent(*scale));
  double              squaredError = 0.0;
  double              squaredNorm = 0.0;
  double              squaredSize = 0.0;
  for (int i = lane; i < halves.depth; i += 32)
  {
    const bool   isComponent = i < dimension;
    const double x = isComponent ? static_cast<double>(from[i]) : 0.0;
    const double m = isComponent ? static_cast<double>(center[i]) : 0.0;
    const double exact = (x - m) * factor;
    const __half half = __double2half(exact);
    const double rounded = static_cast<double>(__half2float(half));
    const double size = (fabs(x) + fabs(m)) * factor;
    squaredError += (exact - rounded) * (exact - rounded);
    squaredNorm += rounded * rounded;
    squaredSize += size * size;
    if (isComponent || i >= dimension + halfTail)
    {
      to[i] = half;
    }
  }
  const auto add = [](double a, double b) { return a + b; };
  squaredError = WarpReduce(squaredError, add);
  squaredNorm = WarpReduce(squaredNorm, add);
  squaredSize = WarpReduce(squaredSize, add);
  if (lane == 0)
  {
    // x - m in double is exact to 2^-53 of (|x| + |m|); the other margins are for the rounding errors of this sum.
    const float error = __double2float_ru(sqrt(squaredError) * (1.0 + 1e-9) + sqrt(squaredSize) * 0x1p-50);
    const float norm = __double2float_rn(squaredNorm);
    halves.errors[position] = error;
    halves.norms[position] = norm;
    if (isShuffled)
    {
      halves.positions[vector] = static_cast<std::int32_t>(position);
      halves.vectorsAt[position] = static_cast<std::int32_t>(index);
    }
    __half tail[halfTail];
    SplitIntoTail(squaredNorm / 2, tail);
    for (int i = 0; i < halfTail; ++i)
    {
      to[dimension + i] = tailed ? __hneg(tail[i]) : __float2half_rn(halfTailFactor);
    }
    // Most vectors raise nothing, and a load is cheaper than the atomic operation.
    if (tailed && __float_as_uint(error) > *static_cast<volatile unsigned int *>(&scale->largestErrorBits))
    {
      atomicMax(&scale->largestErrorBits, __float_as_uint(error));
    }
  }
}

} // namespace cudaneuro::gpu

#endif
