// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_smoothing_ColumnSmoothingKernel_cuh
#define cudaneuro_images_smoothing_ColumnSmoothingKernel_cuh

#include "cuda/ResidentBlocks.cuh"
#include "cuda/WarpReduce.cuh"
#include "images/smoothing/SmoothingMarch.cuh"

namespace cudaneuro
{

/** The number of planes that SmoothColumnsKernel processes at a time. */
constexpr int smoothingPlanes = 8;

template <int VRadius>
struct ColumnSmoothingArguments
{
  SmoothingVolumes          volumes;
  Extent                    extent;
  const int *               gate;
  unsigned int *            largestSquare;
  int                       chunkZ; // planes that a block writes
  bool                      zeroBeyond;
  SmoothingWeights<VRadius> weights;
};

/** The number of columns of a block of SmoothColumnsKernel, which has this many threads for each volume. */
constexpr int smoothingColumns = 64;

/** The values of one column, plane by plane. */
struct ColumnReader
{
  const float * column;
  std::int64_t  planeVoxels;
  int           planes;
  bool          zeroBeyond;

  /** Reads planes [z, z + smoothingPlanes), z >= 0. Outside the volume, the boundary condition gives the values. */
  __device__ __forceinline__ void
  Read(int z, float (&values)[smoothingPlanes]) const
  {
    if (z + smoothingPlanes <= planes)
    {
      const float * from = column + z * planeVoxels;
#pragma unroll
      for (int row = 0; row < smoothingPlanes; ++row)
      {
        values[row] = *from;
        from += planeVoxels;
      }
      return;
    }
#pragma unroll
    for (int row = 0; row < smoothingPlanes; ++row)
    {
      const int onGrid = min(z + row, planes - 1);
      values[row] = zeroBeyond && onGrid != z + row ? 0.0f : column[onGrid * planeVoxels];
    }
  }
};

/** The largest squared length of vectors whose three components are in three threads. All threads of a block must call
 * Include. */
struct LargestSquare
{
  using Squares = float[2][2][smoothingPlanes][smoothingColumns];
  unsigned int bits = 0;

  /** Includes the complete outputs of a march, starting at row \p first, as far as they are in [begin, end). */
  template <int VRadius>
  __device__ __forceinline__ void
  Include(Squares &                                             squares,
          int                                                   half,
          const MarchingConvolution<VRadius, smoothingPlanes> & march,
          int                                                   first,
          int                                                   begin,
          int                                                   end)
  {
    auto & others = squares[half];
    if (threadIdx.y > 0)
    {
#pragma unroll
      for (int row = 0; row < smoothingPlanes; ++row)
      {
        others[threadIdx.y - 1][row][threadIdx.x] = march.sums[row] * march.sums[row];
      }
    }
    // One barrier is enough, because runs use the halves alternately.
    __syncthreads();
    if (threadIdx.y == 0)
    {
#pragma unroll
      for (int row = 0; row < smoothingPlanes; ++row)
      {
        if (first + row >= begin && first + row < end)
        {
          const float square = others[0][row][threadIdx.x] + others[1][row][threadIdx.x];
          bits = max(bits, __float_as_uint(fmaf(march.sums[row], march.sums[row], square)));
        }
      }
    }
  }
};

/** Convolution along z, of columns [64 blockIdx.x, ...) of planes [chunkZ blockIdx.y, ...). Reads each volume \c from,
 * writes each \c to; these may be equal if gridDim.y is 1. With largestSquare there are three volumes, and it becomes
 * the maximum of itself and the bits of the largest squared length of the outputs. A block is
 * (smoothingColumns, number of volumes). */
template <int VRadius>
static __global__ void __launch_bounds__(3 * smoothingColumns,
                                         ResidentBlocks(VRadius <= 6 ? 6
                                                                     : (VRadius <= 14 ? 5 : (VRadius <= 20 ? 3 : 2)),
                                                        3 * smoothingColumns))
  SmoothColumnsKernel(const __grid_constant__ ColumnSmoothingArguments<VRadius> arguments)
{
  if (arguments.gate && *arguments.gate == 0)
  {
    return;
  }
  __shared__ LargestSquare::Squares squares;
  const std::int64_t                planeVoxels = std::int64_t{ arguments.extent.x } * arguments.extent.y;
  const std::int64_t                column = static_cast<std::int64_t>(blockIdx.x) * smoothingColumns + threadIdx.x;
  const bool                        isOnGrid = column < planeVoxels;
  const int                         beginZ = static_cast<int>(blockIdx.y) * arguments.chunkZ;
  const int                         endZ = min(beginZ + arguments.chunkZ, arguments.extent.z);
  // Threads outside the grid must reach the barriers, too; they read the last column.
  const ColumnReader reader{ arguments.volumes.from[threadIdx.y] + (isOnGrid ? column : planeVoxels - 1),
                             planeVoxels,
                             arguments.extent.z,
                             arguments.zeroBeyond };
  float * const      output = arguments.volumes.to[threadIdx.y] + column;
  const MarchingRange<smoothingPlanes> range(beginZ, endZ, arguments.extent.z, VRadius);

  using March = MarchingConvolution<VRadius, smoothingPlanes>;
  March         march;
  LargestSquare largest;
  float         values[smoothingPlanes];
  reader.Read(range.first, values);
  march.Begin(values[0], arguments.weights);
  for (int run = 0; run < range.runs + March::runsToFinish; ++run)
  {
    const int firstPlane = range.first + run * smoothingPlanes;
    if (run < range.runs)
    {
#pragma unroll
      for (int row = 0; row < smoothingPlanes; ++row)
      {
        march.Add(row, values[row], arguments.weights);
      }
      reader.Read(firstPlane + smoothingPlanes, values);
    }
    else if (run == range.runs)
    {
      // Beyond the last plane, the reader has returned that plane again.
      march.Finish(values[0], arguments.weights);
    }
    if (isOnGrid)
    {
      WriteComplete(march, output, planeVoxels, firstPlane - VRadius, beginZ, endZ);
    }
    if (arguments.largestSquare)
    {
      largest.Include(squares, run % 2, march, firstPlane - VRadius, beginZ, isOnGrid ? endZ : beginZ);
    }
    march.Shift();
  }
  if (arguments.largestSquare)
  {
    unsigned int ofWarp = largest.bits;
    ofWarp = WarpReduce(ofWarp, [](unsigned int a, unsigned int b) { return max(a, b); });
    if (threadIdx.x % 32 == 0)
    {
      atomicMax(arguments.largestSquare, ofWarp);
    }
  }
}

} // namespace cudaneuro

#endif
