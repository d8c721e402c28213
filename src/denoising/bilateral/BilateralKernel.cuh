// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralKernel_cuh
#define cudaneuro_denoising_bilateral_BilateralKernel_cuh

#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "cuda/SharedMemoryLimit.h"
#include "denoising/bilateral/BilateralTile.cuh"

namespace cudaneuro
{
namespace gpu
{

/** Launch shape. A block of VThreadsX x VThreadsY threads computes 4 VThreadsX x VThreadsY x VPlanes voxels.
 * VPolynomials of 20 exponentials run on the FMA units, which have time to spare, instead of the special function
 * unit, which is the limit of this kernel. */
template <int VThreadsX, int VThreadsY, int VPlanes, int VPolynomials, int VMinimumBlocks = 1>
struct BilateralShape
{
  static constexpr int threadsX = VThreadsX;
  static constexpr int threadsY = VThreadsY;
  static constexpr int planes = VPlanes;
  static constexpr int polynomials = VPolynomials;
  static constexpr int minimumBlocks = VMinimumBlocks;
  static constexpr int threads = VThreadsX * VThreadsY;
};

/** Measured best on an H200; see benchmark/tuning. */
template <int VRadiusX>
struct BilateralDefaultShape
{
  using Type = BilateralShape<16, 8, 4, 1, 4>;
};
template <>
struct BilateralDefaultShape<1>
{
  using Type = BilateralShape<16, 8, 3, 0, 5>;
};
template <>
struct BilateralDefaultShape<2>
{
  using Type = BilateralShape<16, 8, 4, 2, 4>;
};
template <>
struct BilateralDefaultShape<6>
{
  using Type = BilateralShape<16, 16, 4, 1, 2>;
};
template <>
struct BilateralDefaultShape<7>
{
  using Type = BilateralShape<16, 16, 4, 1, 2>;
};

/** Blocks that a grid may have in y and z. */
constexpr int bilateralMostBlocks = 65535;

/** 2^x for x <= 0 by 10 instructions off the special function unit; relative error below 2e-7, 0 for -infinity.
 * Below 2^-126 it is some value below 2^-126. */
__device__ __forceinline__ float
Exp2OffSpecialUnit(float x)
{
  // As Exp2Polynomial, one degree lower. At the clamp r is 0 and p is 1, whose bits become those of 0.
  constexpr float roundingShift = 12582912.0f;
  const float     clamped = fmaxf(x, -127.0f);
  const float     shifted = clamped + roundingShift;
  const float     r = clamped - (shifted - roundingShift);
  float           p = 1.3264727e-3f;
  p = fmaf(p, r, 9.6715127e-3f);
  p = fmaf(p, r, 5.5507337e-2f);
  p = fmaf(p, r, 2.4022242e-1f);
  p = fmaf(p, r, 6.9314698e-1f);
  p = fmaf(p, r, 1.0f);
  return __uint_as_float((__float_as_uint(shifted) << 23) + __float_as_uint(p));
}

/** A weight; \p term numbers the exponentials of a row, over which the polynomials are spread. */
template <int VPolynomials>
__device__ __forceinline__ float
BilateralWeight(float exponent, int term)
{
  const bool polynomial = (term + 1) * VPolynomials / 20 != term * VPolynomials / 20;
  return polynomial ? Exp2OffSpecialUnit(exponent) : Exp2(exponent);
}

/** Quotient of the sums; the center makes \p weight at least 1. */
__device__ __forceinline__ float
BilateralMean(float weightedDifference, float weight)
{
  float reciprocal;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(weight));
  return weightedDifference * reciprocal;
}

/** Sums of 4 consecutive outputs, relative to the centers, which keeps rounding errors small beside the differences. */
struct BilateralSums
{
  float weight[4];
  float weightedDifference[4];
};

/** Adds a row of neighbors; \p row starts VRadius before output 0, \p exponent is the spatial exponent by |x|. */
template <int VRadius, int VPolynomials>
__device__ __forceinline__ void
AddBilateralRow(const float (&row)[4 + 2 * VRadius],
                const float (&exponent)[VRadius + 1],
                const float (&center)[4],
                BilateralSums & sums)
{
#pragma unroll
  for (int dx = -VRadius; dx <= VRadius; ++dx)
  {
#pragma unroll
    for (int i = 0; i < 4; ++i)
    {
      const float d = row[i + VRadius + dx] - center[i];
      const float w =
        BilateralWeight<VPolynomials>(BilateralExponent(exponent[dx < 0 ? -dx : dx], d), (dx + VRadius) * 4 + i);
      sums.weight[i] += w;
      sums.weightedDifference[i] = fmaf(w, d, sums.weightedDifference[i]);
    }
  }
}

/** Adds the centers' own row: pairs inside the 4 outputs are computed once, the centers themselves (weight 1,
 * difference 0) not at all. */
template <int VRadius, int VPolynomials>
__device__ __forceinline__ void
AddBilateralOwnRow(const float (&row)[4 + 2 * VRadius],
                   const float (&exponent)[VRadius + 1],
                   const float (&center)[4],
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
      const float w = BilateralWeight<VPolynomials>(BilateralExponent(exponent[dx < 0 ? -dx : dx], d), term++);
      sums.weight[i] += w;
      sums.weightedDifference[i] = fmaf(w, d, sums.weightedDifference[i]);
      if (j > i && j < 4)
      {
        sums.weight[j] += w;
        sums.weightedDifference[j] = fmaf(-w, d, sums.weightedDifference[j]);
      }
    }
  }
}

