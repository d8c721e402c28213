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

#include <type_traits>

namespace cudaneuro::gpu
{

/** Returns the number of logarithms of a map: of its histogram's elements, and of its rows. */
CUDANEURO_HOST_DEVICE int
NumberOfLogs(int bins)
{
  return HistogramElements(bins) + HistogramRows(bins);
}

/** Arguments of the three kernels, for a number of maps; blockIdx.y is the map. TPack is PackOfRows, or
 * PackOfWeightedRows if voxels have different weights. */
template <typename TPack>
struct MutualInformationArguments
{
  ComparedImages<TPack>    images;
  MovingQuads              quads;
  int                      bins;
  const OrderedTransform * maps;       // one for each map
  std::uint64_t *          histograms; // HistogramElements for each map, 0 between calls
  float *                  logs;       // NumberOfLogs for each map
  MapSums                  sums;
};

/** The moving image at a voxel, and the weight that remains for the voxel there. */
struct FadedSample
{
  ValueAndGradient moving;
  ValueAndGradient fade;
};

/** Returns the pointwise mutual information of a voxel. */
__device__ __forceinline__ float
InformationAt(const float * logs, int bins, unsigned int row, const MovingBin & bin)
{
  const ParzenWeights weights = CubicWeights(bin.fraction);
  const float * const first = logs + row * static_cast<unsigned int>(bins) + bin.Second() + (histogramPadding - 1);
  float               sum = -logs[HistogramElements(bins) + static_cast<int>(row)];
  for (int k = 0; k < 4; ++k)
  {
    sum = fmaf(weights.weight[k], first[k], sum);
  }
  return sum;
}

/** Reads fixed image, moving image and maps, and adds to the histograms. The dynamic shared memory holds VCopies copies
 * of HistogramElements. Each warp of a block processes tiles with the stride of all of the map's warps; the
 * number of blocks does not change the result. */
template <int VThreads, int VCopies, int VVoxels, bool VMask, typename TPack>
__global__ void
__launch_bounds__(VThreads, ResidentBlocks(1024 / VThreads, VThreads))
  HistogramKernel(const __grid_constant__ MutualInformationArguments<TPack> arguments)
{
  extern __shared__ float4       sharedMemory[];
  const SharedHistogram<VCopies> histogram(sharedMemory, arguments.bins);
  histogram.Clear();
  __syncthreads();
  constexpr int             warps = VThreads / lanesOfTile;
  const OrderedTransform &  map = arguments.maps[blockIdx.y];
  const FixedImage<TPack> & fixed = arguments.images.fixed[map.order];
  const int                 lane = static_cast<int>(threadIdx.x) % lanesOfTile;
  for (int tile = static_cast<int>(blockIdx.x * warps + threadIdx.x / lanesOfTile); tile < fixed.columns.tiles;
       tile += static_cast<int>(gridDim.x) * warps)
  {
    const ColumnStart   start = StartOfColumn(fixed.columns, tile, lane);
    const MovingImage & moving = arguments.images.moving;
    const auto          sample = [&](const MovingCell & cell) {
      return Interpolate(cell, arguments.quads.LoadEdges(cell, moving.stepZ));
    };
    if constexpr (std::is_same_v<TPack, PackOfRows>)
    {
      ForVoxelsOfTile<VMask, VVoxels>(
        fixed, moving, map.transform, tile, start, sample, [&](unsigned int row, float intensity, float) {
          histogram.Add(row, intensity);
        });
    }
    else
    {
      ForVoxelsOfTile<VMask, VVoxels>(
        fixed,
        moving,
        map.transform,
        tile,
        start,
        [&](const MovingCell & cell) {
          return float2{ sample(cell), FadeOf(moving, cell).value };
        },
        [&](const WeightedRow & voxel, const float2 & intensityAndFade, float) {
          histogram.Add(voxel.row, intensityAndFade.x, voxel.Weight() * intensityAndFade.y);
        });
    }
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

/** Reads the histograms and sets them to 0; writes value and count of each map, and with VDerivatives log(p(row,
 * column) / p(column)) for its elements and log(p(row)) for its rows, 0 for empty ones. One block per map. The
 * dynamic shared memory holds HistogramSums. */
template <bool VDerivatives, typename TPack>
__global__ void
__launch_bounds__(tableThreads) TableKernel(const MutualInformationArguments<TPack> arguments)
{
  extern __shared__ float4 sharedMemory[];
  const std::size_t        begin = static_cast<std::size_t>(blockIdx.y) * HistogramElements(arguments.bins);
  const HistogramSums      histogram(sharedMemory, arguments.bins);
  histogram.Take(arguments.histograms + begin, arguments.bins);
  float * const logs = arguments.logs + static_cast<std::size_t>(blockIdx.y) * NumberOfLogs(arguments.bins);
  const HistogramInformation information = InformationOf<VDerivatives>(histogram, arguments.bins, logs);
  const auto                 row = static_cast<int>(threadIdx.x);
  if (VDerivatives && row < HistogramRows(arguments.bins))
  {
    const double share = static_cast<double>(histogram.ofRows[row]) / (information.count * weightUnit);
    logs[HistogramElements(arguments.bins) + row] = share > 0.0 ? static_cast<float>(log(share)) : 0.0f;
  }
  if (threadIdx.x == 0)
  {
    double * const result = arguments.sums.numbers + std::size_t{ blockIdx.y } * numbersOfMap;
    result[valueNumber] = -information.value;
    result[countNumber] = information.count;
  }
}

/** Reads fixed image, moving image, maps and logs; writes the derivatives of the map's count times its value. Each warp
 * processes a tile; the last block of a map to end adds up the parts. The dynamic shared memory holds a slope for
 * each row and for each column that can be the second one of a voxel.
 * \tparam VBlocks number of concurrent blocks on a multiprocessor. */
template <int VThreads, int VBlocks, int VVoxels, bool VMask, typename TPack>
__global__ void
__launch_bounds__(VThreads, ResidentBlocks(VBlocks, VThreads))
  DerivativeKernel(const __grid_constant__ MutualInformationArguments<TPack> arguments)
{
  extern __shared__ InformationSlope slopes[];
  constexpr int                      warps = VThreads / lanesOfTile;
  const int                          thread = static_cast<int>(threadIdx.x);
  const int                          bins = arguments.bins;
  const int                          rows = HistogramRows(bins); // and number of second columns
  const float * const                logs = arguments.logs + static_cast<std::size_t>(blockIdx.y) * NumberOfLogs(bins);
  for (int i = thread; i < rows * rows; i += VThreads)
  {
    const int row = i / rows;
    slopes[i] = SlopeOf(logs + row * bins + (i - row * rows) + histogramPadding - 1);
  }
  __syncthreads();
  const OrderedTransform &  map = arguments.maps[blockIdx.y];
  const FixedImage<TPack> & fixed = arguments.images.fixed[map.order];
  const int                 tile = static_cast<int>(blockIdx.x) * warps + thread / lanesOfTile;
  GradientSums              sums;
  ColumnStart               start{ 0, 0, 0 };
  if (tile < fixed.columns.tiles)
  {
    start = StartOfColumn(fixed.columns, tile, thread % lanesOfTile);
    const MovingImage & moving = arguments.images.moving;
    const auto          sampleAt = [&](const MovingCell & cell) {
      return InterpolateWithGradient(cell, arguments.quads.LoadEdges(cell, moving.stepZ));
    };
    if constexpr (std::is_same_v<TPack, PackOfRows>)
    {
      ForVoxelsOfTile<VMask, VVoxels>(fixed,
                                      moving,
                                      map.transform,
                                      tile,
                                      start,
                                      sampleAt,
                                      [&](unsigned int row, const ValueAndGradient & sample, float voxel) {
                                        const MovingBin bin(sample.value, bins);
                                        sums.Add(slopes[row * rows + bin.Second()].At(bin.fraction), sample, voxel);
                                      });
    }
    else
    {
      ForVoxelsOfTile<VMask, VVoxels>(
        fixed,
        moving,
        map.transform,
        tile,
        start,
        [&](const MovingCell & cell) {
          return FadedSample{ sampleAt(cell), FadeOf(moving, cell) };
        },
        [&](const WeightedRow & weighted, const FadedSample & sample, float voxel) {
          const MovingBin bin(sample.moving.value, bins);
          const float     weight = weighted.Weight();
          const float     slope = slopes[weighted.row * rows + bin.Second()].At(bin.fraction);
          sums.Add(weight * sample.fade.value * slope, sample.moving, voxel);
          if (sample.fade.x != 0.0f || sample.fade.y != 0.0f || sample.fade.z != 0.0f)
          {
            sums.Add(-weight * InformationAt(logs, bins, weighted.row, bin), sample.fade, voxel);
          }
        });
    }
  }
  using Sums = BlockSums<VThreads>;
  __shared__ typename Sums::Memory memory;
  const Sums                       ofBlock(memory);
  ofBlock.Put(start, sums);
  WriteNumbers(ofBlock, arguments.sums, 0, valueNumber);
}

} // namespace cudaneuro::gpu

#endif
