// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/Warp.h"

#include "cuda/GpuContext.h"
#include "cuda/VoxelTiles.cuh"
#include "fields/WarpFormulas.h"

namespace cudaneuro::gpu
{
namespace
{

constexpr int warpPlanes = 4;

struct WarpArguments
{
  VoxelTiles     tiles; // of the output
  WarpSource     source;
  IndexTransform transform;
  ConstSoAField  field; // null pointers where there is none
  float          defaultValue;
  float *        output;
};

/** For each voxel of the output, reads the field at the voxel and the source around the voxel's mapped position; writes
 * the output, which overlaps with nothing that is read. Each block has one tile. */
template <Interpolation VInterpolation, bool VMasked, typename TIndex>
__global__ void
__launch_bounds__(tileThreads, residentGatherBlocks) WarpKernel(const __grid_constant__ WarpArguments arguments)
{
  const Extent &  extent = arguments.tiles.extent;
  const TileVoxel voxel(arguments.tiles, blockIdx.x, warpPlanes);
  if (!voxel.IsOnGrid(extent))
  {
    return;
  }
  const TIndex planeVoxels = static_cast<TIndex>(extent.x) * extent.y;
  const TIndex begin = voxel.Index<TIndex>(extent);
  const int    planes = min(warpPlanes, extent.z - voxel.z);
  // All loads are issued first, to hide their latency.
  float displacements[warpPlanes][3] = {};
#pragma unroll
  for (int plane = 0; plane < warpPlanes; ++plane)
  {
    if (arguments.field.x && plane < planes)
    {
      const TIndex index = begin + plane * planeVoxels;
      displacements[plane][0] = __ldcs(arguments.field.x + index);
      displacements[plane][1] = __ldcs(arguments.field.y + index);
      displacements[plane][2] = __ldcs(arguments.field.z + index);
    }
  }
  const SplitPosition base = MapVoxel<TIndex>(arguments.transform, voxel.x, voxel.y, voxel.z);
  float               values[warpPlanes];
#pragma unroll
  for (int plane = 0; plane < warpPlanes; ++plane)
  {
    // Sampling is unconditional, because addresses are clamped to the source: there is no branch to wait for.
    const float *       d = displacements[plane];
    const SplitPosition position = Moved(arguments.transform, base, d[0], d[1], d[2] + static_cast<float>(plane));
    float               value;
    const bool          hasValue = SampleAt<VInterpolation, VMasked, TIndex>(arguments.source, position, value);
    values[plane] = hasValue ? value : arguments.defaultValue;
  }
#pragma unroll
  for (int plane = 0; plane < warpPlanes; ++plane)
  {
    if (plane < planes)
    {
      const TIndex index = begin + plane * planeVoxels;
      __stcs(arguments.output + index, values[plane]);
    }
  }
}

template <Interpolation VInterpolation, typename TIndex>
void
Launch(cudaStream_t stream, const WarpArguments & arguments)
{
  const auto blocks = static_cast<unsigned int>(arguments.tiles.Count());
  if (arguments.source.mask)
  {
    WarpKernel<VInterpolation, true, TIndex><<<blocks, TileBlock(), 0, stream>>>(arguments);
  }
  else
  {
    WarpKernel<VInterpolation, false, TIndex><<<blocks, TileBlock(), 0, stream>>>(arguments);
  }
  CUDANEURO_CUDA_LAUNCHED("WarpKernel");
}

template <Interpolation VInterpolation>
void
Launch(cudaStream_t stream, const WarpArguments & arguments)
{
  if (IsSmall(arguments.tiles.extent) && IsSmall(arguments.source.extent))
  {
    Launch<VInterpolation, std::uint32_t>(stream, arguments);
  }
  else
  {
    Launch<VInterpolation, std::int64_t>(stream, arguments);
  }
}

} // namespace

void
WarpVolume(Context & context, const VolumeWarp & warp)
{
  const IndexMapping & mapping = warp.mapping;
  const WarpArguments  arguments{ VoxelTiles(warp.outputExtent, warpPlanes),
                                 { warp.inputExtent, warp.input, warp.inputMask },
                                 MakeIndexTransform(mapping.indexMap),
                                 mapping.field,
                                 warp.defaultValue,
                                 warp.output };
  const cudaStream_t   stream = GpuOf(context).ComputeStream();
  if (warp.interpolation == Interpolation::Nearest)
  {
    Launch<Interpolation::Nearest>(stream, arguments);
  }
  else
  {
    Launch<Interpolation::Linear>(stream, arguments);
  }
}

} // namespace cudaneuro::gpu
