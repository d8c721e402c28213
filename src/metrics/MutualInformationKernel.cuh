// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_MutualInformationKernel_cuh
#define cudaneuro_metrics_MutualInformationKernel_cuh

#include "cuda/ResidentBlocks.cuh"
#include "cuda/WarpReduce.cuh"
#include "metrics/ColumnVoxels.cuh"
#include "metrics/JointHistogram.cuh"
#include "metrics/MetricSums.cuh"
#include "metrics/MovingQuads.cuh"
#include "metrics/PackFixedKernel.cuh"

namespace cudaneuro::gpu
{

/** Of the three kernels, for a number of maps; blockIdx.y is the map. */
struct MutualInformationArguments
{
  ComparedImages<PackOfRows> images;
  MovingQuads                quads;
  int                        bins;
  const OrderedTransform *   maps;       // one for each map
  std::uint64_t *            histograms; // HistogramElements for each map, 0 between calls
  float *                    logs;       // HistogramElements for each map
  MapSums                    sums;
};

/** Reads fixed image, moving image and maps, and adds to the histograms. The dynamic shared memory has VCopies copies
 * of HistogramElements. A block goes through tiles, a warp each, at a distance of all of the map's blocks; the number of blocks
 * changes no result. */
template <int VThreads, int VCopies, int VVoxels, bool VMask>
__global__ void
__launch_bounds__(VThreads, ResidentBlocks(1024 / VThreads, VThreads))
  HistogramKernel(const __grid_constant__ MutualInformationArguments arguments)
{
  extern __shared__ float4       sharedMemory[];
  const SharedHistogram<VCopies> histogram(sharedMemory, arguments.bins);
  histogram.Clear();
  __syncthreads();
  constexpr int                  warps = VThreads / lanesOfTile;
  const OrderedTransform &       map = arguments.maps[blockIdx.y];
  const FixedImage<PackOfRows> & fixed = arguments.images.fixed[map.order];
  const int                      lane = static_cast<int>(threadIdx.x) % lanesOfTile;
  for (int tile = static_cast<int>(blockIdx.x * warps + threadIdx.x / lanesOfTile); tile < fixed.columns.tiles;
       tile += static_cast<int>(gridDim.x) * warps)
  {
    ForVoxelsOfTile<VMask, VVoxels>(
      fixed,
      arguments.images.moving,
      map.transform,
      tile,
      StartOfColumn(fixed.columns, tile, lane),
      [&](const MovingCell & cell) {
        return Interpolate(cell, arguments.quads.LoadEdges(cell, arguments.images.moving.stepZ));
      },
      [&](unsigned int row, float intensity, float) { histogram.Add(row, intensity); });
  }
  __syncthreads();
  const int             elements = HistogramElements(arguments.bins);
  std::uint64_t * const sums = arguments.histograms + static_cast<std::size_t>(blockIdx.y) * elements;
  for (int i = static_cast<int>(threadIdx.x); i < elements; i += VThreads)
  {
    const std::uint64_t sum = histogram.Element(i);
    if (sum != 0)
    {
      atomicAdd(reinterpret_cast<unsigned long long *>(sums + i), static_cast<unsigned long long>(sum));
    }
  }
}

constexpr int tableThreads = 256;

/** A map's histogram with the sums of its rows and columns, in shared memory. */
struct HistogramSums
{
  std::uint64_t * joint;
  std::uint64_t * ofRows;
  std::uint64_t * ofColumns;

  __device__
  HistogramSums(float4 * memory, int bins)
    : joint(reinterpret_cast<std::uint64_t *>(memory))
    , ofRows(joint + HistogramElements(bins))
    , ofColumns(ofRows + HistogramRows(bins))
  {}

  /** The number of its elements. */
  static std::size_t
  Count(int bins)
  {
    return static_cast<std::size_t>(HistogramElements(bins) + HistogramRows(bins) + bins);
  }

