// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralSums_cuh
#define cudaneuro_denoising_bilateral_BilateralSums_cuh

#include "core/ApproximateMath.h"
#include "cuda/KeepInRegister.cuh"
#include "denoising/bilateral/BilateralShape.cuh"
#include "denoising/bilateral/BilateralTile.cuh"

namespace cudaneuro::gpu
{

/** Returns 2^x for x <= 0 by 10 instructions that do not use the special function unit. The relative error is below
 * 2e-7; a result below 2^-126 is only guaranteed to stay below it; -infinity gives 0. */
__device__ __forceinline__ float
Exp2OffSpecialUnit(float x)
{
  // A polynomial of one degree less than Exp2Polynomial. At the clamp r is 0 and p is 1, whose bits become those of 0.
  const float clamped = fmaxf(x, -127.0f);
  const float shifted = clamped + roundingShift;
  const float r = clamped - (shifted - roundingShift);
  float       p = 1.3264727e-3f;
  p = fmaf(p, r, 9.6715127e-3f);
  p = fmaf(p, r, 5.5507337e-2f);
  p = fmaf(p, r, 2.4022242e-1f);
  p = fmaf(p, r, 6.9314698e-1f);
  p = fmaf(p, r, 1.0f);
  return __uint_as_float((__float_as_uint(shifted) << 23) + __float_as_uint(p));
}

/** Returns a weight. \p term is the exponential's number in its row, by which polynomials are spread evenly.
 * \param precision precision of the output, not read without a map */
template <typename TShape>
__device__ __forceinline__ float
BilateralWeight(float spatialExponent, float difference, [[maybe_unused]] float precision, int term)
{
  const float exponent = TShape::hasMap ? BilateralExponent(spatialExponent, difference, precision)
                                        : BilateralExponent(spatialExponent, difference);
  const bool  polynomial = (term + 1) * TShape::polynomials / 20 != term * TShape::polynomials / 20;
  return polynomial ? Exp2OffSpecialUnit(exponent) : Exp2(exponent);
}

/** Returns the quotient of two sums. The sum of weights is at least 1, the center's own weight. */
__device__ __forceinline__ float
BilateralMean(float weightedDifference, float weight)
{
  float reciprocal;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(weight));
  return weightedDifference * reciprocal;
}

/** Sums of 4 consecutive outputs. They add differences from the centers, which are small and so round little. */
struct BilateralSums
{
  float weight[4];
  float weightedDifference[4];
};

/** Adds a row of neighbors. \p row starts VRadius before output 0; exponent[|x|] is the spatial exponent. */
template <int VRadius, typename TShape>
__device__ __forceinline__ void
AddBilateralRow(const float (&row)[4 + 2 * VRadius],
                const float (&exponent)[VRadius + 1],
                const float (&center)[4],
                const float (&precision)[4],
                BilateralSums & sums)
{
#pragma unroll
  for (int dx = -VRadius; dx <= VRadius; ++dx)
  {
#pragma unroll
    for (int i = 0; i < 4; ++i)
    {
      const float d = row[i + VRadius + dx] - center[i];
      const float w = BilateralWeight<TShape>(exponent[dx < 0 ? -dx : dx], d, precision[i], (dx + VRadius) * 4 + i);
      sums.weight[i] += w;
      sums.weightedDifference[i] = fmaf(w, d, sums.weightedDifference[i]);
    }
  }
}

/** Adds the row of the centers themselves. Each pair among the 4 outputs is computed once and added to both outputs;
 * with a map, it has a weight for each of them. The centers themselves, whose weight is 1 and whose difference is 0,
 * are skipped. */
template <int VRadius, typename TShape>
__device__ __forceinline__ void
AddBilateralOwnRow(const float (&row)[4 + 2 * VRadius],
                   const float (&exponent)[VRadius + 1],
                   const float (&center)[4],
                   const float (&precision)[4],
                   BilateralSums & sums)
{
  int term = 0;
#pragma unroll
  for (int dx = -VRadius; dx <= VRadius; ++dx)
  {
#pragma unroll
    for (int i = 0; i < 4; ++i)
    {
      const int j = i + dx;
      if (j >= 0 && j <= i)
      {
        continue;
      }
      const float d = row[i + VRadius + dx] - center[i];
      const float spatial = exponent[dx < 0 ? -dx : dx];
      const float w = BilateralWeight<TShape>(spatial, d, precision[i], term);
      sums.weight[i] += w;
      sums.weightedDifference[i] = fmaf(w, d, sums.weightedDifference[i]);
      if (j > i && j < 4)
      {
        const float other = TShape::hasMap ? BilateralWeight<TShape>(spatial, d, precision[j], term) : w;
        sums.weight[j] += other;
        sums.weightedDifference[j] = fmaf(-other, d, sums.weightedDifference[j]);
      }
      ++term;
    }
  }
}

