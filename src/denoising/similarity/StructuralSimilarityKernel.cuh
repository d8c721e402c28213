// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_similarity_StructuralSimilarityKernel_cuh
#define cudaneuro_denoising_similarity_StructuralSimilarityKernel_cuh

#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "cuda/DependentLaunch.cuh"
#include "cuda/PlanesPerBlock.h"
#include "cuda/QuadAlignment.h"
#include "cuda/SharedMemoryLimit.h"
#include "denoising/similarity/StructuralSimilarityColumn.cuh"
#include "denoising/similarity/StructuralSimilarityFallbackKernel.cuh"

#include <algorithm>
#include <vector>

namespace cudaneuro::gpu
{

/** SSIM of planes [zBegin, zEnd), where zBegin is a multiple of similarityBlockPlanes.
 *
 * Reads both images within similarityReach of those planes, and the mask. Writes the map and one partial result for
 * each warp of each tile and block of planes; it is not finite where the result of one of its voxels is not. A block
 * works on a contiguous share of all columns of tiles. Needs SharedBytes of dynamic shared memory, aligned to 16
 * bytes.
 *
 * The next launch, for another image, may begin while this one runs; other kernels wait for its end. */
template <typename TShape>
static __global__ void __launch_bounds__(32 * TShape::warps, TShape::blocks)
  StructuralSimilarityKernel(const StructuralSimilarityArguments arguments)
{
  extern __shared__ float4 sharedVectors[];
  LetNextKernelBegin();
  const int          columnBlocks = DivideUp(arguments.zEnd - arguments.zBegin, similarityBlockPlanes);
  const std::int64_t total = static_cast<std::int64_t>(arguments.tilesX) * arguments.tilesY * columnBlocks;
  std::int64_t       block = total * blockIdx.x / gridDim.x;
  const std::int64_t end = total * (blockIdx.x + 1) / gridDim.x;
  while (block < end)
  {
    const int          column = static_cast<int>(block / columnBlocks);
    const int          first = static_cast<int>(block % columnBlocks);
    const std::int64_t left = end - block;
    const int          count = left < columnBlocks - first ? static_cast<int>(left) : columnBlocks - first;
    const int          zBegin = arguments.zBegin + first * similarityBlockPlanes;
    const int          zEnd = zBegin + count * similarityBlockPlanes;
    StructuralSimilarityColumn<TShape> work(arguments, reinterpret_cast<float *>(sharedVectors), column);
    work.Run(zBegin, zEnd < arguments.zEnd ? zEnd : arguments.zEnd);
    block += count;
  }
  // A kernel that waits for this one waits for no other kernel, so this one must end after the earlier ones.
  if (blockIdx.x == 0)
  {
    WaitForKernelBefore();
  }
}

/** Returns how many blocks compare one of \p images images. If several images are compared concurrently, which fills
 * the device, a block gets a part of one column of tiles, because a column's first planes need others before them. */
inline unsigned int
BlocksForSimilarity(int columns, int columnBlocks, unsigned int slots, std::size_t images)
{
  if (images == 1)
  {
    return std::min(slots, static_cast<unsigned int>(columns * columnBlocks));
  }
  constexpr int start = DivideUp(similarityReach, similarityBlockPlanes);
  const int     perBlock = PlanesPerBlock(columnBlocks, static_cast<unsigned int>(columns * images), slots, start);
  return static_cast<unsigned int>(columns * DivideUp(columnBlocks, perBlock));
}

/** Launches both kernels on planes [zBegin, zEnd) for each of several images that are compared with one reference. */
template <typename TShape>
void
LaunchStructuralSimilarity(std::vector<StructuralSimilarityArguments> images, int multiprocessors, cudaStream_t stream)
{
  using Column = StructuralSimilarityColumn<TShape>;
  const auto kernel = StructuralSimilarityKernel<TShape>;
  const auto bytes = static_cast<int>(Column::SharedBytes());
  AllowAllSharedMemory(kernel);
  AllowAllSharedMemory(StructuralSimilarityFallbackKernel<TShape>);
  int blocksPerMultiprocessor = 0;
  CUDANEURO_CUDA(
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocksPerMultiprocessor, kernel, Column::threads, bytes));
  const auto slots = static_cast<unsigned int>(std::max(1, blocksPerMultiprocessor) * multiprocessors);
  const bool canLaunchEarly = images.size() > 1 && CanLaunchEarly();
  for (std::size_t i = 0; i < images.size(); ++i)
  {
    StructuralSimilarityArguments & a = images[i];
    a.tilesX = DivideUp(a.size.x, Column::tileX);
    a.tilesY = DivideUp(a.size.y, Column::tileY);
    a.isQuadAligned = IsQuadAligned(a.reference, a.size.x) && IsQuadAligned(a.image, a.size.x);
    const int          columnBlocks = DivideUp(a.zEnd - a.zBegin, similarityBlockPlanes);
    const unsigned int blocks =
      BlocksForSimilarity(a.tilesX * a.tilesY, columnBlocks, slots, canLaunchEarly ? images.size() : 1);
    LaunchEarly(
      canLaunchEarly && i > 0, kernel, { blocks, Column::threads, static_cast<std::size_t>(bytes), stream }, a);
  }
  for (const StructuralSimilarityArguments & a : images)
  {
    LaunchSimilarityFallback<TShape>(a, multiprocessors, stream);
  }
}

} // namespace cudaneuro::gpu

#endif
