// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/ZeroLevelDistance.h"

#include "jobs/PixelConversion.h"
#include "surface/ZeroLevelDistanceKernel.cuh"

namespace cudaneuro::gpu
{
namespace
{

/** Counts the cells, and writes them to \p cells unless it is null. */
DeviceBuffer<CellCounts>
EnqueueFindCells(const GpuContext & gpu, const ZeroLevelDistance & distance, std::int64_t * cells)
{
  const VoxelTiles         tiles(distance.extent, cellPlanes);
  DeviceBuffer<CellCounts> counts = gpu.AllocateArray<CellCounts>(1);
  CUDANEURO_CUDA(cudaMemsetAsync(counts.Data(), 0, sizeof(CellCounts), gpu.ComputeStream()));
  FindCellsKernel<<<BlocksFor(tiles.Count(), 1), TileBlock(), 0, gpu.ComputeStream()>>>(
    tiles, tiles.Count(), distance.input, cells, counts.Data());
  CUDANEURO_CUDA_LAUNCHED("FindCellsKernel");
  return counts;
}

template <typename TElements>
void
EnqueueDistance(const GpuContext & gpu, const ZeroLevelArguments & arguments)
{
  const dim3 block{ warpThreads, cellWarps, 1 };
  ZeroLevelKernel<TElements>
    <<<BlocksFor(arguments.numberOfCells, cellWarps), block, 0, gpu.ComputeStream()>>>(arguments);
  CUDANEURO_CUDA_LAUNCHED("ZeroLevelKernel");
}

} // namespace

ZeroLevel
DistanceToZeroLevel(Context & context, const ZeroLevelDistance & distance)
{
  const GpuContext & gpu = GpuOf(context);
  const cudaStream_t stream = gpu.ComputeStream();
  const std::int64_t voxels = NumberOfVoxels(distance.extent);
  const CellCounts   counts = gpu.CopyToHost(EnqueueFindCells(gpu, distance, nullptr), 1).front();
  const ZeroLevel    zeroLevel{ static_cast<std::int64_t>(counts.cells),
                             static_cast<std::int64_t>(counts.valuesNotFinite) };
  if (!zeroLevel.IsUsable())
  {
    return zeroLevel;
  }
  context.ReportProgress(0.2);
  const auto cells = gpu.AllocateArray<std::int64_t>(static_cast<std::size_t>(zeroLevel.cells));
  EnqueueFindCells(gpu, distance, cells.Data());
  const auto squared = gpu.AllocateArray<float>(static_cast<std::size_t>(voxels));
  EnqueueFill(stream, voxels, distance.reach * distance.reach, squared.Data());
  const ZeroLevelArguments arguments{ distance.extent,
                                      distance.spacing,
                                      distance.reach,
                                      { VoxelsInReach(distance.reach, distance.spacing.x),
                                        VoxelsInReach(distance.reach, distance.spacing.y),
                                        VoxelsInReach(distance.reach, distance.spacing.z) },
                                      distance.input,
                                      cells.Data(),
                                      zeroLevel.cells,
                                      squared.Data() };
  if (distance.shape == ZeroLevelShape::Triangles)
  {
    EnqueueDistance<ZeroLevelPoints>(gpu, arguments);
    EnqueueDistance<ZeroLevelTriangles>(gpu, arguments);
  }
  else
  {
    EnqueueDistance<ZeroLevelMidpoints>(gpu, arguments);
  }
  const VoxelTiles tiles(distance.extent, cellPlanes);
  FinishKernel<<<BlocksFor(tiles.Count(), 1), TileBlock(), 0, stream>>>(
    tiles, tiles.Count(), MakeDistanceFinish(distance, squared.Data()), distance.output);
  CUDANEURO_CUDA_LAUNCHED("FinishKernel");
  return zeroLevel;
}

void
MakeLabelSides(Context & context, const LabelSides & levels)
{
  const cudaStream_t stream = GpuOf(context).ComputeStream();
  WithPixelType(levels.type, [&](auto pixel) {
    using Pixel = decltype(pixel);
    LabelLevelsKernel<Pixel><<<BlocksFor(levels.count, fillThreads), fillThreads, 0, stream>>>(
      levels.count, static_cast<const Pixel *>(levels.labels), levels.label, levels.levels);
    CUDANEURO_CUDA_LAUNCHED("LabelLevelsKernel");
  });
}

} // namespace cudaneuro::gpu
