// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_smoothing_PlaneSmoothingKernel_cuh
#define cudaneuro_images_smoothing_PlaneSmoothingKernel_cuh

#include "core/IntegerMath.h"
#include "cuda/ResidentBlocks.cuh"
#include "images/smoothing/SmoothingMarch.cuh"

#include <cuda_pipeline.h>

namespace cudaneuro
{

/** The number of rows that SmoothPlanesKernel processes at a time, a multiple of rowsSideBySide. */
constexpr int smoothingRows = 16;
/** Rows that neighboring threads convolve along x, so that they read different banks of shared memory. */
constexpr int rowsSideBySide = 8;
/** The number of outputs along x that a thread computes. */
constexpr int smoothingRun = 8;
/** The largest number of columns, and of threads, of a block of SmoothPlanesKernel. */
constexpr int smoothingTile = 256;

template <int VRadius>
struct PlaneSmoothingArguments
{
  SmoothingVolumes          volumes;
  Extent                    extent;
  const int *               gate;
  int                       tileX; // columns of a block; a multiple of smoothingRun
  int                       tilesX;
  int                       chunkY; // rows that a block writes
  int                       chunksY;
  bool                      zeroBeyond;
  bool                      quadsAligned; // rows start at multiples of 16 bytes
  bool                      alongX;
  bool                      alongY;
  SmoothingWeights<VRadius> weightsX;
  SmoothingWeights<VRadius> weightsY;
};

/** Shared memory of SmoothPlanesKernel: two runs of input rows with a margin on both sides, and one of results. */
template <int VRadius>
struct PlaneSmoothingTile
{
  /** Columns on either side, rounded up so that all reads are of aligned quads. */
  static constexpr int margin = RoundUp(VRadius, 4);

