// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_Reduce_cuh
#define cudaneuro_cuda_Reduce_cuh

#include "cuda/GpuContext.h"
#include "cuda/VoxelTiles.cuh"

#include <vector>

/** What is accumulated over all voxels of a grid: by threads over the tiles of their block, in the order of the tiles,
 * by blocks in a tree, and over the blocks on the host in their order. A partial result has
 * Include(const TPartial &). */
namespace cudaneuro::gpu
{

/** Not a number of the device's: so results do not depend on it. */
constexpr int reductionBlocks = 1024;

inline unsigned int
NumberOfReductionBlocks(const VoxelTiles & tiles)
{
  return static_cast<unsigned int>(std::min<std::int64_t>(reductionBlocks, tiles.Count()));
}

/** Writes what the tileThreads threads of the block have to \p result. All of them call it. */
template <typename TPartial>
__device__ void
ReduceBlock(TPartial partial, TPartial * result)
{
  __shared__ TPartial shared[tileThreads / 2];
  const int           thread = static_cast<int>(threadIdx.y * tileThreadsX + threadIdx.x);
  for (int half = tileThreads / 2; half > 0; half /= 2)
  {
    if (thread >= half && thread < 2 * half)
    {
      shared[thread - half] = partial;
    }
    __syncthreads();
    if (thread < half)
    {
      partial.Include(shared[thread]);
    }
    __syncthreads();
  }
  if (thread == 0)
  {
    *result = partial;
  }
}

/** The blocks' results together. Waits for the compute stream. */
template <typename TPartial>
TPartial
ReduceOnHost(const GpuContext & gpu, const DeviceBuffer<TPartial> & partials, unsigned int count)
{
  TPartial result = TPartial::Empty();
  for (const TPartial & partial : gpu.CopyToHost(partials, count))
  {
    result.Include(partial);
  }
  return result;
}

} // namespace cudaneuro::gpu

#endif
