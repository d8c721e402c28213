// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/LevelSetVolumeFormulas.h"

#include "cuda/Reduce.cuh"

namespace cudaneuro::gpu
{
namespace
{

/** Number of planes of cells that a thread processes. */
constexpr int cellPlanes = 8;
constexpr int offsetThreads = 256;

/** Writes each block's volume to its element of partials. Reads distances and, unless it is null, the mask. A thread
 * marches through a column of cells, and reads each plane of voxels once. Blocks visit tiles in a strided loop. */
__global__ void
__launch_bounds__(tileThreads) VolumeKernel(const __grid_constant__ VoxelTiles      tiles,
                                            const __grid_constant__ OffsetDistances field,
                                            std::int64_t                            numberOfTiles,
                                            VolumePartial *                         partials)
{
  const std::int64_t row = field.extent.x;
  const std::int64_t plane = row * field.extent.y;
  VolumePartial      partial = VolumePartial::Empty();
  for (std::int64_t tile = blockIdx.x; tile < numberOfTiles; tile += gridDim.x)
  {
    const TileVoxel cell(tiles, static_cast<unsigned int>(tile), cellPlanes);
    if (!cell.IsOnGrid(tiles.extent))
    {
      continue;
    }
    const int    end = min(cell.z + cellPlanes, tiles.extent.z);
    std::int64_t i = cell.Index<std::int64_t>(field.extent);
    double       v[8] = {};
    for (int z = cell.z; z <= end; ++z, i += plane)
    {
      v[4] = OffsetDistance(field, i);
      v[5] = OffsetDistance(field, i + 1);
      v[6] = OffsetDistance(field, i + row);
      v[7] = OffsetDistance(field, i + row + 1);
      if (z > cell.z)
      {
        partial.AddCell(v);
      }
      for (int corner = 0; corner < 4; ++corner)
      {
        v[corner] = v[corner + 4];
      }
    }
  }
  ReduceBlock(partial, partials + blockIdx.x);
}

/** Adds the offset. Reads the mask, unless it is null, and reads and writes distances, which are those of the field. */
__global__ void
__launch_bounds__(offsetThreads)
  OffsetKernel(const __grid_constant__ OffsetDistances field, std::int64_t numberOfVoxels, float * distances)
{
  const std::int64_t step = std::int64_t{ gridDim.x } * offsetThreads;
  for (std::int64_t i = std::int64_t{ blockIdx.x } * offsetThreads + threadIdx.x; i < numberOfVoxels; i += step)
  {
    distances[i] = static_cast<float>(OffsetDistance(field, i));
  }
}

} // namespace

double
EnclosedVolume(Context & context, const OffsetDistances & field)
{
  const GpuContext & gpu = GpuOf(context);
  const VoxelTiles   tiles(CellsOf(field.extent), cellPlanes);
  const unsigned int blocks = NumberOfReductionBlocks(tiles);
  const auto         partials = gpu.AllocateArray<VolumePartial>(blocks);
  VolumeKernel<<<blocks, TileBlock(), 0, gpu.ComputeStream()>>>(tiles, field, tiles.Count(), partials.Data());
  CUDANEURO_CUDA_LAUNCHED("VolumeKernel");
  return ReduceOnHost(gpu, partials, blocks).Total();
}

void
AddOffset(Context & context, const OffsetDistances & field, float * distances)
{
  const GpuContext & gpu = GpuOf(context);
  const std::int64_t voxels = NumberOfVoxels(field.extent);
  const std::int64_t needed = DivideUp(voxels, offsetThreads);
  const auto         blocks = std::min<std::int64_t>(needed, std::int64_t{ 16 } * gpu.NumberOfMultiprocessors());
  OffsetKernel<<<static_cast<unsigned int>(blocks), offsetThreads, 0, gpu.ComputeStream()>>>(field, voxels, distances);
  CUDANEURO_CUDA_LAUNCHED("OffsetKernel");
}

} // namespace cudaneuro::gpu
