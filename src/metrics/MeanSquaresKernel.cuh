// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_MeanSquaresKernel_cuh
#define cudaneuro_metrics_MeanSquaresKernel_cuh

#include "cuda/ResidentBlocks.cuh"
#include "metrics/ColumnVoxels.cuh"
#include "metrics/MetricSums.cuh"
#include "metrics/PackFixedKernel.cuh"

namespace cudaneuro::gpu
{

/** The arguments for a number of maps; blockIdx.y is the map. */
struct MeanSquaresArguments
{
  ComparedImages<PackOfValues> images;
  const OrderedTransform *     maps; // one for each map
  MapSums                      sums;
};

constexpr int meanSquaresThreads = 256;

/** Reads fixed image, moving image and maps; writes the number of voxels, the sum of squares, and with VDerivatives the
 * derivatives of half of that sum. Each warp processes a tile; the last block of a map to end adds up the
 * parts. */
template <bool VDerivatives, bool VMask>
__global__ void
__launch_bounds__(meanSquaresThreads, ResidentBlocks(VDerivatives ? 3 : 4, meanSquaresThreads))
  MeanSquaresKernel(const __grid_constant__ MeanSquaresArguments arguments)
{
  constexpr int voxelsAtATime = 2;
  const int     thread = static_cast<int>(threadIdx.x);
  const int     tile = static_cast<int>(blockIdx.x) * (meanSquaresThreads / lanesOfTile) + thread / lanesOfTile;
  const OrderedTransform &         map = arguments.maps[blockIdx.y];
  const FixedImage<PackOfValues> & fixedImage = arguments.images.fixed[map.order];
  GradientSums                     gradients;
  float                            squares = 0.0f;
  int                              count = 0;
  ColumnStart                      start{ 0, 0, 0 };
  if (tile < fixedImage.columns.tiles)
  {
    start = StartOfColumn(fixedImage.columns, tile, thread % lanesOfTile);
    ForVoxelsOfTile<VMask, voxelsAtATime>(
      fixedImage,
      arguments.images.moving,
      map.transform,
      tile,
      start,
      [&](const MovingCell & cell) {
        const CellEdges edges = LoadEdges(arguments.images.moving, cell);
        if constexpr (VDerivatives)
        {
          return InterpolateWithGradient(cell, edges);
        }
        else
        {
          return ValueAndGradient{ Interpolate(cell, edges), 0.0f, 0.0f, 0.0f };
        }
      },
      [&](float fixed, const ValueAndGradient & moving, float voxel) {
        const float difference = moving.value - fixed;
        squares = fmaf(difference, difference, squares);
        ++count;
        if constexpr (VDerivatives)
        {
          gradients.Add(difference, moving, voxel);
        }
      });
  }
  using Sums = BlockSums<meanSquaresThreads>;
  __shared__ Sums::Memory memory;
  const Sums              ofBlock(memory);
  if constexpr (VDerivatives)
  {
    ofBlock.Put(start, gradients);
  }
  double valueAndCount[2] = { squares, static_cast<double>(count) };
  ofBlock.Put(valueNumber, valueAndCount);
  WriteNumbers(ofBlock, arguments.sums, VDerivatives ? 0 : valueNumber, countNumber + 1);
}

} // namespace cudaneuro::gpu

#endif
