// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_similarity_StructuralSimilarityAverages_cuh
#define cudaneuro_denoising_similarity_StructuralSimilarityAverages_cuh

#include "denoising/similarity/StructuralSimilarityArguments.cuh"

namespace cudaneuro::gpu
{

/** Returns the window's weighted sum of 11 successive values, smallest taps first. */
__device__ __forceinline__ float
SmoothByWindow(const StructuralSimilarityArguments & a, const float * values)
{
  constexpr int radius = similarityWindowRadius;
  float         sum = a.taps[radius] * values[0];
  sum = fmaf(a.taps[radius], values[2 * radius], sum);
#pragma unroll
  for (int i = radius - 1; i > 0; --i)
  {
    sum = fmaf(a.taps[i], values[radius - i], sum);
    sum = fmaf(a.taps[i], values[radius + i], sum);
  }
  return fmaf(a.taps[0], values[radius], sum);
}

/** Stores means and variances of 4 runs of 11 values, given as differences from \p reference. */
template <int VCount>
__device__ __forceinline__ void
StoreAverages(const StructuralSimilarityArguments & a,
              const float (&differences)[VCount],
              float   reference,
              float * means,
              float * variances)
{
  float squares[VCount];
#pragma unroll
  for (int i = 0; i < VCount; ++i)
  {
    squares[i] = differences[i] * differences[i];
  }
  float mean[4];
  float variance[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
  {
    const float difference = SmoothByWindow(a, differences + i);
    mean[i] = reference + difference;
    variance[i] = fmaf(-difference, difference, SmoothByWindow(a, squares + i));
  }
  *reinterpret_cast<float4 *>(means) = make_float4(mean[0], mean[1], mean[2], mean[3]);
  *reinterpret_cast<float4 *>(variances) = make_float4(variance[0], variance[1], variance[2], variance[3]);
}

/** Computes the mean of s, variance of s, mean of d, and variance of d of runs of 11 values along x in plane \p z, 4
 * runs a thread at a time. average(i) is the memory for the i-th of these. */
template <typename TTile, typename TAverage>
__device__ __forceinline__ void
AverageAlongX(const StructuralSimilarityArguments & a, const TTile & tile, int z, const TAverage & average)
{
  constexpr int radius = similarityWindowRadius;
  constexpr int outputs = 4;
  constexpr int values = outputs + 2 * radius;
  constexpr int stripsPerRow = TTile::tileX / outputs;
  for (int item = threadIdx.x; item < TTile::inputRows * stripsPerRow; item += TTile::threads)
  {
    const int row = item / stripsPerRow;
    const int strip = item % stripsPerRow;
    // Rows are read from a multiple of 4 on; the values needed begin `skipped` later.
    constexpr int skipped = TTile::inputBorder - radius;
    float         x[values + 6];
    float         y[values + 6];
#pragma unroll
    for (int i = 0; i < skipped + values; i += 4)
    {
      const int index = row * TTile::inputPitch + strip * outputs + i;
      *reinterpret_cast<float4 *>(x + i) = *reinterpret_cast<const float4 *>(tile.Input(z, 0) + index);
      *reinterpret_cast<float4 *>(y + i) = *reinterpret_cast<const float4 *>(tile.Input(z, 1) + index);
    }
    const float xNear = x[skipped + values / 2];
    const float yNear = y[skipped + values / 2];
    float       s[values];
    float       d[values];
#pragma unroll
    for (int i = 0; i < values; ++i)
    {
      s[i] = (x[skipped + i] - xNear) + (y[skipped + i] - yNear);
      d[i] = (x[skipped + i] - xNear) - (y[skipped + i] - yNear);
    }
    const int   target = row * TTile::tileX + strip * outputs;
    const float xFromOffset = xNear - a.referenceOffset;
    const float yFromOffset = yNear - a.imageOffset;
    StoreAverages(a, s, xFromOffset + yFromOffset, average(0) + target, average(1) + target);
    StoreAverages(a, d, xFromOffset - yFromOffset, average(2) + target, average(3) + target);
  }
}

} // namespace cudaneuro::gpu

#endif
