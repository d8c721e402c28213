// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_similarity_StructuralSimilarityKernel_cuh
#define cudaneuro_denoising_similarity_StructuralSimilarityKernel_cuh

#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "cuda/SharedMemoryLimit.h"
#include "denoising/similarity/StructuralSimilarityColumn.cuh"
#include "denoising/similarity/StructuralSimilarityFallbackKernel.cuh"

#include <algorithm>

namespace cudaneuro
{
namespace gpu
{

/** SSIM of planes [zBegin, zEnd), zBegin a multiple of similarityBlockPlanes.
 *
 * Reads both images within similarityReach of those planes, and the mask. Writes the map there and one partial result
 * for each warp of each tile and block of planes, not finite where the result for one of its voxels is not. A block
 * works on its share of all columns of tiles. Needs SharedBytes of dynamic shared memory, aligned to 16 bytes. */
template <typename TShape>
static __global__ void __launch_bounds__(32 * TShape::warps, TShape::blocks)
  StructuralSimilarityKernel(const StructuralSimilarityArguments arguments)
{
  extern __shared__ float4 sharedVectors[];
  const int                columnBlocks = DivideUp(arguments.zEnd - arguments.zBegin, similarityBlockPlanes);
  const long long          total = static_cast<long long>(arguments.tilesX) * arguments.tilesY * columnBlocks;
  long long                block = total * blockIdx.x / gridDim.x;
  const long long          end = total * (blockIdx.x + 1) / gridDim.x;
  while (block < end)
  {
    const int       column = static_cast<int>(block / columnBlocks);
    const int       first = static_cast<int>(block % columnBlocks);
    const long long left = end - block;
    const int       count = left < columnBlocks - first ? static_cast<int>(left) : columnBlocks - first;
    const int       zBegin = arguments.zBegin + first * similarityBlockPlanes;
    const int       zEnd = zBegin + count * similarityBlockPlanes;
    StructuralSimilarityColumn<TShape> work(arguments, reinterpret_cast<float *>(sharedVectors), column);
    work.Run(zBegin, zEnd < arguments.zEnd ? zEnd : arguments.zEnd);
    block += count;
  }
}

/** The shape that the library uses, and one for devices with little shared memory. */
using StructuralSimilarityDefaultShape = StructuralSimilarityShape<4, 8, 1>;
using StructuralSimilaritySmallShape = StructuralSimilarityShape<2, 8, 2>;

/** Enqueues both kernels over planes [zBegin, zEnd) of the arguments. */
template <typename TShape>
void
LaunchStructuralSimilarity(const StructuralSimilarityArguments & arguments, int multiprocessors, cudaStream_t stream)
{
  using Column = StructuralSimilarityColumn<TShape>;
  const auto kernel = StructuralSimilarityKernel<TShape>;
  const auto bytes = static_cast<int>(Column::SharedBytes());
  AllowAllSharedMemory(kernel);
  int blocksPerMultiprocessor = 0;
  CUDANEURO_CUDA(
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocksPerMultiprocessor, kernel, Column::threads, bytes));
  StructuralSimilarityArguments a = arguments;
  a.tilesX = DivideUp(a.size[0], Column::tileX);
  a.tilesY = DivideUp(a.size[1], Column::tileY);
  a.aligned = a.size[0] % 4 == 0 && reinterpret_cast<std::size_t>(a.reference) % 16 == 0 &&
              reinterpret_cast<std::size_t>(a.image) % 16 == 0;
  const int       columns = a.tilesX * a.tilesY;
  const int       columnBlocks = DivideUp(a.zEnd - a.zBegin, similarityBlockPlanes);
  const long long most = static_cast<long long>(std::max(1, blocksPerMultiprocessor)) * multiprocessors;
  const auto      blocks =
    static_cast<unsigned int>(std::min<long long>(most, static_cast<long long>(columns) * columnBlocks));
  kernel<<<blocks, Column::threads, bytes, stream>>>(a);
  CUDANEURO_CUDA_LAUNCHED("StructuralSimilarityKernel");
  StructuralSimilarityFallbackKernel<TShape><<<dim3(columns, columnBlocks), Column::threads, 0, stream>>>(a);
  CUDANEURO_CUDA_LAUNCHED("StructuralSimilarityFallbackKernel");
}

} // namespace gpu
} // namespace cudaneuro

#endif
