// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/FieldInversionFormulas.h"

#include "cuda/Reduce.cuh"

namespace cudaneuro::gpu
{
namespace
{

constexpr int inversionPlanes = 4;

/** For each voxel, reads the field around the positions of its iteration and writes the inverse. Each thread block
 * processes every gridDim.x-th tile and writes the sums of their residuals to its element of partials. */
template <typename TIndex>
__global__ void
__launch_bounds__(tileThreads) InvertKernel(const __grid_constant__ VoxelTiles     tiles,
                                            const __grid_constant__ FieldInversion inversion,
                                            std::int64_t                           numberOfTiles,
                                            InversionPartial *                     partials)
{
  const Extent &   extent = inversion.extent;
  InversionPartial partial = InversionPartial::Empty();
  for (std::int64_t tile = blockIdx.x; tile < numberOfTiles; tile += gridDim.x)
  {
    const TileVoxel voxel(tiles, static_cast<unsigned int>(tile), inversionPlanes);
    if (!voxel.IsOnGrid(extent))
    {
      continue;
    }
    TIndex    index = voxel.Index<TIndex>(extent);
    const int end = min(voxel.z + inversionPlanes, extent.z);
    for (int z = voxel.z; z < end; ++z, index += static_cast<TIndex>(extent.x) * extent.y)
    {
      InvertAt(inversion, voxel.x, voxel.y, z, index, partial);
    }
  }
  ReduceBlock(partial, partials + blockIdx.x);
}

} // namespace

InversionResult
InvertField(Context & context, const FieldInversion & inversion)
{
  GpuContext &       gpu = GpuOf(context);
  const VoxelTiles   tiles(inversion.extent, inversionPlanes);
  const unsigned int blocks = NumberOfReductionBlocks(tiles);
  const auto         partials = gpu.AllocateArray<InversionPartial>(blocks);
  const auto         kernel = IsSmall(inversion.extent) ? InvertKernel<std::uint32_t> : InvertKernel<std::int64_t>;
  kernel<<<blocks, TileBlock(), 0, gpu.ComputeStream()>>>(tiles, inversion, tiles.Count(), partials.Data());
  CUDANEURO_CUDA_LAUNCHED("InvertKernel");
  return MakeInversionResult(ReduceOnHost(gpu, partials, blocks));
}

} // namespace cudaneuro::gpu
