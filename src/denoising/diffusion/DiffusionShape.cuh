// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_DiffusionShape_cuh
#define cudaneuro_denoising_diffusion_DiffusionShape_cuh

#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "cuda/DependentLaunch.cuh"
#include "cuda/SharedMemoryLimit.h"
#include "denoising/diffusion/DiffusionArguments.cuh"

#include <algorithm>

namespace cudaneuro::gpu
{

/** Launch shape: a block of VThreadsX x VThreadsY threads covers 4 VThreadsX x VRows VThreadsY voxels of each plane.
 * VMap is for noise that varies. */
template <int VThreadsX, int VThreadsY, int VRows, int VMinimumBlocks = 1, bool VMap = false>
struct DiffusionShape
{
  static constexpr int  threadsX = VThreadsX;
  static constexpr int  threadsY = VThreadsY;
  static constexpr int  rows = VRows;
  static constexpr int  minimumBlocks = VMinimumBlocks;
  static constexpr int  threads = VThreadsX * VThreadsY;
  static constexpr int  width = 4 * VThreadsX;
  static constexpr int  height = VRows * VThreadsY;
  static constexpr bool hasMap = VMap;
};

/** The shape for noise that varies, with more registers. Blocks cover the same voxels, which affects the rounding of
 * some steps: where the noise hardly varies, results round as with a single number. */
template <typename TShape, int VMinimumBlocks>
using DiffusionMapShape = DiffusionShape<TShape::threadsX, TShape::threadsY, TShape::rows, VMinimumBlocks, true>;

/** The part of the volume that a block computes. */
struct DiffusionBlock
{
  int x0;
  int y0;
  int zBegin;
  int zEnd;
};

/** Returns the part that a block computes. Numbering is x fastest, so that concurrent blocks share planes. */
template <typename TShape>
__device__ __forceinline__ DiffusionBlock
LocateDiffusionBlock(const DiffusionArguments & a)
{
  const int      blocksX = DivideUp(a.size.x, TShape::width);
  const int      blocksY = DivideUp(a.size.y, TShape::height);
  const int      blockRow = blockIdx.x / blocksX;
  DiffusionBlock block;
  block.x0 = (blockIdx.x - blockRow * blocksX) * TShape::width;
  block.y0 = blockRow % blocksY * TShape::height;
  block.zBegin = a.zBegin + blockRow / blocksY * a.planesPerBlock;
  block.zEnd = min(block.zBegin + a.planesPerBlock, a.zEnd);
  return block;
}

/** Returns the number of tiles in a plane. */
template <typename TShape>
CUDANEURO_HOST_DEVICE std::int64_t
                      CountDiffusionTiles(const Extent & size)
{
  return static_cast<std::int64_t>(DivideUp(size.x, TShape::width)) * DivideUp(size.y, TShape::height);
}

/** Returns the number of planes for one block. The blocks should fill the \p resident places of the device evenly, and
 * the \p overhead planes that a block computes besides its own should cost little. */
inline int
ChoosePlanesPerBlock(std::int64_t tiles, int planes, int overhead, std::int64_t resident)
{
  double bestCost = 0.0;
  int    best = planes;
  for (int pieces = 1; pieces <= std::min(planes, 64); ++pieces)
  {
    const int          planesPerBlock = DivideUp(planes, pieces);
    const std::int64_t blocks = tiles * DivideUp(planes, planesPerBlock);
    // A partly filled last round is faster than a full one, but not in proportion.
    const double lastRound = static_cast<double>(blocks % resident) / static_cast<double>(resident);
    const double rounds = static_cast<double>(blocks / resident) + (lastRound > 0.0 ? 0.5 + 0.5 * lastRound : 0.0);
    const double cost = rounds * (planesPerBlock + overhead);
    if (pieces == 1 || cost < bestCost)
    {
      bestCost = cost;
      best = planesPerBlock;
    }
  }
  return best;
}

/** Begins a step: its blocks are scheduled while the last blocks of the previous step still run. */
template <bool VFirst>
__device__ __forceinline__ void
BeginDiffusionStep()
{
  LetNextKernelBegin();
  if (!VFirst)
  {
    WaitForKernelBefore();
  }
}

/** Launches a diffusion kernel over planes [zBegin, zEnd).
 * \param first whether it is the first step, which starts after all earlier work on the stream has ended */
template <typename TShape>
void
LaunchDiffusion(bool first,
                void (*kernel)(DiffusionArguments),
                DiffusionArguments arguments,
                std::size_t        sharedBytes,
                int                overhead,
                int                multiprocessors,
                cudaStream_t       stream)
{
  if (sharedBytes > 48 * 1024)
  {
    AllowAllSharedMemory(kernel);
  }
  int residentPerMultiprocessor = 0;
  CUDANEURO_CUDA(
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&residentPerMultiprocessor, kernel, TShape::threads, sharedBytes));
  const std::int64_t resident = std::int64_t{ multiprocessors } * std::max(residentPerMultiprocessor, 1);
  const std::int64_t tiles = CountDiffusionTiles<TShape>(arguments.size);
  const int          planes = arguments.zEnd - arguments.zBegin;
  arguments.planesPerBlock = ChoosePlanesPerBlock(tiles, planes, overhead, resident);
  const std::int64_t blocksZ = DivideUp(planes, arguments.planesPerBlock);
  LaunchEarly(!first && CanLaunchEarly(),
              kernel,
              { static_cast<unsigned int>(tiles * blocksZ), TShape::threads, sharedBytes, stream },
              arguments);
}

} // namespace cudaneuro::gpu

#endif
