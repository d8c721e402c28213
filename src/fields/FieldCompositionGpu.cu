// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/FieldCompositionFormulas.h"

#include "cuda/GpuContext.h"
#include "cuda/VoxelTiles.cuh"

namespace cudaneuro::gpu
{
namespace
{

constexpr int composePlanes = 4;

/** For each voxel, reads the first field at the voxel and the second around the position to which it is displaced;
 * writes the output. Each thread block processes one tile. */
template <bool VIsSameGrid, typename TIndex>
__global__ void
__launch_bounds__(tileThreads, residentGatherBlocks)
  ComposeKernel(const __grid_constant__ VoxelTiles tiles, const __grid_constant__ FieldComposition composition)
{
  const Extent &  extent = composition.extent;
  const TileVoxel voxel(tiles, blockIdx.x, composePlanes);
  if (!voxel.IsOnGrid(extent))
  {
    return;
  }
  const TIndex planeVoxels = static_cast<TIndex>(extent.x) * extent.y;
  const TIndex begin = voxel.Index<TIndex>(extent);
  const int    planes = min(composePlanes, extent.z - voxel.z);
  // All loads are issued before their first use, to hide their latency.
  Displacement first[composePlanes] = {};
#pragma unroll
  for (int plane = 0; plane < composePlanes; ++plane)
  {
    if (composition.first.x && plane < planes)
    {
      const TIndex index = begin + plane * planeVoxels;
      first[plane] = { __ldcs(composition.first.x + index),
                       __ldcs(composition.first.y + index),
                       __ldcs(composition.first.z + index) };
    }
  }
#pragma unroll
  for (int plane = 0; plane < composePlanes; ++plane)
  {
    if (plane < planes)
    {
      SplitPosition position{ voxel.x, voxel.y, voxel.z + plane, 0.0f, 0.0f, 0.0f };
      if constexpr (!VIsSameGrid)
      {
        position = MapVoxel<TIndex>(composition.transform, voxel.x, voxel.y, voxel.z + plane);
      }
      ComposeAt<VIsSameGrid>(composition, position, first[plane], begin + plane * planeVoxels);
    }
  }
}

template <bool VIsSameGrid, typename TIndex>
void
Launch(Context & context, const FieldComposition & composition)
{
  const VoxelTiles tiles(composition.extent, composePlanes);
  const auto       blocks = static_cast<unsigned int>(tiles.Count());
  ComposeKernel<VIsSameGrid, TIndex><<<blocks, TileBlock(), 0, GpuOf(context).ComputeStream()>>>(tiles, composition);
  CUDANEURO_CUDA_LAUNCHED("ComposeKernel");
}

template <bool VIsSameGrid>
void
Launch(Context & context, const FieldComposition & composition)
{
  if (IsSmall(composition.extent) && IsSmall(composition.secondExtent))
  {
    Launch<VIsSameGrid, std::uint32_t>(context, composition);
  }
  else
  {
    Launch<VIsSameGrid, std::int64_t>(context, composition);
  }
}

} // namespace

void
ComposeFields(Context & context, const FieldComposition & composition)
{
  if (composition.isSameGrid)
  {
    Launch<true>(context, composition);
  }
  else
  {
    Launch<false>(context, composition);
  }
}

} // namespace cudaneuro::gpu
