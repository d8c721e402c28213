// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_Reduce_cuh
#define cudaneuro_cuda_Reduce_cuh

#include "cuda/GpuContext.h"
#include "cuda/VoxelTiles.cuh"

#include <vector>

/** Reductions over all voxels of a grid: each thread accumulates its voxels in their order, each block its threads in a
 * tree, and the host the blocks in their order. A partial result has Include(const TPartial &), and Empty().
 *
 * cub::BlockReduce has another order, and its headers add 3.5 s to the compilation of a file (CUDA 13, one
 * architecture). */
namespace cudaneuro::gpu
{

/** The number of blocks is fixed, so that results do not depend on the device. */
constexpr int reductionBlocks = 1024;

inline unsigned int
NumberOfReductionBlocks(const VoxelTiles & tiles)
{
  return static_cast<unsigned int>(std::min<std::int64_t>(reductionBlocks, tiles.Count()));
}

/** Combines the partial results of a block's VThreads threads, a power of 2, and writes them to \p result. All threads
 * must call it, each with its number. */
template <int VThreads, typename TPartial>
__device__ void
ReduceBlock(TPartial partial, int thread, TPartial * result)
{
  __shared__ TPartial shared[VThreads / 2];
  for (int half = VThreads / 2; half > 0; half /= 2)
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

/** Does the same for the block of a tile. */
template <typename TPartial>
__device__ void
ReduceBlock(const TPartial & partial, TPartial * result)
{
  ReduceBlock<tileThreads>(partial, static_cast<int>(threadIdx.y * tileThreadsX + threadIdx.x), result);
}

/** Returns the blocks' results combined. Waits for the compute stream. */
template <typename TPartial>
TPartial
ReduceOnHost(const GpuContext & gpu, const DeviceBuffer<TPartial> & partials, std::size_t count)
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
