// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_MutualInformationKernel_cuh
#define cudaneuro_metrics_MutualInformationKernel_cuh

#include "cuda/ResidentBlocks.cuh"
#include "metrics/ColumnVoxels.cuh"
#include "metrics/InformationTable.cuh"
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

/** Reads the histograms, sets them to 0, and writes value and count of each map, and with VDerivatives log(p(row, column) / p(column)) for
 * its elements, 0 where there is nothing. A block a map. The dynamic shared memory has HistogramSums. */
template <bool VDerivatives>
__global__ void
__launch_bounds__(tableThreads) TableKernel(const MutualInformationArguments arguments)
{
  extern __shared__ float4 sharedMemory[];
  const std::size_t        begin = static_cast<std::size_t>(blockIdx.y) * HistogramElements(arguments.bins);
  const HistogramSums      histogram(sharedMemory, arguments.bins);
  histogram.Take(arguments.histograms + begin, arguments.bins);
  const HistogramInformation information =
    InformationOf<VDerivatives>(histogram, arguments.bins, arguments.logs + begin);
  if (threadIdx.x == 0)
  {
    double * const result = arguments.sums.numbers + std::size_t{ blockIdx.y } * numbersOfMap;
    result[valueNumber] = -information.value;
    result[countNumber] = information.count;
  }
}

/** Reads fixed image, moving image, maps and logs, and writes the derivatives, of the map's count times the value. A block has a
 * tile a warp; the map's last block to end adds up the parts. The dynamic shared memory has a slope for each row and for each
 * column that can be a voxel's second one.
 * \tparam VBlocks on a multiprocessor at a time. */
template <int VThreads, int VBlocks, int VVoxels, bool VMask>
__global__ void
__launch_bounds__(VThreads, ResidentBlocks(VBlocks, VThreads))
  DerivativeKernel(const __grid_constant__ MutualInformationArguments arguments)
{
  extern __shared__ InformationSlope slopes[];
  constexpr int                      warps = VThreads / lanesOfTile;
  const int                          thread = static_cast<int>(threadIdx.x);
  const int                          bins = arguments.bins;
  const int                          rows = HistogramRows(bins); // and second columns
  const std::size_t                  begin = static_cast<std::size_t>(blockIdx.y) * HistogramElements(bins);
  for (int i = thread; i < rows * rows; i += VThreads)
  {
    const int row = i / rows;
    slopes[i] = SlopeOf(arguments.logs + begin + row * bins + (i - row * rows) + histogramPadding - 1);
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
        sums.Add(slopes[row * rows + bin.Second()].At(bin.fraction), sample, voxel);
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
