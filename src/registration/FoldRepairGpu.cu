// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/FoldRepairFormulas.h"

#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "cuda/GpuContext.h"
#include "cuda/VoxelTiles.cuh"

#include <algorithm>

namespace cudaneuro::gpu
{

namespace
{

constexpr int markPlanes = 4;
constexpr int repairThreads = 256;
constexpr int repairBlocksPerMultiprocessor = 8;

/** Sets marks to 1 at the origins of wrong voxels. Reads 28 bytes per voxel, and more at the few wrong ones. Each block
 * has one tile. Several threads may write the same mark; all write 1. */
template <typename TIndex>
__global__ void
__launch_bounds__(tileThreads)
  MarkOriginsKernel(const __grid_constant__ VoxelTiles tiles, const __grid_constant__ WrongVoxels wrong)
{
  const TileVoxel voxel(tiles, blockIdx.x, markPlanes);
  if (!voxel.IsOnGrid(wrong.extent))
  {
    return;
  }
  float * const marks = wrong.marks;
  const TIndex  planeVoxels = static_cast<TIndex>(wrong.extent.x) * wrong.extent.y;
  const int     end = min(voxel.z + markPlanes, wrong.extent.z);
  TIndex        index = voxel.Index<TIndex>(wrong.extent);
  for (int z = voxel.z; z < end; ++z, index += planeVoxels)
  {
    ForOrigins(wrong, voxel.x, voxel.y, z, index, [marks](TIndex origin) { marks[origin] = 1.0f; });
  }
}

/** RepairComponent in a grid-stride loop. Reads 4 bytes per voxel; where a mark is set, reads 8 more and writes 4. */
__global__ void
__launch_bounds__(repairThreads)
  RepairKernel(std::int64_t numberOfVoxels, const float * marks, float scale, const float * smoothed, float * component)
{
  const std::int64_t step = std::int64_t{ gridDim.x } * repairThreads;
  for (std::int64_t i = std::int64_t{ blockIdx.x } * repairThreads + threadIdx.x; i < numberOfVoxels; i += step)
  {
    const float mark = marks[i];
    if (mark > 0.0f)
    {
      component[i] = Repaired(mark, scale, smoothed[i], component[i]);
    }
  }
}

} // namespace

void
MarkOrigins(Context & context, const WrongVoxels & wrong)
{
  const VoxelTiles tiles(wrong.extent, markPlanes);
  const auto       blocks = static_cast<unsigned int>(tiles.Count());
  const auto       kernel = IsSmall(wrong.extent) ? MarkOriginsKernel<std::uint32_t> : MarkOriginsKernel<std::int64_t>;
  kernel<<<blocks, TileBlock(), 0, GpuOf(context).ComputeStream()>>>(tiles, wrong);
  CUDANEURO_CUDA_LAUNCHED("MarkOriginsKernel");
}

void
RepairComponent(Context &     context,
                std::int64_t  numberOfVoxels,
                const float * marks,
                float         scale,
                const float * smoothed,
                float *       component)
{
  GpuContext &       gpu = GpuOf(context);
  const std::int64_t needed = DivideUp(numberOfVoxels, std::int64_t{ repairThreads });
  const auto         blocks =
    std::min<std::int64_t>(needed, std::int64_t{ repairBlocksPerMultiprocessor } * gpu.NumberOfMultiprocessors());
  RepairKernel<<<static_cast<unsigned int>(blocks), repairThreads, 0, gpu.ComputeStream()>>>(
    numberOfVoxels, marks, scale, smoothed, component);
  CUDANEURO_CUDA_LAUNCHED("RepairKernel");
}

} // namespace cudaneuro::gpu