/** Reads a thread's part of a row, from VRadius before its first output on. */
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

/** The value itself, which the compiler will not compute anew inside a loop. */
__device__ __forceinline__ float
KeepInRegister(float value)
{
  asm volatile("" : "+f"(value));
  return value;
}

/** Adds a row to outputs [first, last]. \p own is the output whose own row it is. */
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
      AddBilateralOwnRow<VRadiusX, TShape::polynomials>(row, exponent, center[o], sums[o]);
    }
    else
    {
      AddBilateralRow<VRadiusX, TShape::polynomials>(row, exponent, center[o], sums[o]);
    }
  }
}

/** Adds the rows of plane \p z of the tile to those of outputs [z0, zEnd) that it is near enough to. \p from is where
 * the thread reads its first row; \p exponentX is the spatial exponent by |x|. */
template <int VRadiusX, typename TShape>
__device__ __forceinline__ void
AddBilateralPlane(const BilateralArguments & a,
                  const float *              from,
                  int                        z,
                  int                        z0,
                  int                        zEnd,
                  const float (&exponentX)[VRadiusX + 1],
                  const float (&center)[TShape::planes][4],
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
        row, first, last, z - z0, 0.0f, exponentZ, exponentX, center, sums);
    }
    else
    {
      const float exponentY = a.unitExponent[1] * static_cast<float>(dy * dy);
      AddBilateralRowToOutputs<VRadiusX, TShape, false>(
        row, first, last, z - z0, exponentY, exponentZ, exponentX, center, sums);
    }
  }
}