  /** Returns the row pitch in floats: 4 more than a multiple of the 32 banks, so that quads that 8 threads read from 8
   * rows are in different banks. */
  CUDANEURO_HOST_DEVICE static int
  InputPitch(int tileX)
  {
    return RoundUp(tileX + 2 * margin, 32) + 4;
  }
  CUDANEURO_HOST_DEVICE static int
  ResultPitch(int tileX)
  {
    return RoundUp(tileX, 32) + 4;
  }
  static std::size_t
  SharedBytes(int tileX)
  {
    return static_cast<std::size_t>(smoothingRows) * (2 * InputPitch(tileX) + ResultPitch(tileX)) * sizeof(float);
  }
};

/** Starts copying the columns of a row that are on the grid, VWidth floats at a time, with the lanes of a warp. \p from
 * and \p to are the addresses of column \p left. */
template <int VRadius, int VWidth>
__device__ __forceinline__ void
StartColumns(const PlaneSmoothingArguments<VRadius> & arguments, const float * from, int left, float * to)
{
  constexpr int margin = PlaneSmoothingTile<VRadius>::margin;
  constexpr int parts = DivideUp(smoothingTile + 2 * margin, 32 * VWidth);
  const int     begin = max(0, -left);
  const int     end = min(arguments.tileX + 2 * margin, arguments.extent.x - left);
  const int     lane = static_cast<int>(threadIdx.x) % 32 * VWidth;
#pragma unroll
  for (int part = 0; part < parts; ++part)
  {
    const int column = lane + part * 32 * VWidth;
    if (column >= begin && column < end)
    {
      __pipeline_memcpy_async(to + column, from + column, VWidth * sizeof(float));
    }
  }
}

/** Fills the columns outside the grid, at most \c margin on either side, with the outermost values or with
 * zeros. */
template <int VRadius>
__device__ __forceinline__ void
StartColumnsBeyond(const PlaneSmoothingArguments<VRadius> & arguments, const float * from, int left, float * to)
{
  constexpr int margin = PlaneSmoothingTile<VRadius>::margin;
  const int     lane = static_cast<int>(threadIdx.x) % 32;
  const auto    fill = [&](int column, int source) {
    if (arguments.zeroBeyond)
    {
      to[column] = 0.0f;
    }
    else
    {
      __pipeline_memcpy_async(to + column, from + source, sizeof(float));
    }
  };
  if (lane < -left)
  {
    fill(lane, -left);
  }
  const int right = arguments.extent.x - left;
  if (lane < margin && right + lane < arguments.tileX + 2 * margin)
  {
    fill(right + lane, right - 1);
  }
}

/** Starts copying smoothingRows rows of a plane to shared memory, from row \p firstRow >= 0 and column x0 - margin on.
 * Outside the grid, the boundary condition gives the values. A warp copies whole rows. */
template <int VRadius>
__device__ __forceinline__ void
StartRows(const PlaneSmoothingArguments<VRadius> & arguments, const float * plane, int x0, int firstRow, float * shared)
{
  using Tile = PlaneSmoothingTile<VRadius>;
  const Extent & extent = arguments.extent;
  const int      pitch = Tile::InputPitch(arguments.tileX);
  const int      left = x0 - Tile::margin;
  for (int row = static_cast<int>(threadIdx.x) / 32; row < smoothingRows; row += static_cast<int>(blockDim.x) / 32)
  {
    const int           y = min(firstRow + row, extent.y - 1);
    const float * const from = plane + (std::int64_t{ y } * extent.x + left);
    float * const       to = shared + row * pitch;
    if (arguments.zeroBeyond && y != firstRow + row)
    {
      for (int column = static_cast<int>(threadIdx.x) % 32; column < pitch; column += 32)
      {
        to[column] = 0.0f;
      }
      continue;
    }
    if (arguments.quadsAligned)
    {
      StartColumns<VRadius, 4>(arguments, from, left, to);
    }
    else
    {
      StartColumns<VRadius, 1>(arguments, from, left, to);
    }
    StartColumnsBeyond(arguments, from, left, to);
  }
}

/** Convolves along x: a thread computes smoothingRun outputs of one of the rowsSideBySide rows from \p firstRow on. */
template <int VRadius>
__device__ __forceinline__ void
ConvolveRun(const PlaneSmoothingArguments<VRadius> & arguments, int firstRow, const float * input, float * results)
{
  using Tile = PlaneSmoothingTile<VRadius>;
  constexpr int        count = smoothingRun + 2 * Tile::margin;
  const int            row = firstRow + static_cast<int>(threadIdx.x) % rowsSideBySide;
  const int            column = static_cast<int>(threadIdx.x) / rowsSideBySide * smoothingRun;
  const float4 * const from =
    reinterpret_cast<const float4 *>(input + row * Tile::InputPitch(arguments.tileX) + column);
  float sums[smoothingRun];
  if (arguments.alongX)
  {
#pragma unroll
    for (int i = 0; i < smoothingRun; ++i)
    {
      sums[i] = 0.0f;
    }
#pragma unroll
    for (int first = 0; first < count; first += 4)
    {
      const float4 quad = from[first / 4];
      const float  values[4] = { quad.x, quad.y, quad.z, quad.w };
#pragma unroll
      for (int k = 0; k < 4; ++k)
      {
#pragma unroll
        for (int i = 0; i < smoothingRun; ++i)
        {
          const int offset = first + k - Tile::margin - i;
          const int distance = offset < 0 ? -offset : offset;
          if (distance <= VRadius)
          {
            sums[i] = fmaf(arguments.weightsX.of[distance], values[k], sums[i]);
          }
        }
      }
    }
  }
  else
  {
#pragma unroll
    for (int first = 0; first < smoothingRun; first += 4)
    {
      const float4 quad = from[(Tile::margin + first) / 4];
      sums[first] = quad.x;
      sums[first + 1] = quad.y;
      sums[first + 2] = quad.z;
      sums[first + 3] = quad.w;
    }
  }
  float4 * const to = reinterpret_cast<float4 *>(results + row * Tile::ResultPitch(arguments.tileX) + column);
#pragma unroll
  for (int first = 0; first < smoothingRun; first += 4)
  {
    to[first / 4] = make_float4(sums[first], sums[first + 1], sums[first + 2], sums[first + 3]);
  }
}

/** Does the march of a block along y: writes rows [beginY, endY) of columns [x0, x0 + tileX) of a plane. */
template <int VRadius>
__device__ __forceinline__ void
MarchPlane(const PlaneSmoothingArguments<VRadius> & arguments,
           const float *                            plane,
           float *                                  output,
           int                                      x0,
           int                                      beginY,
           int                                      endY,
           float *                                  shared)
{
  using Tile = PlaneSmoothingTile<VRadius>;
  using March = MarchingConvolution<VRadius, smoothingRows>;
  const int                          inputFloats = smoothingRows * Tile::InputPitch(arguments.tileX);
  float * const                      results = shared + 2 * inputFloats;
  const int                          resultPitch = Tile::ResultPitch(arguments.tileX);
  const int                          column = static_cast<int>(threadIdx.x);
  const bool                         isOfTile = column < arguments.tileX;
  const bool                         isOnGrid = isOfTile && x0 + column < arguments.extent.x;
  const MarchingRange<smoothingRows> range(beginY, endY, arguments.extent.y, VRadius);
  March                              march;

  StartRows(arguments, plane, x0, range.first, shared);
  __pipeline_commit();
  for (int run = 0; run < range.runs + March::runsToFinish; ++run)
  {
    const int firstRow = range.first + run * smoothingRows;
    if (run < range.runs)
    {
      __pipeline_wait_prior(0);
      // After this barrier all threads have also read the other half and the results of the previous run.
      __syncthreads();
      if (run + 1 < range.runs)
      {
        StartRows(arguments, plane, x0, firstRow + smoothingRows, shared + ((run + 1) % 2) * inputFloats);
      }
      __pipeline_commit();
      if (isOfTile)
      {
#pragma unroll 1
        for (int row = 0; row < smoothingRows; row += rowsSideBySide)
        {
          ConvolveRun(arguments, row, shared + (run % 2) * inputFloats, results);
        }
      }
      __syncthreads();
      const float * const values = results + column;
      if (arguments.alongY)
      {
        if (run == 0)
        {
          march.Begin(values[0], arguments.weightsY);
        }
#pragma unroll
        for (int row = 0; row < smoothingRows; ++row)
        {
          march.Add(row, values[row * resultPitch], arguments.weightsY);
        }
      }
      else
      {
#pragma unroll
        for (int row = 0; row < smoothingRows; ++row)
        {
          march.Pass(row, values[row * resultPitch]);
        }
      }
    }
    else if (run == range.runs && arguments.alongY)
    {
      march.Finish(results[(smoothingRows - 1) * resultPitch + column], arguments.weightsY);
    }
    if (isOnGrid)
    {
      WriteComplete(march, output + (x0 + column), arguments.extent.x, firstRow - VRadius, beginY, endY);
    }
    march.Shift();
  }
}

/** Convolution along x and y. Reads each volume \c from, writes each \c to; these may be equal only if tilesX and
 * chunksY are 1. Launched with tileX threads, rounded up to whole warps, and Tile::SharedBytes. */
template <int VRadius>
static __global__ void
__launch_bounds__(smoothingTile, ResidentBlocks(VRadius <= 6 ? 4 : (VRadius <= 16 ? 3 : 2), smoothingTile))
  SmoothPlanesKernel(const __grid_constant__ PlaneSmoothingArguments<VRadius> arguments)
{
  if (arguments.gate && *arguments.gate == 0)
  {
    return;
  }
  extern __shared__ float4 sharedQuads[];
  float * const            shared = reinterpret_cast<float *>(sharedQuads);
  const std::int64_t       parts = std::int64_t{ arguments.tilesX } * arguments.chunksY;
  const std::int64_t       planes = std::int64_t{ arguments.volumes.count } * arguments.extent.z;
  const std::int64_t       planeVoxels = std::int64_t{ arguments.extent.x } * arguments.extent.y;
  for (std::int64_t item = blockIdx.x; item < parts * planes; item += gridDim.x)
  {
    const std::int64_t plane = item / parts;
    const int          part = static_cast<int>(item - plane * parts);
    const int          volume = static_cast<int>(plane / arguments.extent.z);
    const std::int64_t first = (plane - std::int64_t{ volume } * arguments.extent.z) * planeVoxels;
    const int          beginY = part / arguments.tilesX * arguments.chunkY;
    MarchPlane(arguments,
               arguments.volumes.from[volume] + first,
               arguments.volumes.to[volume] + first,
               part % arguments.tilesX * arguments.tileX,
               beginY,
               min(beginY + arguments.chunkY, arguments.extent.y),
               shared);
    __syncthreads();
  }
}

} // namespace cudaneuro

#endif
