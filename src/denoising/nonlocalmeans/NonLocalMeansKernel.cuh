// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansKernel_cuh
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansKernel_cuh

#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "cuda/PlanesPerBlock.h"
#include "cuda/SharedMemoryLimit.h"
#include "denoising/nonlocalmeans/NonLocalMeansArguments.cuh"

#include <algorithm>

namespace cudaneuro::gpu
{

/** Returns the first of \p total strips that belongs to block \p block or a later one. With \p taper 1, blocks that
 * start later get fewer strips, so that all end at about the same time. */
__device__ __forceinline__ std::int64_t
                           FirstStripOfBlock(std::int64_t total, std::int64_t block, double taper)
{
  const double even = static_cast<double>(total * block) / gridDim.x;
  return static_cast<std::int64_t>(even * (1.0 + taper * (1.0 - static_cast<double>(block) / gridDim.x)));
}

/** Non-local means of planes [zBegin, zEnd). TColumn computes a piece of a column of tiles along z.
 *
 * Reads input and mask within NonLocalMeansChoice::reach of those planes; writes every voxel of the output there. A
 * strip is a piece as thick as the outputs of a thread. A block works on a contiguous share of the strips of all
 * columns, because starting a column costs time. Needs Tile::Bytes of dynamic shared memory. */
template <typename TColumn>
static __global__ void __launch_bounds__(32 * TColumn::Shape::warps, TColumn::Shape::blocks)
  NonLocalMeansKernel(NonLocalMeansArguments a)
{
  extern __shared__ float shared[];
  constexpr int           planes = TColumn::Shape::planes;
  const std::int64_t      total = static_cast<std::int64_t>(a.tilesX) * a.tilesY * a.strips;
  std::int64_t            strip = FirstStripOfBlock(total, blockIdx.x, a.taper);
  const std::int64_t      end = FirstStripOfBlock(total, blockIdx.x + 1, a.taper);
  while (strip < end)
  {
    const int          column = static_cast<int>(strip / a.strips);
    const int          first = static_cast<int>(strip % a.strips);
    const std::int64_t left = end - strip;
    const int          count = left < a.strips - first ? static_cast<int>(left) : a.strips - first;
    const int          zBegin = a.zBegin + first * planes;
    const int          zEnd = zBegin + count * planes;
    TColumn            work;
    work.Run(a, shared, column, zBegin, zEnd < a.zEnd ? zEnd : a.zEnd);
    strip += count;
  }
}

/** Sets tiles, strips and taper as TColumn::Sharing says, and returns the number of blocks, of which \p slots run
 * concurrently. If one share per slot would be short compared with its start, a block gets a part of one column. */
template <typename TColumn>
unsigned int
ShareStrips(NonLocalMeansArguments & a, int slots)
{
  using Sharing = typename TColumn::Sharing;
  a.tilesX = DivideUp(a.size.x, TColumn::Tile::tileX);
  a.tilesY = DivideUp(a.size.y, TColumn::Tile::tileY);
  a.strips = DivideUp(a.zEnd - a.zBegin, TColumn::Shape::planes);
  const std::int64_t columns = std::int64_t{ a.tilesX } * a.tilesY;
  const std::int64_t rounds = columns * a.strips / (slots * Sharing::stripsWorthAStart);
  std::int64_t       blocks = slots * std::clamp<std::int64_t>(rounds, Sharing::fewestRounds, Sharing::mostRounds);
  if (rounds == 0)
  {
    const int stripsOfBlock = PlanesPerBlock(
      a.strips, static_cast<unsigned int>(columns), static_cast<unsigned int>(slots), Sharing::stripsOfAStart);
    blocks = columns * DivideUp(a.strips, stripsOfBlock);
    a.taper = 0.0;
  }
  return static_cast<unsigned int>(blocks);
}

/** Launches the kernel on planes [zBegin, zEnd). */
template <typename TColumn>
void
LaunchNonLocalMeans(NonLocalMeansArguments a, int multiprocessors, cudaStream_t stream)
{
  using Tile = typename TColumn::Tile;
  const auto kernel = NonLocalMeansKernel<TColumn>;
  const auto bytes = static_cast<int>(Tile::Bytes(a));
  AllowAllSharedMemory(kernel);
  int blocksPerMultiprocessor = 0;
  CUDANEURO_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocksPerMultiprocessor, kernel, Tile::threads, bytes));
  const unsigned int blocks = ShareStrips<TColumn>(a, std::max(1, blocksPerMultiprocessor) * multiprocessors);
  kernel<<<blocks, Tile::threads, bytes, stream>>>(a);
  CUDANEURO_CUDA_LAUNCHED("NonLocalMeansKernel");
}

} // namespace cudaneuro::gpu

#endif
