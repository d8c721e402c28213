// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_similarity_StructuralSimilarityAverages_cuh
#define cudaneuro_denoising_similarity_StructuralSimilarityAverages_cuh

#include "denoising/similarity/StructuralSimilarityArguments.cuh"

namespace cudaneuro::gpu
{

/** Weighted sums of s, of s^2, of d, and of d^2. */
struct SimilarityMoments
{
  float s;
  float ss;
  float d;
  float dd;
};

/** Adds input \p i of a run to the moments of the outputs whose windows contain it; the window of output o begins at
 * input o. Inputs are added in ascending order, starting at 0. */
template <int VOutputs>
__device__ __forceinline__ void
AddToWindows(const StructuralSimilarityArguments & a,
             int                                   i,
             const SimilarityMoments &             input,
             SimilarityMoments (&outputs)[VOutputs])
{
  constexpr int radius = similarityWindowRadius;
#pragma unroll
  for (int output = 0; output < VOutputs; ++output)
  {
    const int           offset = i - output - radius;
    SimilarityMoments & sums = outputs[output];
    if (offset == -radius)
    {
      const float tap = a.taps[radius];
      sums = { tap * input.s, tap * input.ss, tap * input.d, tap * input.dd };
    }
    else if (offset > -radius && offset <= radius)
    {
      const float tap = a.taps[offset < 0 ? -offset : offset];
      sums = { fmaf(tap, input.s, sums.s),
               fmaf(tap, input.ss, sums.ss),
               fmaf(tap, input.d, sums.d),
               fmaf(tap, input.dd, sums.dd) };
    }
  }
}

/** The order of averages in a row of a tile. A thread stores 4 averages in an order in which its neighbors, which have
 * the next 4, access other banks of shared memory at the same time. */
struct AverageOrder
{
  static constexpr int strip = 4;
  static constexpr int stripsPerRow = similarityTileX / strip;
  static_assert(stripsPerRow == 4);

  /** Returns the place of average \p i in its strip of 4. Strips are counted across rows. */
  __device__ static __forceinline__ int
  PlaceInStrip(int strip, int i)
  {
    return i ^ (strip >> 1 & 3);
  }
  /** Returns the place of a column in a row. */
  __device__ static __forceinline__ int
  PlaceInRow(int row, int column)
  {
    const int inRow = column / strip;
    return inRow * strip + PlaceInStrip(row * stripsPerRow + inRow, column % strip);
  }
};

/** Computes the mean of s, variance of s, mean of d, and variance of d of runs of 11 values along x in the rows of the
 * pair of planes from the \p n th on, 4 runs a thread at a time. */
template <typename TTile>
__device__ __forceinline__ void
AverageAlongX(const StructuralSimilarityArguments & a, const TTile & tile, int n, float4 * averages)
{
  constexpr int radius = similarityWindowRadius;
  constexpr int outputs = AverageOrder::strip;
  constexpr int values = outputs + 2 * radius;
  constexpr int stripsPerRow = AverageOrder::stripsPerRow;
  // Rows are read from a multiple of 4 on; the values needed begin `skipped` later.
  constexpr int       skipped = TTile::inputBorder - radius;
  const float * const xInputs = tile.Input(n, 0);
  const float * const yInputs = tile.Input(n, 1);
#pragma unroll 1
  for (int item = threadIdx.x; item < TTile::planes * TTile::inputRows * stripsPerRow; item += TTile::threads)
  {
    const int row = item / stripsPerRow;
    const int first = row * TTile::inputPitch + item % stripsPerRow * outputs;
    float     x[values + 6];
    float     y[values + 6];
#pragma unroll
    for (int i = 0; i < skipped + values; i += 4)
    {
      *reinterpret_cast<float4 *>(x + i) = *reinterpret_cast<const float4 *>(xInputs + first + i);
      *reinterpret_cast<float4 *>(y + i) = *reinterpret_cast<const float4 *>(yInputs + first + i);
    }
    const float       xNear = x[skipped + values / 2];
    const float       yNear = y[skipped + values / 2];
    SimilarityMoments sums[outputs];
#pragma unroll
    for (int i = 0; i < values; ++i)
    {
      const float xDifference = x[skipped + i] - xNear;
      const float yDifference = y[skipped + i] - yNear;
      const float s = xDifference + yDifference;
      const float d = xDifference - yDifference;
      AddToWindows(a, i, { s, s * s, d, d * d }, sums);
    }
    const float xFromOffset = xNear - a.referenceOffset;
    const float yFromOffset = yNear - a.imageOffset;
    const float sNear = xFromOffset + yFromOffset;
    const float dNear = xFromOffset - yFromOffset;
#pragma unroll
    for (int i = 0; i < outputs; ++i)
    {
      averages[item * outputs + AverageOrder::PlaceInStrip(item, i)] =
        make_float4(sNear + sums[i].s,
                    fmaf(-sums[i].s, sums[i].s, sums[i].ss),
                    dNear + sums[i].d,
                    fmaf(-sums[i].d, sums[i].d, sums[i].dd));
    }
  }
}

} // namespace cudaneuro::gpu

#endif
