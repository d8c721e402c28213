// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralKernel_cuh
#define cudaneuro_denoising_bilateral_BilateralKernel_cuh

#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "cuda/SharedMemoryLimit.h"
#include "denoising/bilateral/BilateralSums.cuh"

namespace cudaneuro::gpu
{

/** Writes the 4 outputs from x on in a row, the first of which is element \p index. Excluded voxels keep their input
 * value. */
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
  if (a.isQuadAligned)
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
    if (x + i < a.size.x)
    {
      const float v = __ldg(a.input + index + i);
      a.output[index + i] = center[i] == bilateralExcluded ? v : v + change[i];
    }
  }
}

/** Reads input, mask and, with a map, the noise; writes planes [zBegin, zEnd) of the output. Each thread keeps
 * 4 x TShape::planes outputs in registers while the planes around them pass through shared memory, so that a row read
 * once serves all of them. The order of additions does not depend on where a block starts in z. */
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
  const int                zLast = min(zEnd - 1 + a.radius[2], a.size.z - 1);

  Tile tile(a, x0, y0, zFirst, reinterpret_cast<float *>(bilateralShared));
  tile.Load(zFirst);

  const int          x = x0 + 4 * threadX;
  const int          y = y0 + threadY;
  const bool         inside = x < a.size.x && y < a.size.y;
  const std::int64_t plane = static_cast<std::int64_t>(a.size.x) * a.size.y;
  const std::int64_t index = z0 * plane + static_cast<std::int64_t>(y) * a.size.x + x;
  float              center[TShape::planes][4];
  float              precision[TShape::planes][4];
  BilateralSums      sums[TShape::planes];
#pragma unroll
  for (int o = 0; o < TShape::planes; ++o)
  {
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (inside && z0 + o < zEnd)
    {
      v = LoadBilateralQuad<TShape::hasMap>(a, x, index + o * plane);
    }
    center[o][0] = ScaleBilateralIntensity(a, v.x);
    center[o][1] = ScaleBilateralIntensity(a, v.y);
    center[o][2] = ScaleBilateralIntensity(a, v.z);
    center[o][3] = ScaleBilateralIntensity(a, v.w);
#pragma unroll
    for (int i = 0; i < 4; ++i)
    {
      precision[o][i] = 1.0f;
      if (TShape::hasMap && y < a.size.y && x + i < a.size.x && z0 + o < zEnd)
      {
        precision[o][i] = LoadBilateralPrecision<TShape::hasMap>(a, index + o * plane + i);
      }
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
    AddBilateralPlane<VRadiusX, TShape>(a, from, z, z0, zEnd, exponentX, center, precision, sums);
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

/** The maximum number of blocks of a CUDA grid in y and in z. */
constexpr int bilateralMostBlocks = 65535;

/** Returns whether BilateralKernel supports these radii and sizes. BilateralFallbackKernel supports all. */
inline bool
HasBilateralKernel(const BilateralArguments & a)
{
  return a.radius[0] <= 7 && a.radius[1] <= 15 && a.size.y <= bilateralMostBlocks;
}

/** Launches BilateralKernel on planes [zBegin, zEnd). VRadiusX is at least radius[0]; it may be more on an axis of size
 * 1, which has no neighbors. */
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
    const dim3 grid(blocks(a.size.x, 4 * TShape::threadsX),
                    blocks(a.size.y, TShape::threadsY),
                    blocks(a.zEnd - a.zBegin, TShape::planes));
    BilateralKernel<VRadiusX, TShape><<<grid, TShape::threads, sharedBytes, stream>>>(a);
    CUDANEURO_CUDA_LAUNCHED("BilateralKernel");
  }
}

} // namespace cudaneuro::gpu

#endif