  /** Takes the histogram and leaves 0. By all threads of a block, which waits afterwards. */
  __device__ void
  Take(std::uint64_t * histogram, int bins) const
  {
    const int thread = static_cast<int>(threadIdx.x);
    const int rows = HistogramRows(bins);
    for (int i = thread; i < rows * bins; i += tableThreads)
    {
      joint[i] = histogram[i];
      histogram[i] = 0;
    }
    __syncthreads();
    for (int row = thread / lanesOfTile; row < rows; row += tableThreads / lanesOfTile)
    {
      std::uint64_t sum = 0;
      for (int column = thread % lanesOfTile; column < bins; column += lanesOfTile)
      {
        sum += joint[row * bins + column];
      }
      ofRows[row] = WarpReduce(sum, [](std::uint64_t a, std::uint64_t b) { return a + b; });
    }
    if (thread < bins)
    {
      std::uint64_t sum = 0;
      for (int row = 0; row < rows; ++row)
      {
        sum += joint[row * bins + thread];
      }
      ofColumns[thread] = sum;
    }
    __syncthreads();
  }
};

/** Reads the histograms, sets them to 0, and writes value and count of each map, and with VDerivatives log(p(row, column) / p(column)) for
 * its elements, 0 where there is nothing. A block a map. The dynamic shared memory has HistogramSums. */
template <bool VDerivatives>
__global__ void
__launch_bounds__(tableThreads) TableKernel(const MutualInformationArguments arguments)
{
  extern __shared__ float4 sharedMemory[];
  const int                bins = arguments.bins;
  const int                rows = HistogramRows(bins);
  const int                elements = HistogramElements(bins);
  const std::size_t        begin = static_cast<std::size_t>(blockIdx.y) * elements;
  const int                thread = static_cast<int>(threadIdx.x);
  const HistogramSums      histogram(sharedMemory, bins);
  histogram.Take(arguments.histograms + begin, bins);
  // The sums of h log(h / column) and of row log(row), and that of all.
  double numbers[4] = {};
  for (int i = thread; i < elements; i += tableThreads)
  {
    const auto   sum = static_cast<double>(histogram.joint[i]);
    const double ratio = sum > 0.0 ? log(sum / static_cast<double>(histogram.ofColumns[i % bins])) : 0.0;
    numbers[0] += sum * ratio;
    if constexpr (VDerivatives)
    {
      arguments.logs[begin + i] = static_cast<float>(ratio);
    }
  }
  if (thread < rows)
  {
    const auto row = static_cast<double>(histogram.ofRows[thread]);
    numbers[1] = row > 0.0 ? row * log(row) : 0.0;
    numbers[2] = row;
  }
  using Sums = BlockSums<tableThreads>;
  __shared__ Sums::Memory memory;
  __shared__ double       sums[4];
  const Sums              ofBlock(memory);
  ofBlock.Put(0, numbers);
  __syncthreads();
  if (thread < 3)
  {
    ofBlock.Write(thread, sums);
  }
  __syncthreads();
  if (thread == 0)
  {
    double * const result = arguments.sums.numbers + std::size_t{ blockIdx.y } * numbersOfMap;
    const double   all = sums[2];
    result[valueNumber] = all > 0.0 ? (sums[1] - sums[0]) / all - log(all) : 0.0;
    result[countNumber] = all / weightUnit;
  }
}

/** The derivative of -sum_k w_k L_k by the intensity, where w are the weights and L four logarithms: a polynomial of the fraction,
 * whose coefficients its values at 0, 1/2 and 1 tell. */
__device__ __forceinline__ float4
FactorPolynomial(const float * logs)
{
  const auto at = [&](float fraction) {
    const ParzenWeights derivatives = CubicDerivatives(fraction);
    return -(derivatives.weight[0] * logs[0] + derivatives.weight[1] * logs[1] + derivatives.weight[2] * logs[2] +
             derivatives.weight[3] * logs[3]);
  };
  const float begin = at(0.0f);
  const float middle = at(0.5f);
  const float end = at(1.0f);
  const float square = 2.0f * (begin + end) - 4.0f * middle;
  return { begin, end - begin - square, square, 0.0f };
}

/** Reads fixed image, moving image, maps and logs, and writes the derivatives, of the map's count times the value. A block has a
 * tile a warp; the map's last block to end adds up the parts. The dynamic shared memory has a float4 for each row and for each
 * column that can be a voxel's second one.
 * \tparam VBlocks on a multiprocessor at a time. */
template <int VThreads, int VBlocks, int VVoxels, bool VMask>
__global__ void
__launch_bounds__(VThreads, ResidentBlocks(VBlocks, VThreads))
  DerivativeKernel(const __grid_constant__ MutualInformationArguments arguments)
{
  extern __shared__ float4 polynomials[];
  constexpr int            warps = VThreads / lanesOfTile;
  const int                thread = static_cast<int>(threadIdx.x);
  const int                bins = arguments.bins;
  const int                rows = HistogramRows(bins); // and second columns
  const std::size_t        begin = static_cast<std::size_t>(blockIdx.y) * HistogramElements(bins);
  for (int i = thread; i < rows * rows; i += VThreads)
  {
    const int row = i / rows;
    polynomials[i] = FactorPolynomial(arguments.logs + begin + row * bins + (i - row * rows) + histogramPadding - 1);
  }
  __syncthreads();
  const OrderedTransform &       map = arguments.maps[blockIdx.y];
  const FixedImage<PackOfRows> & fixed = arguments.images.fixed[map.order];
  const int                      tile = static_cast<int>(blockIdx.x) * warps + thread / lanesOfTile;
  GradientSums                   sums;
  ColumnStart                    start{ 0, 0, 0 };
  if (tile < fixed.columns.tiles)
  {
    start = StartOfColumn(fixed.columns, tile, thread % lanesOfTile);
    ForVoxelsOfTile<VMask, VVoxels>(
      fixed,
      arguments.images.moving,
      map.transform,
      tile,
      start,
      [&](const MovingCell & cell) {
        return InterpolateWithGradient(cell, arguments.quads.LoadEdges(cell, arguments.images.moving.stepZ));
      },
      [&](unsigned int row, const ValueAndGradient & sample, float voxel) {
        const MovingBin bin(sample.value, bins);
        const float4    p = polynomials[row * rows + bin.bits - (0x4B400000u + histogramPadding)];
        sums.Add(fmaf(fmaf(p.z, bin.fraction, p.y), bin.fraction, p.x), sample, voxel);
      });
  }
  using Sums = BlockSums<VThreads>;
  __shared__ typename Sums::Memory memory;
  const Sums                       ofBlock(memory);
  ofBlock.Put(start, sums);
  WriteNumbers(ofBlock, arguments.sums, 0, valueNumber);
}

} // namespace cudaneuro::gpu

#endif
