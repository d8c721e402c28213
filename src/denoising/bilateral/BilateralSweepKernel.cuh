// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralSweepKernel_cuh
#define cudaneuro_denoising_bilateral_BilateralSweepKernel_cuh

#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "denoising/bilateral/BilateralSweepSums.cuh"

namespace cudaneuro::gpu
{

/** The position of a block in the volume. */
struct BilateralSweepBlock
{
  int x0;
  int y0;
  int z0;
  /** The tile's rows in y and in z, including the halo. */
  int tileY;
  int tileZ;
};

__device__ __forceinline__ BilateralSweepBlock
MakeBilateralSweepBlock(const BilateralSweepArguments & a)
{
  const unsigned int  blockX = blockIdx.x % a.blocksX;
  const unsigned int  rest = blockIdx.x / a.blocksX;
  BilateralSweepBlock block{};
  block.x0 = static_cast<int>(blockX) * sweepBlockX;
  block.y0 = static_cast<int>(rest % a.blocksY) << a.log2BlockY;
  block.z0 = a.image.zBegin + (static_cast<int>(rest / a.blocksY) << a.log2BlockZ);
  block.tileY = (1 << a.log2BlockY) + 2 * a.image.radius[1];
  block.tileZ = (1 << a.log2BlockZ) + 2 * a.image.radius[2];
  return block;
}

/** Returns a quad of the block's tile, scaled; excluded voxels are bilateralExcluded. */
__device__ __forceinline__ float4
LoadTileQuad(const BilateralArguments & image, const BilateralSweepBlock & block, int quad)
{
  constexpr int quadsPerRow = sweepRowStride / 4;
  const int     row = quad / quadsPerRow;
  const int     plane = row / block.tileY;
  const int     x = block.x0 - sweepHaloX + 4 * (quad - row * quadsPerRow);
  const int     y = block.y0 - image.radius[1] + row - plane * block.tileY;
  const int     z = block.z0 - image.radius[2] + plane;
  float4        v = make_float4(bilateralNan, bilateralNan, bilateralNan, bilateralNan);
  if (x >= 0 && x < image.size.x && y >= 0 && y < image.size.y && z >= 0 && z < image.size.z)
  {
    v = LoadBilateralQuad(image, x, (static_cast<std::int64_t>(z) * image.size.y + y) * image.size.x + x);
  }
  return ScaleBilateralQuad(image, v);
}

/** Writes all outputs of one radius for the thread's voxels from x on. \p index counts from plane zBegin. */
__device__ __forceinline__ void
WriteSweepVoxels(const BilateralSweepArguments & a,
                 int                             radius,
                 int                             x,
                 std::int64_t                    index,
                 const float (&center)[sweepVoxels],
                 const BilateralSweepSums (&sums)[sweepSigmas])
{
  const std::int64_t  plane = static_cast<std::int64_t>(a.image.size.x) * a.image.size.y;
  const float * const input = a.image.input + a.image.zBegin * plane + index;
  float               value[sweepVoxels];
#pragma unroll
  for (int i = 0; i < sweepVoxels; ++i)
  {
    value[i] = x + i < a.image.size.x ? __ldg(input + i) : 0.0f;
  }
#pragma unroll
  for (int s = 0; s < sweepSigmas; ++s)
  {
    float * const output = a.outputs[radius][s];
    if (output == nullptr)
    {
      continue;
    }
#pragma unroll
    for (int i = 0; i < sweepVoxels; ++i)
    {
      const float change = BilateralMean(sums[s].weightedDifference[i], sums[s].weight[i]) * a.image.inverseRangeScale;
      if (x + i < a.image.size.x)
      {
        output[index + i] = center[i] == bilateralExcluded ? value[i] : value[i] + change;
      }
    }
  }
}

/** Loads the block's tile from input and mask. */
__device__ __forceinline__ void
LoadSweepTile(const BilateralArguments & image, const BilateralSweepBlock & block, float4 * tile)
{
  const int     quads = sweepRowStride / 4 * block.tileY * block.tileZ;
  constexpr int atOnce = 4; // loads in flight
#pragma unroll 1
  for (int first = static_cast<int>(threadIdx.x); first < quads; first += atOnce * sweepThreads)
  {
    float4 v[atOnce];
#pragma unroll
    for (int k = 0; k < atOnce; ++k)
    {
      v[k] = LoadTileQuad(image, block, first + k * sweepThreads);
    }
#pragma unroll
    for (int k = 0; k < atOnce; ++k)
    {
      if (first + k * sweepThreads < quads)
      {
        tile[first + k * sweepThreads] = v[k];
      }
    }
  }
}

/** Reads input and mask, writes planes [zBegin, zEnd) of all outputs. A block keeps its voxels and their neighborhoods
 * in shared memory. A thread has sweepVoxels voxels in a row, and their sums for each sigma in registers. Shell after
 * shell, it sums the taps of each distance once for all sigmas, and adds this sum, multiplied by the spatial weight,
 * for each sigma. The order of additions does not depend on where a block starts. */
static __global__ void
__launch_bounds__(sweepThreads, sweepBlocksPerMultiprocessor) BilateralSweepKernel(const BilateralSweepArguments a)
{
  extern __shared__ float4  sweepShared[];
  constexpr int             threadsX = sweepBlockX / sweepVoxels;
  const BilateralSweepBlock block = MakeBilateralSweepBlock(a);
  LoadSweepTile(a.image, block, sweepShared);
  __syncthreads();

  const int threadX = static_cast<int>(threadIdx.x) % threadsX;
  const int threadZ = static_cast<int>(threadIdx.x) / threadsX >> a.log2BlockY;
  const int threadY = static_cast<int>(threadIdx.x) / threadsX - (threadZ << a.log2BlockY);
  const int x = block.x0 + sweepVoxels * threadX;
  const int y = block.y0 + threadY;
  const int z = block.z0 + threadZ;
  if (x >= a.image.size.x || y >= a.image.size.y || z >= a.image.zEnd)
  {
    return;
  }
  const int           tileRow = (threadZ + a.image.radius[2]) * block.tileY + threadY + a.image.radius[1];
  const float * const from =
    reinterpret_cast<const float *>(sweepShared) + tileRow * sweepRowStride + sweepHaloX + sweepVoxels * threadX;
  const std::int64_t index = (static_cast<std::int64_t>(z - a.image.zBegin) * a.image.size.y + y) * a.image.size.x + x;

  float center[sweepVoxels];
  ReadSweepVoxels(from, center);
  BilateralSweepSums sums[sweepSigmas];
#pragma unroll
  for (int s = 0; s < sweepSigmas; ++s)
  {
#pragma unroll
    for (int i = 0; i < sweepVoxels; ++i)
    {
      sums[s].weight[i] = 1.0f;
      sums[s].weightedDifference[i] = 0.0f;
    }
  }
  BilateralSweepRows rows(a.rows);
  int                partIndex = 0;
  BilateralSweepPart next = __ldg(a.parts);
#pragma unroll 1
  for (int radius = 0; radius < a.numberOfRadii; ++radius)
  {
#pragma unroll 1
    while (partIndex < a.partsEnd[radius])
    {
      const BilateralSweepPart part = next;
      const float4 * const     spatialWeights = a.spatialWeights + partIndex * (sweepPartLength * sweepSigmas / 4);
      next = __ldg(a.parts + ++partIndex); // the table has one more element than there are parts
      AddAnySweepPart(part, rows, spatialWeights, from, center, sums);
    }
    WriteSweepVoxels(a, radius, x, index, center, sums);
  }
}

/** Launches BilateralSweepKernel on planes [zBegin, zEnd). */
inline void
LaunchBilateralSweep(BilateralSweepArguments a, cudaStream_t stream)
{
  const auto blocks = [](int count, int blockSize) { return DivideUp(std::int64_t{ count }, blockSize); };
  const int  blockY = 1 << a.log2BlockY;
  const int  blockZ = 1 << a.log2BlockZ;
  a.blocksX = static_cast<int>(blocks(a.image.size.x, sweepBlockX));
  a.blocksY = static_cast<int>(blocks(a.image.size.y, blockY));
  const std::int64_t numberOfBlocks =
    std::int64_t{ a.blocksX } * a.blocksY * blocks(a.image.zEnd - a.image.zBegin, blockZ);
  const std::size_t sharedBytes =
    sizeof(float) * sweepRowStride * (blockY + 2 * a.image.radius[1]) * (blockZ + 2 * a.image.radius[2]);
  BilateralSweepKernel<<<static_cast<unsigned int>(numberOfBlocks), sweepThreads, sharedBytes, stream>>>(a);
  CUDANEURO_CUDA_LAUNCHED("BilateralSweepKernel");
}

} // namespace cudaneuro::gpu

#endif
