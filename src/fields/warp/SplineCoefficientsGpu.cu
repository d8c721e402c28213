// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/warp/SplineCoefficients.h"

#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"
#include "fields/warp/SplineFormulas.h"

#include <utility>

/** GPU kernels of the coefficients. A thread filters a part of a line, with its values in registers. It also reads
 * splineHorizon voxels on either side of its part, which neighbors in its block read, too. */
namespace cudaneuro::gpu
{
namespace
{

constexpr int partLength = 32;

/** Rows are transposed in shared memory, so that the threads of a warp filter parts of different rows. */
constexpr int rowsOfBlock = 32;
constexpr int partsOfBlock = 4;
constexpr int rowThreads = rowsOfBlock * partsOfBlock;
constexpr int segmentLength = partLength * partsOfBlock;
constexpr int segmentWithEnds = segmentLength + 2 * splineHorizon;

/** Returns a pitch that is one more than a multiple of the banks, so that different rows use different banks. */
constexpr int
OddPitch(int length)
{
  return length / 2 * 2 + 1;
}

struct RowArguments
{
  int           length;
  std::int64_t  rows;
  unsigned int  segments; // of a row
  const float * from;
  float *       to;
  int *         hasNotFinite; // set to 1 if a voxel is not finite
};

/** Reads the rows of a volume, and writes their coefficients to another. A block processes a segment of 32 rows. */
__global__ void
__launch_bounds__(rowThreads) RowKernel(const __grid_constant__ RowArguments arguments)
{
  __shared__ float   values[rowsOfBlock * OddPitch(segmentWithEnds)];
  __shared__ float   coefficients[rowsOfBlock * OddPitch(segmentLength)];
  const int          length = arguments.length;
  const std::int64_t firstRow = static_cast<std::int64_t>(blockIdx.x / arguments.segments) * rowsOfBlock;
  const int          rows = static_cast<int>(min(std::int64_t{ rowsOfBlock }, arguments.rows - firstRow));
  const int          begin = static_cast<int>(blockIdx.x % arguments.segments) * segmentLength;
  const int          end = min(begin + segmentLength, length);
  const int          lane = static_cast<int>(threadIdx.x) % 32;
  const int          warp = static_cast<int>(threadIdx.x) / 32;
  bool               isFinite = true;
  for (int row = warp; row < rows; row += rowThreads / 32)
  {
    const float * const from = arguments.from + (firstRow + row) * length;
    for (int i = lane; i < end - begin + 2 * splineHorizon; i += 32)
    {
      const int x = MirroredPlace(begin - splineHorizon + i, length);
      float     value = from[x];
      if (!IsFinite(value))
      {
        isFinite = false;
        value = FiniteValue(from, x, length);
      }
      values[row * OddPitch(segmentWithEnds) + i] = value;
    }
  }
  if (!isFinite)
  {
    atomicOr(arguments.hasNotFinite, 1);
  }
  __syncthreads();
  const int partBegin = warp * partLength;
  if (lane < rows && begin + partBegin < end)
  {
    const float * const own = values + lane * OddPitch(segmentWithEnds) + splineHorizon;
    float * const       result = coefficients + lane * OddPitch(segmentLength);
    float               causal[partLength + splineHorizon];
    // Values beyond the mirrored end of a row are not stored, because no coefficient of the row needs them.
    const int last = end - begin + splineHorizon - 1;
    FilterSpline<float>(
      partBegin,
      partLength,
      causal,
      [=](int i) { return own[min(i, last)]; },
      [=](int i, float coefficient) { result[i] = coefficient; });
  }
  __syncthreads();
  for (int row = warp; row < rows; row += rowThreads / 32)
  {
    float * const to = arguments.to + (firstRow + row) * length + begin;
    for (int i = lane; i < end - begin; i += 32)
    {
      // A line of one voxel is its own coefficient.
      to[i] = length == 1 ? values[row * OddPitch(segmentWithEnds) + splineHorizon]
                          : coefficients[row * OddPitch(segmentLength) + i];
    }
  }
}

constexpr int lineThreadsX = 32;
constexpr int lineParts = 8;
constexpr int lineThreads = lineThreadsX * lineParts;

struct LineArguments
{
  int           rowLength;
  int           length; // of lines
  std::int64_t  stride; // between the voxels of a line
  unsigned int  blocksOfRow;
  unsigned int  blocksOfLine;
  std::int64_t  rowsBetween; // rows with first voxels of other lines: stride / rowLength
  const float * from;
  float *       to;
};

/** Reads lines along y or z, and writes their coefficients to another volume. A block processes eight parts of 32 lines
 * that are neighbors along x. */
__global__ void
__launch_bounds__(lineThreads, 2) LineKernel(const __grid_constant__ LineArguments arguments)
{
  const unsigned int blockOfLines = blockIdx.x / arguments.blocksOfLine;
  const unsigned int row = blockOfLines / arguments.blocksOfRow;
  const int          x = static_cast<int>((blockOfLines % arguments.blocksOfRow) * lineThreadsX + threadIdx.x);
  const int          length = arguments.length;
  const int begin = static_cast<int>((blockIdx.x % arguments.blocksOfLine) * lineParts + threadIdx.y) * partLength;
  if (x >= arguments.rowLength || begin >= length)
  {
    return;
  }
  const std::int64_t  stride = arguments.stride;
  const std::int64_t  rowsBetween = arguments.rowsBetween;
  const std::int64_t  first = (row / rowsBetween * rowsBetween * length + row % rowsBetween) * arguments.rowLength + x;
  const float * const from = arguments.from + first;
  float * const       to = arguments.to + first;
  float               causal[partLength + splineHorizon];
  const auto          filter = [&](const auto & load) {
    FilterSpline<float>(begin, partLength, causal, load, [=](int place, float coefficient) {
      if (place < length)
      {
        to[place * stride] = coefficient;
      }
    });
  };
  if (begin >= splineHorizon && begin + partLength + splineHorizon <= length)
  {
    filter([=](int place) { return from[place * stride]; });
  }
  else
  {
    filter([=](int place) { return from[MirroredPlace(place, length) * stride]; });
  }
}

void
FilterLines(cudaStream_t stream, const Extent & extent, int length, std::int64_t stride, const float * from, float * to)
{
  LineArguments arguments{};
  arguments.rowLength = extent.x;
  arguments.length = length;
  arguments.stride = stride;
  arguments.blocksOfRow = static_cast<unsigned int>(DivideUp(extent.x, lineThreadsX));
  arguments.blocksOfLine = static_cast<unsigned int>(DivideUp(length, partLength * lineParts));
  arguments.rowsBetween = stride / extent.x;
  arguments.from = from;
  arguments.to = to;
  const std::int64_t rows = NumberOfVoxels(extent) / extent.x / length;
  const std::int64_t blocks = rows * arguments.blocksOfRow * arguments.blocksOfLine;
  LineKernel<<<static_cast<unsigned int>(blocks), dim3(lineThreadsX, lineParts), 0, stream>>>(arguments);
  CUDANEURO_CUDA_LAUNCHED("LineKernel");
}

} // namespace

SplineCoefficients
MakeSplineCoefficients(Context & context, const Extent & extent, const float * volume)
{
  const GpuContext & gpu = GpuOf(context);
  const cudaStream_t stream = gpu.ComputeStream();
  const auto         bytes = static_cast<std::size_t>(NumberOfVoxels(extent)) * sizeof(float);
  SplineCoefficients coefficients;
  coefficients.values = context.Allocate(bytes);
  coefficients.hasNotFinite = context.Allocate(sizeof(int));
  CUDANEURO_CUDA(cudaMemsetAsync(coefficients.hasNotFinite.Data(), 0, sizeof(int), stream));
  const std::int64_t rows = std::int64_t{ extent.y } * extent.z;
  const auto         segments = static_cast<unsigned int>(DivideUp(extent.x, segmentLength));
  const auto         blocks = static_cast<unsigned int>(DivideUp(rows, rowsOfBlock) * segments);
  RowKernel<<<blocks, rowThreads, 0, stream>>>({ extent.x,
                                                 rows,
                                                 segments,
                                                 volume,
                                                 static_cast<float *>(coefficients.values.Data()),
                                                 static_cast<int *>(coefficients.hasNotFinite.Data()) });
  CUDANEURO_CUDA_LAUNCHED("RowKernel");
  DeviceMemory other;
  const auto   filterLines = [&](int length, std::int64_t stride) {
    if (length > 1)
    {
      if (other.Data() == nullptr)
      {
        other = context.Allocate(bytes);
      }
      FilterLines(stream,
                  extent,
                  length,
                  stride,
                  static_cast<const float *>(coefficients.values.Data()),
                  static_cast<float *>(other.Data()));
      std::swap(coefficients.values, other);
    }
  };
  filterLines(extent.y, extent.x);
  filterLines(extent.z, std::int64_t{ extent.x } * extent.y);
  return coefficients;
}

} // namespace cudaneuro::gpu
