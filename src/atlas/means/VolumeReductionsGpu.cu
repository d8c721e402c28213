// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/means/VolumeReductions.h"

#include "cuda/Reduce.cuh"

namespace cudaneuro::gpu
{
namespace
{

constexpr int momentPlanes = 4;

/** Each block visits tiles in a strided loop, reads the operation's inputs there, and writes its partial result. */
template <typename TOperation>
__global__ void
__launch_bounds__(tileThreads) ReduceKernel(const __grid_constant__ VoxelTiles tiles,
                                            const __grid_constant__ TOperation operation,
                                            std::int64_t                       numberOfTiles,
                                            typename TOperation::Partial *     partials)
{
  const Extent & extent = tiles.extent;
  auto           partial = TOperation::Partial::Empty();
  for (std::int64_t tile = blockIdx.x; tile < numberOfTiles; tile += gridDim.x)
  {
    const TileVoxel voxel(tiles, static_cast<unsigned int>(tile), momentPlanes);
    if (!voxel.IsOnGrid(extent))
    {
      continue;
    }
    std::int64_t i = voxel.Index<std::int64_t>(extent);
    for (int z = voxel.z; z < min(voxel.z + momentPlanes, extent.z); ++z, i += std::int64_t{ extent.x } * extent.y)
    {
      operation(voxel.x, voxel.y, z, i, partial);
    }
  }
  ReduceBlock(partial, partials + blockIdx.x);
}

} // namespace

template <typename TOperation>
typename TOperation::Partial
ReduceVoxels(Context & context, const Extent & extent, const TOperation & operation)
{
  GpuContext &       gpu = GpuOf(context);
  const VoxelTiles   tiles(extent, momentPlanes);
  const unsigned int blocks = NumberOfReductionBlocks(tiles);
  const auto         partials = gpu.AllocateArray<typename TOperation::Partial>(blocks);
  ReduceKernel<<<blocks, TileBlock(), 0, gpu.ComputeStream()>>>(tiles, operation, tiles.Count(), partials.Data());
  CUDANEURO_CUDA_LAUNCHED("ReduceKernel");
  return ReduceOnHost(gpu, partials, blocks);
}

template MomentsPartial
ReduceVoxels(Context &, const Extent &, const MomentsOperation &);
template BoxPartial
ReduceVoxels(Context &, const Extent &, const BoxOperation &);

} // namespace cudaneuro::gpu
