// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansColumn_cuh
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansColumn_cuh

#include "denoising/nonlocalmeans/NonLocalMeansShape.cuh"
#include "denoising/nonlocalmeans/NonLocalMeansTile.cuh"

namespace cudaneuro::gpu
{

/* The operations that the columns of both weightings share. A column is one thread's work: voxels along z at one x and
 * several y. */

/** Sums 2 VRadius + 1 successive inputs for each of VCount outputs. Neighboring outputs share all but their outermost
 * terms, and the shared terms are summed in pairs, which takes two to three additions per output. */
template <int VCount, int VRadius>
__device__ __forceinline__ void
BoxSums(const float (&in)[VCount + 2 * VRadius], float (&out)[VCount])
{
  if constexpr (VRadius == 0)
  {
#pragma unroll
    for (int i = 0; i < VCount; ++i)
    {
      out[i] = in[i];
    }
  }
  else
  {
    constexpr int numberOfPairs = (VCount + 1) / 2 + VRadius - 1;
    float         pairs[numberOfPairs];
#pragma unroll
    for (int i = 0; i < numberOfPairs; ++i)
    {
      pairs[i] = in[2 * i + 1] + in[2 * i + 2];
    }
#pragma unroll
    for (int i = 0; i < VCount; i += 2)
    {
      float middle = pairs[i / 2];
#pragma unroll
      for (int j = 1; j < VRadius; ++j)
      {
        middle += pairs[i / 2 + j];
      }
      out[i] = in[i] + middle;
      if (i + 1 < VCount)
      {
        out[i + 1] = middle + in[i + 2 * VRadius + 1];
      }
    }
  }
}

/** Returns the sum over the lanes within VRadius of this one. It is valid in lanes [VRadius, 32 - VRadius). */
template <int VRadius>
__device__ __forceinline__ float
LaneBoxSum(float value)
{
  constexpr unsigned int all = 0xffffffffu;
  if constexpr (VRadius == 0)
  {
    return value;
  }
  else
  {
    float half = value;
#pragma unroll
    for (int i = 1; i < VRadius; ++i)
    {
      half += __shfl_down_sync(all, value, i);
    }
    return __shfl_up_sync(all, half, VRadius) + value + __shfl_down_sync(all, half, 1);
  }
}

/** Adds weight * value to one sum and weight to the other unless \p tileValue is excluded. Volatile, because the
 * compiler would otherwise keep the comparisons of all values for their next use and run out of registers. */
__device__ __forceinline__ void
AddIfTakesPart(float tileValue, float value, float weight, float & weightedSum, float & weightSum)
{
  asm volatile("{\n\t"
               ".reg .pred takesPart;\n\t"
               "setp.lt.f32 takesPart, %2, %5;\n\t"
               "@takesPart fma.rn.f32 %0, %3, %4, %0;\n\t"
               "@takesPart add.f32 %1, %1, %3;\n\t"
               "}"
               : "+f"(weightedSum), "+f"(weightSum)
               : "f"(tileValue), "f"(weight), "f"(value), "f"(nonLocalMeansExcludedLimit));
}


template <int VRows, int VColumns>
__device__ __forceinline__ void
SetToZero(float (&values)[VRows][VColumns])
{
#pragma unroll
  for (int row = 0; row < VRows; ++row)
  {
#pragma unroll
    for (int column = 0; column < VColumns; ++column)
    {
      values[row][column] = 0.0f;
    }
  }
}

/** Moves all planes of a ring one place down; the caller must read the last plane. */
template <int VRows, int VPlanes>
__device__ __forceinline__ void
MovePlanesDown(float (&ring)[VRows][VPlanes])
{
#pragma unroll
  for (int row = 0; row < VRows; ++row)
  {
#pragma unroll
    for (int plane = 0; plane < VPlanes - 1; ++plane)
    {
      ring[row][plane] = ring[row][plane + 1];
    }
  }
}

/** Reads the thread's centers, starting at plane \p firstPlane of the tile, with the sign of excluded ones flipped. */
template <typename TTile, int VRows, int VPlanes>
__device__ __forceinline__ void
ReadCenters(
  const NonLocalMeansArguments & a, const TTile & tile, int firstPlane, int firstRow, float (&centers)[VRows][VPlanes])
{
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int plane = 0; plane < VPlanes; ++plane)
  {
    const float * values = tile.Plane(firstPlane + plane) + a.window[0] + lane;
#pragma unroll
    for (int row = 0; row < VRows; ++row)
    {
      centers[row][plane] = FlipExcluded(values[(firstRow + a.window[1] + row) * TTile::pitch]);
    }
  }
}

/** RelativePrecision() of some rows and planes at a thread's x. Columns derive from it, so that without a map, where
 * the precision is 1, nothing is stored. */
template <bool VMap, int VRows, int VPlanes>
struct NonLocalMeansPrecision
{
  float precision[VRows][VPlanes];

  /** Reads the rows from \p y and the planes from \p z on; outside the image the precision is meaningless. */
  __device__ __forceinline__ void
  ReadPrecision(const NonLocalMeansArguments & a, int x, int y, int z)
  {
#pragma unroll
    for (int plane = 0; plane < VPlanes; ++plane)
    {
#pragma unroll
      for (int row = 0; row < VRows; ++row)
      {
        const bool inX = x >= 0 && x < a.size.x;
        const bool inY = y + row >= 0 && y + row < a.size.y;
        const bool inZ = z + plane >= 0 && z + plane < a.size.z;
        const auto voxel = (static_cast<std::int64_t>(z + plane) * a.size.y + y + row) * a.size.x + x;
        precision[row][plane] = inX && inY && inZ ? PrecisionOfVoxel<true>(a, voxel) : 1.0f;
      }
    }
  }
  __device__ __forceinline__ float
  Precision(int row, int plane) const
  {
    return precision[row][plane];
  }

  /** Returns \p squared times the precision. */
  __device__ __forceinline__ float
  Scaled(float squared, int row, int plane) const
  {
    return squared * precision[row][plane];
  }
};
template <int VRows, int VPlanes>
struct NonLocalMeansPrecision<false, VRows, VPlanes>
{
  __device__ __forceinline__ void
  ReadPrecision(const NonLocalMeansArguments &, int, int, int)
  {}
  __device__ __forceinline__ float
  Precision(int, int) const
  {
    return 1.0f;
  }
  __device__ __forceinline__ float
  Scaled(float squared, int, int) const
  {
    return squared;
  }
};

/** Calls write(row, plane, voxel) for the thread's outputs of a strip, from plane \p z on, that lie in the image and in
 * planes [zBegin, zEnd). */
template <int VPatch, int VRows, int VPlanes, typename TTile, typename TWrite>
__device__ __forceinline__ void
ForEachOutput(
  const NonLocalMeansArguments & a, const TTile & tile, int firstRow, int z, int zBegin, int zEnd, const TWrite & write)
{
  const int lane = threadIdx.x % 32;
  const int x = tile.xFirst + a.window[0] + lane;
  if (lane < VPatch || lane >= 32 - VPatch || x >= a.size.x)
  {
    return;
  }
#pragma unroll
  for (int plane = 0; plane < VPlanes; ++plane)
  {
#pragma unroll
    for (int row = 0; row < VRows; ++row)
    {
      const int y = tile.yFirst + firstRow + VPatch + a.window[1] + row;
      if (y < a.size.y && z + plane >= zBegin && z + plane < zEnd)
      {
        write(row, plane, (static_cast<std::int64_t>(z + plane) * a.size.y + y) * a.size.x + x);
      }
    }
  }
}

} // namespace cudaneuro::gpu

#endif
