// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ImageOperations.h"

#include "cuda/GpuContext.h"
#include "cuda/VoxelTiles.cuh"

#include <limits>

namespace cudaneuro::gpu
{
namespace
{

unsigned int
NumberOfBlocks(const VoxelTiles & tiles)
{
  return static_cast<unsigned int>(std::min<std::int64_t>(tiles.Count(), std::numeric_limits<std::int32_t>::max()));
}

/** Reads the six neighbors of each voxel and writes its gradient, VComponents floats. Tiles have one plane; each thread
 * block processes every gridDim.x-th tile. */
template <int VComponents>
__global__ void
__launch_bounds__(tileThreads) GradientKernel(const __grid_constant__ VoxelTiles   tiles,
                                              std::int64_t                         numberOfTiles,
                                              const __grid_constant__ VectorMatrix matrix,
                                              const float *                        input,
                                              float *                              output)
{
  const Extent & extent = tiles.extent;
  for (std::int64_t tile = blockIdx.x; tile < numberOfTiles; tile += gridDim.x)
  {
    const TileVoxel voxel(tiles, static_cast<unsigned int>(tile), 1);
    if (voxel.IsOnGrid(extent))
    {
      const std::int64_t i = voxel.Index<std::int64_t>(extent);
      WriteGradient<VComponents>(matrix, extent, input + i, voxel.x, voxel.y, voxel.z, output + i * VComponents);
    }
  }
}

/** For each voxel of the shrunk image, reads the image around its center and writes the voxel. Tiles have one plane;
 * each thread block processes every gridDim.x-th tile. */
__global__ void
__launch_bounds__(tileThreads) ShrinkKernel(const __grid_constant__ VoxelTiles tiles,
                                            std::int64_t                       numberOfTiles,
                                            const __grid_constant__ Shrinking  shrinking,
                                            const float *                      input,
                                            float *                            output)
{
  for (std::int64_t tile = blockIdx.x; tile < numberOfTiles; tile += gridDim.x)
  {
    const TileVoxel voxel(tiles, static_cast<unsigned int>(tile), 1);
    if (voxel.IsOnGrid(shrinking.to))
    {
      output[voxel.Index<std::int64_t>(shrinking.to)] = shrinking.ValueAt(input, voxel.x, voxel.y, voxel.z);
    }
  }
}

} // namespace

void
ComputeGradient(Context & context, const VolumeGradient & gradient)
{
  const VoxelTiles tiles(gradient.extent, 1);
  const auto       kernel = gradient.components == 2 ? GradientKernel<2> : GradientKernel<3>;
  kernel<<<NumberOfBlocks(tiles), TileBlock(), 0, GpuOf(context).ComputeStream()>>>(
    tiles, tiles.Count(), gradient.matrix, gradient.input, gradient.output);
  CUDANEURO_CUDA_LAUNCHED("GradientKernel");
}

void
ShrinkVolume(Context & context, const Shrinking & shrinking, const float * input, float * output)
{
  const VoxelTiles tiles(shrinking.to, 1);
  ShrinkKernel<<<NumberOfBlocks(tiles), TileBlock(), 0, GpuOf(context).ComputeStream()>>>(
    tiles, tiles.Count(), shrinking, input, output);
  CUDANEURO_CUDA_LAUNCHED("ShrinkKernel");
}

} // namespace cudaneuro::gpu
