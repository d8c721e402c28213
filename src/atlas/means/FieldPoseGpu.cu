// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/means/FieldPose.h"
#include "cuda/GpuContext.h"
#include "cuda/VoxelTiles.cuh"

namespace cudaneuro::gpu
{
namespace
{

constexpr int planesOfTile = 4;

/** Applies the operation to each voxel. Reads and writes the field at it, 12 bytes each. */
__global__ void
__launch_bounds__(tileThreads)
  AffineKernel(const __grid_constant__ VoxelTiles tiles, const __grid_constant__ AffineOperation operation)
{
  const Extent &  extent = tiles.extent;
  const TileVoxel voxel(tiles, blockIdx.x, planesOfTile);
  if (!voxel.IsOnGrid(extent))
  {
    return;
  }
  std::int64_t i = voxel.Index<std::int64_t>(extent);
  for (int z = voxel.z; z < min(voxel.z + planesOfTile, extent.z); ++z, i += std::int64_t{ extent.x } * extent.y)
  {
    operation(voxel.x, voxel.y, z, i);
  }
}

} // namespace

void
ForAllVoxels(Context & context, const Extent & extent, const AffineOperation & operation)
{
  const VoxelTiles tiles(extent, planesOfTile);
  AffineKernel<<<static_cast<unsigned int>(tiles.Count()), TileBlock(), 0, GpuOf(context).ComputeStream()>>>(tiles,
                                                                                                             operation);
  CUDANEURO_CUDA_LAUNCHED("AffineKernel");
}

} // namespace cudaneuro::gpu