/** Reads a thread's part of a row, which starts VRadius before its first output. */
template <int VRadius>
__device__ __forceinline__ void
ReadBilateralRow(const float * from, float (&row)[4 + 2 * VRadius])
{
  constexpr int halo = (VRadius + 3) / 4 * 4;
#pragma unroll
  for (int i = 0; i < 4 + 2 * halo; i += 4)
  {
    const float4 v = *reinterpret_cast<const float4 *>(from + i);
    const float  values[4] = { v.x, v.y, v.z, v.w };
#pragma unroll
    for (int j = 0; j < 4; ++j)
    {
      const int at = i + j - (halo - VRadius);
      if (at >= 0 && at < 4 + 2 * VRadius)
      {
        row[at] = values[j];
      }
    }
  }
}

/** Adds a row to outputs [first, last]. With VOwnRow it is the row of output \p own itself. */
template <int VRadiusX, typename TShape, bool VOwnRow>
__device__ __forceinline__ void
AddBilateralRowToOutputs(const float (&row)[4 + 2 * VRadiusX],
                         int   first,
                         int   last,
                         int   own,
                         float exponentY,
                         const float (&exponentZ)[TShape::planes],
                         const float (&exponentX)[VRadiusX + 1],
                         const float (&center)[TShape::planes][4],
                         const float (&precision)[TShape::planes][4],
                         BilateralSums (&sums)[TShape::planes])
{
#pragma unroll
  for (int o = 0; o < TShape::planes; ++o)
  {
    if (o < first || o > last)
    {
      continue;
    }
    float exponent[VRadiusX + 1];
    exponent[0] = exponentZ[o] + exponentY;
#pragma unroll
    for (int dx = 1; dx <= VRadiusX; ++dx)
    {
      exponent[dx] = exponentX[dx] + exponent[0];
    }
    if (VOwnRow && o == own)
    {
      AddBilateralOwnRow<VRadiusX, TShape>(row, exponent, center[o], precision[o], sums[o]);
    }
    else
    {
      AddBilateralRow<VRadiusX, TShape>(row, exponent, center[o], precision[o], sums[o]);
    }
  }
}

/** Adds the rows of plane \p z of the tile to those outputs of planes [z0, zEnd) whose neighborhoods hold them. \p from
 * is the start of the thread's first row; exponentX[|x|] is the spatial exponent along x. */
template <int VRadiusX, typename TShape>
__device__ __forceinline__ void
AddBilateralPlane(const BilateralArguments & a,
                  const float *              from,
                  int                        z,
                  int                        z0,
                  int                        zEnd,
                  const float (&exponentX)[VRadiusX + 1],
                  const float (&center)[TShape::planes][4],
                  const float (&precision)[TShape::planes][4],
                  BilateralSums (&sums)[TShape::planes])
{
  const int first = z - a.radius[2] - z0;
  const int last = min(z + a.radius[2], zEnd - 1) - z0;
  float     exponentZ[TShape::planes];
#pragma unroll
  for (int o = 0; o < TShape::planes; ++o)
  {
    const float dz = static_cast<float>(z - z0 - o);
    exponentZ[o] = KeepInRegister(a.unitExponent[2] * dz * dz);
  }
#pragma unroll 1
  for (int dy = -a.radius[1]; dy <= a.radius[1]; ++dy)
  {
    float row[4 + 2 * VRadiusX];
    ReadBilateralRow<VRadiusX>(from, row);
    from += BilateralTile<VRadiusX, TShape>::stride;
    if (dy == 0)
    {
      AddBilateralRowToOutputs<VRadiusX, TShape, true>(
        row, first, last, z - z0, 0.0f, exponentZ, exponentX, center, precision, sums);
    }
    else
    {
      const float exponentY = a.unitExponent[1] * static_cast<float>(dy * dy);
      AddBilateralRowToOutputs<VRadiusX, TShape, false>(
        row, first, last, z - z0, exponentY, exponentZ, exponentX, center, precision, sums);
    }
  }
}

} // namespace cudaneuro::gpu

#endif
