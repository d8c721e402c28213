// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/warp/Warp.h"

#include "cuda/GpuContext.h"
#include "fields/warp/LinearWarpKernel.cuh"

namespace cudaneuro::gpu
{
namespace
{

/** Returns the planes of a thread: one for interpolations that read many voxels. */
constexpr int
PlanesFor(Interpolation interpolation)
{
  return interpolation == Interpolation::Linear || interpolation == Interpolation::Nearest ? tilePlanes : 1;
}

template <Interpolation VInterpolation, bool VMasked, typename TIndex>
void
LaunchKernel(cudaStream_t stream, const WarpArguments & arguments)
{
  const auto blocks = static_cast<unsigned int>(arguments.tiles.Count());
  WarpKernel<VInterpolation, VMasked, PlanesFor(VInterpolation), TIndex><<<blocks, TileBlock(), 0, stream>>>(arguments);
  CUDANEURO_CUDA_LAUNCHED("WarpKernel");
}

template <Interpolation VInterpolation, typename TIndex>
void
Launch(cudaStream_t stream, const WarpArguments & arguments)
{
  if constexpr (TakesMask(VInterpolation))
  {
    if (arguments.source.mask)
    {
      LaunchKernel<VInterpolation, true, TIndex>(stream, arguments);
      return;
    }
  }
  LaunchKernel<VInterpolation, false, TIndex>(stream, arguments);
}

bool
IsSmall(const WarpArguments & arguments)
{
  return IsSmall(arguments.tiles.extent) && IsSmall(arguments.source.extent);
}

/** Returns whether LinearWarpKernel supports the arguments. */
bool
IsForLinearKernel(const WarpArguments & arguments)
{
  const FieldVectors & vectors = arguments.map.vectors;
  return IsSmall(arguments) && !arguments.source.mask && HasCells(arguments.source.extent) &&
         IsGridOfBlocks(arguments.tiles) && (!vectors.data || vectors.components == 3);
}

void
LaunchLinear(cudaStream_t stream, const WarpArguments & arguments)
{
  const dim3 blocks(arguments.tiles.alongX, arguments.tiles.alongY, arguments.tiles.alongZ);
  if (arguments.map.vectors.data)
  {
    LinearWarpKernel<true><<<blocks, TileBlock(), 0, stream>>>(arguments);
  }
  else
  {
    LinearWarpKernel<false><<<blocks, TileBlock(), 0, stream>>>(arguments);
  }
  CUDANEURO_CUDA_LAUNCHED("LinearWarpKernel");
}

template <Interpolation VInterpolation>
void
Launch(cudaStream_t stream, const WarpArguments & arguments)
{
  if (VInterpolation == Interpolation::Linear && IsForLinearKernel(arguments))
  {
    LaunchLinear(stream, arguments);
  }
  else if (IsSmall(arguments))
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
SampleVolume(Context & context, const VolumeWarp & warp, const SplineCoefficients & coefficients)
{
  WithInterpolation(warp.interpolation, [&](auto interpolation) {
    const WarpArguments arguments{
      VoxelTiles(warp.outputExtent, PlanesFor(interpolation())),
      { warp.inputExtent, warp.input, warp.inputMask, coefficients.GetValues(), coefficients.GetHasNotFinite() },
      { MakeIndexTransform(warp.mapping.indexMap), warp.mapping.field, warp.vectors },
      warp.defaultValue,
      warp.output
    };
    Launch<interpolation()>(GpuOf(context).ComputeStream(), arguments);
  });
}

} // namespace cudaneuro::gpu