/** Writes 4 outputs from x on in a row, where the first is element \p index; excluded voxels keep their value. */
__device__ __forceinline__ void
WriteBilateralQuad(
  const BilateralArguments & a, int x, std::int64_t index, const float (&center)[4], const BilateralSums & sums)
{
  float change[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
  {
    change[i] = BilateralMean(sums.weightedDifference[i], sums.weight[i]) * a.inverseRangeScale;
  }
  if (a.inQuads)
  {
    float4 v = __ldg(reinterpret_cast<const float4 *>(a.input + index));
    v.x = center[0] == bilateralExcluded ? v.x : v.x + change[0];
    v.y = center[1] == bilateralExcluded ? v.y : v.y + change[1];
    v.z = center[2] == bilateralExcluded ? v.z : v.z + change[2];
    v.w = center[3] == bilateralExcluded ? v.w : v.w + change[3];
    *reinterpret_cast<float4 *>(a.output + index) = v;
    return;
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
  {
    if (x + i < a.size[0])
    {
      const float v = __ldg(a.input + index + i);
      a.output[index + i] = center[i] == bilateralExcluded ? v : v + change[i];
    }
  }
}

/** Reads input and mask, writes planes [zBegin, zEnd) of output. Each thread holds 4 x VPlanes outputs in registers
 * while the planes around them pass through shared memory, so that a row read once serves all of them. The order of the
 * additions does not depend on where a block starts in z. */
template <int VRadiusX, typename TShape>
static __global__ void
__launch_bounds__(TShape::threads, TShape::minimumBlocks) BilateralKernel(const BilateralArguments a)
{
  using Tile = BilateralTile<VRadiusX, TShape>;
  extern __shared__ float4 bilateralShared[];
  const int                threadY = threadIdx.x / TShape::threadsX;
  const int                threadX = threadIdx.x - threadY * TShape::threadsX;
  const int                x0 = blockIdx.x * 4 * TShape::threadsX;
  const int                y0 = blockIdx.y * TShape::threadsY;
  const int                z0 = a.zBegin + blockIdx.z * TShape::planes;
  const int                zEnd = min(z0 + TShape::planes, a.zEnd);
  const int                zFirst = max(z0 - a.radius[2], 0);
  const int                zLast = min(zEnd - 1 + a.radius[2], a.size[2] - 1);

  Tile tile(a, x0, y0, zFirst, reinterpret_cast<float *>(bilateralShared));
  tile.Load(zFirst);

  const int          x = x0 + 4 * threadX;
  const int          y = y0 + threadY;
  const bool         inside = x < a.size[0] && y < a.size[1];
  const std::int64_t plane = static_cast<std::int64_t>(a.size[0]) * a.size[1];
  const std::int64_t index = z0 * plane + static_cast<std::int64_t>(y) * a.size[0] + x;
  float              center[TShape::planes][4];
  BilateralSums      sums[TShape::planes];
#pragma unroll
  for (int o = 0; o < TShape::planes; ++o)
  {
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (inside && z0 + o < zEnd)
    {
      v = LoadBilateralQuad(a, x, index + o * plane);
    }
    center[o][0] = ScaleBilateralIntensity(a, v.x);
    center[o][1] = ScaleBilateralIntensity(a, v.y);
    center[o][2] = ScaleBilateralIntensity(a, v.z);
    center[o][3] = ScaleBilateralIntensity(a, v.w);
#pragma unroll
    for (int i = 0; i < 4; ++i)
    {
      sums[o].weight[i] = 1.0f;
      sums[o].weightedDifference[i] = 0.0f;
    }
  }
  float exponentX[VRadiusX + 1];
#pragma unroll
  for (int dx = 0; dx <= VRadiusX; ++dx)
  {
    exponentX[dx] = KeepInRegister(a.unitExponent[0] * static_cast<float>(dx * dx));
  }

#pragma unroll 1
  for (int z = zFirst; z <= zLast; ++z)
  {
    tile.Store(z);
    __syncthreads();
    if (z < zLast)
    {
      tile.Load(z + 1);
    }
    const float * const from = tile.Plane(z) + threadY * Tile::stride + 4 * threadX;
    AddBilateralPlane<VRadiusX, TShape>(a, from, z, z0, zEnd, exponentX, center, sums);
  }

#pragma unroll
  for (int o = 0; o < TShape::planes; ++o)
  {
    if (inside && z0 + o < zEnd)
    {
      WriteBilateralQuad(a, x, index + o * plane, center[o], sums[o]);
    }
  }
}

/** Whether BilateralKernel can be launched; otherwise BilateralFallbackKernel serves. */
inline bool
HasBilateralKernel(const BilateralArguments & a)
{
  return a.radius[0] <= 7 && a.radius[1] <= 15 && a.size[1] <= bilateralMostBlocks;
}

/** Launches BilateralKernel on [zBegin, zEnd). VRadiusX is radius[0], or more for an axis so short that it makes no
 * difference. */
template <int VRadiusX, typename TShape>
void
LaunchBilateral(BilateralArguments a, cudaStream_t stream)
{
  const auto sharedBytes = BilateralTile<VRadiusX, TShape>::SharedBytes(a.radius[1]);
  if (sharedBytes > 48 * 1024)
  {
    AllowAllSharedMemory(BilateralKernel<VRadiusX, TShape>);
  }
  const auto blocks = [](int count, int blockSize) {
    return static_cast<unsigned int>(DivideUp(std::int64_t{ count }, blockSize));
  };
  const int end = a.zEnd;
  for (; a.zBegin < end; a.zBegin = a.zEnd)
  {
    a.zEnd = std::min(end, a.zBegin + bilateralMostBlocks * TShape::planes);
    const dim3 grid(blocks(a.size[0], 4 * TShape::threadsX),
                    blocks(a.size[1], TShape::threadsY),
                    blocks(a.zEnd - a.zBegin, TShape::planes));
    BilateralKernel<VRadiusX, TShape><<<grid, TShape::threads, sharedBytes, stream>>>(a);
    CUDANEURO_CUDA_LAUNCHED("BilateralKernel");
  }
}

} // namespace gpu
} // namespace cudaneuro

#endif
