// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_warp_WarpKernel_cuh
#define cudaneuro_fields_warp_WarpKernel_cuh

#include "cuda/VoxelTiles.cuh"
#include "fields/warp/WarpFormulas.h"

namespace cudaneuro::gpu
{

/** Planes of a tile, for kernels with little work per voxel. */
constexpr int tilePlanes = 4;

struct WarpArguments
{
  VoxelTiles tiles; // of the output
  WarpSource source;
  WarpMap    map;
  float      defaultValue;
  float *    output;
};

/** Returns the number of blocks that leaves enough registers for many concurrent loads or long indices. */
constexpr int
ResidentWarpBlocks(int planes, std::size_t bytesOfIndex)
{
  const int blocks = planes == 1 ? 3 : 5;
  return ResidentBlocks(bytesOfIndex > 4 ? blocks - 2 : blocks, tileThreads);
}

/** For each voxel of the output, reads the field at the voxel and the source around the voxel's mapped position; writes
 * the output, which must not overlap with any input. Each thread block processes one tile. */
template <Interpolation VInterpolation, bool VMasked, int VPlanes, typename TIndex>
__global__ void
__launch_bounds__(tileThreads, ResidentWarpBlocks(VPlanes, sizeof(TIndex)))
  WarpKernel(const __grid_constant__ WarpArguments arguments)
{
  const Extent &  extent = arguments.tiles.extent;
  const TileVoxel voxel(arguments.tiles, blockIdx.x, VPlanes);
  if (!voxel.IsOnGrid(extent))
  {
    return;
  }
  const TIndex planeVoxels = static_cast<TIndex>(extent.x) * extent.y;
  const TIndex begin = voxel.Index<TIndex>(extent);
  const int    planes = min(VPlanes, extent.z - voxel.z);
  // All loads are issued before their first use, to hide their latency.
  Displacement displacements[VPlanes];
#pragma unroll
  for (int plane = 0; plane < VPlanes; ++plane)
  {
    displacements[plane] = DisplacementAt(arguments.map, begin + min(plane, planes - 1) * planeVoxels);
  }
  const SplitPosition base = MapVoxel<TIndex>(arguments.map.transform, voxel.x, voxel.y, voxel.z);
  float               values[VPlanes];
#pragma unroll
  for (int plane = 0; plane < VPlanes; ++plane)
  {
    // Sampling is unconditional, because addresses are clamped to grids: the loads need not wait for a branch.
    const SplitPosition position = MovedPosition(arguments.map, base, displacements[plane], plane);
    float               value = 0.0f;
    const bool          hasValue = SampleAt<VInterpolation, VMasked, TIndex>(arguments.source, position, value);
    values[plane] = hasValue ? value : arguments.defaultValue;
  }
#pragma unroll
  for (int plane = 0; plane < VPlanes; ++plane)
  {
    if (plane < planes)
    {
      __stcs(arguments.output + begin + plane * planeVoxels, values[plane]);
    }
  }
}

} // namespace cudaneuro::gpu

#endif
