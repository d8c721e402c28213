// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/WarpGpu.h"

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
  VoxelTiles      tiles;
  WarpSource      source;
  IndexTransform  transform;
  ConstSoAField   field;
  float           sign;
  float           defaultValue;
  float *         output;
  unsigned char * validity;
};

/** Reads the source around where each voxel of the tiles' grid is taken, and the field (null pointers: none) at the
 * voxel; writes output, and validity unless it is null. A block a tile. The outputs overlap with
 * nothing that is read. */
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
  // All at once, so that the memory has enough to do.
  float displacements[warpPlanes][3] = {};
#pragma unroll
  for (int plane = 0; plane < warpPlanes; ++plane)
  {
    if (arguments.field.x && plane < planes)
    {
      const TIndex index = begin + plane * planeVoxels;
      displacements[plane][0] = arguments.sign * __ldcs(arguments.field.x + index);
      displacements[plane][1] = arguments.sign * __ldcs(arguments.field.y + index);
      displacements[plane][2] = arguments.sign * __ldcs(arguments.field.z + index);
    }
  }
  const SplitPosition base = MapVoxel<TIndex>(arguments.transform, voxel.x, voxel.y, voxel.z);
  float               values[warpPlanes];
  bool                isValid[warpPlanes];
#pragma unroll
  for (int plane = 0; plane < warpPlanes; ++plane)
  {
    // Every position has addresses, so that nothing waits for a branch.
    const float *       d = displacements[plane];
    const SplitPosition position = Moved(arguments.transform, base, d[0], d[1], d[2] + static_cast<float>(plane));
    isValid[plane] = SampleAt<VInterpolation, VMasked, TIndex>(arguments.source, position, values[plane]);
  }
#pragma unroll
  for (int plane = 0; plane < warpPlanes; ++plane)
  {
    if (plane < planes)
    {
      const TIndex index = begin + plane * planeVoxels;
      __stcs(arguments.output + index, isValid[plane] ? values[plane] : arguments.defaultValue);
      if (arguments.validity)
      {
        arguments.validity[index] = isValid[plane] ? 1 : 0;
      }
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
WarpVolume(Context &             context,
           Interpolation         interpolation,
           float                 defaultValue,
           const Extent &        inputExtent,
           const float *         input,
           const unsigned char * inputMask,
           const Extent &        outputExtent,
           const IndexMapping &  mapping,
           float *               output,
           unsigned char *       validity)
{
  const WarpArguments arguments{ VoxelTiles(outputExtent, warpPlanes),
                                 { inputExtent, input, inputMask },
                                 MakeIndexTransform(mapping.indexMap),
                                 mapping.field,
                                 mapping.sign,
                                 defaultValue,
                                 output,
                                 validity };
  const cudaStream_t  stream = context.Gpu().ComputeStream();
  if (interpolation == Interpolation::Nearest)
  {
    Launch<Interpolation::Nearest>(stream, arguments);
  }
  else
  {
    Launch<Interpolation::Linear>(stream, arguments);
  }
}

} // namespace cudaneuro::gpu
