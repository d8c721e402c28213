// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/blocks/BlockAgreementFormulas.h"

#include "cuda/GpuContext.h"
#include "cuda/WarpReduce.cuh"

namespace cudaneuro::gpu
{
namespace
{

constexpr int gradientThreads = 256;
constexpr int lanes = 32;

/** Calls operation(x, y, z, voxel) for each voxel that is assigned to this thread. */
template <typename TOperation>
__device__ void
ForVoxelsOf(const Extent & extent, const TOperation & operation)
{
  const std::int64_t voxels = std::int64_t{ extent.x } * extent.y * extent.z;
  const std::int64_t step = std::int64_t{ gridDim.x } * gradientThreads;
  for (std::int64_t i = std::int64_t{ blockIdx.x } * gradientThreads + threadIdx.x; i < voxels; i += step)
  {
    const std::int64_t row = i / extent.x;
    operation(static_cast<int>(i % extent.x), static_cast<int>(row % extent.y), static_cast<int>(row / extent.y), i);
  }
}

/** Reads the image, and the mask and weights if there are any; adds to \p counts of gradient lengths by bin. Counts are
 * integers, so that the order of additions does not matter. */
__global__ void
__launch_bounds__(gradientThreads)
  CountGradientsKernel(const __grid_constant__ GradientSource source, unsigned long long * counts)
{
  ForVoxelsOf(source.extent, [&](int x, int y, int z, std::int64_t) {
    const int bin = source.BinAt(x, y, z);
    if (bin >= 0)
    {
      atomicAdd(counts + bin, 1ULL);
    }
  });
}

/** Reads the image and the mask, if there is one; writes the normalized gradients, 16 bytes per voxel. */
__global__ void
__launch_bounds__(gradientThreads)
  NormalizeGradientsKernel(const __grid_constant__ GradientSource source, double noise, GradientVoxel * gradients)
{
  ForVoxelsOf(source.extent,
              [&](int x, int y, int z, std::int64_t voxel) { gradients[voxel] = source.NormalizedAt(x, y, z, noise); });
}

__device__ __forceinline__ double
SumOfWarp(double value)
{
  return WarpReduce(value, [](double a, double b) { return a + b; });
}

/** Sums over blocks of the source: one CUDA block for each, with one warp for each shift, whose lanes share the
 * voxels. Reads 16 bytes per voxel and its weight, and for each shift eight voxels of the target, which neighbors
 * share in the cache. */
template <typename TIndex>
__global__ void
__launch_bounds__(lanes * blockShifts) SumBlocksKernel(const __grid_constant__ BlockView view, BlockSums * sums)
{
  const int      block = static_cast<int>(blockIdx.x);
  const int      shift = static_cast<int>(threadIdx.y);
  const BlockBox box = view.BoxOf(block);
  const auto     sizeX = static_cast<TIndex>(box.size[0]);
  const auto     sizeY = static_cast<TIndex>(box.size[1]);
  const auto     voxels = static_cast<TIndex>(shift < view.numberOfShifts ? box.NumberOfVoxels() : 0);
  BlockTerms     own;
  for (TIndex i = threadIdx.x; i < voxels; i += lanes)
  {
    const TIndex     row = i / sizeX;
    const int        x = box.begin[0] + static_cast<int>(i % sizeX);
    const int        y = box.begin[1] + static_cast<int>(row % sizeY);
    const int        z = box.begin[2] + static_cast<int>(row / sizeY);
    const BlockVoxel voxel = view.VoxelAt<TIndex>(x, y, z);
    if (voxel.weight > 0.0f)
    {
      const BlockTerms terms = view.TermsOf<TIndex>(voxel, shift);
      own.visible += terms.visible;
      own.source += terms.source;
      own.lengths += terms.lengths;
      own.aligned += terms.aligned;
    }
  }
  const double aligned = SumOfWarp(own.aligned);
  const double lengths = SumOfWarp(own.lengths);
  if (threadIdx.x == 0)
  {
    sums[block].aligned[shift] = aligned;
    sums[block].lengths[shift] = lengths;
  }
  if (shift == 0)
  {
    const double visible = SumOfWarp(own.visible);
    const double source = SumOfWarp(own.source);
    if (threadIdx.x == 0)
    {
      sums[block].visible = visible;
      sums[block].source = source;
    }
  }
}

unsigned int
BlocksFor(const GpuContext & gpu, const Extent & extent)
{
  const std::int64_t needed = DivideUp(NumberOfVoxels(extent), std::int64_t{ gradientThreads });
  return static_cast<unsigned int>(std::min<std::int64_t>(needed, std::int64_t{ 16 } * gpu.NumberOfMultiprocessors()));
}

} // namespace

std::vector<std::int64_t>
CountGradients(Context & context, const GradientSource & source)
{
  const GpuContext & gpu = GpuOf(context);
  const auto         counts = gpu.AllocateArray<unsigned long long>(gradientBins);
  CUDANEURO_CUDA(cudaMemsetAsync(counts.Data(), 0, gradientBins * sizeof(unsigned long long), gpu.ComputeStream()));
  CountGradientsKernel<<<BlocksFor(gpu, source.extent), gradientThreads, 0, gpu.ComputeStream()>>>(source,
                                                                                                   counts.Data());
  CUDANEURO_CUDA_LAUNCHED("CountGradientsKernel");
  const std::vector<unsigned long long> host = gpu.CopyToHost(counts, gradientBins);
  return { host.begin(), host.end() };
}

void
NormalizeGradients(Context & context, const GradientSource & source, double noise, GradientVoxel * gradients)
{
  const GpuContext & gpu = GpuOf(context);
  NormalizeGradientsKernel<<<BlocksFor(gpu, source.extent), gradientThreads, 0, gpu.ComputeStream()>>>(
    source, noise, gradients);
  CUDANEURO_CUDA_LAUNCHED("NormalizeGradientsKernel");
}

std::vector<BlockSums>
SumBlocks(Context & context, const std::vector<BlockView> & views)
{
  const GpuContext & gpu = GpuOf(context);
  std::size_t        blocks = 0;
  for (const BlockView & view : views)
  {
    blocks += view.NumberOfBlocks();
  }
  const auto  sums = gpu.AllocateArray<BlockSums>(blocks);
  BlockSums * next = sums.Data();
  for (const BlockView & view : views)
  {
    const bool isSmall = IsSmall(view.sourceExtent) && IsSmall(view.targetExtent);
    const auto kernel = isSmall ? SumBlocksKernel<std::uint32_t> : SumBlocksKernel<std::int64_t>;
    kernel<<<view.NumberOfBlocks(), dim3(lanes, blockShifts), 0, gpu.ComputeStream()>>>(view, next);
    CUDANEURO_CUDA_LAUNCHED("SumBlocksKernel");
    next += view.NumberOfBlocks();
  }
  return gpu.CopyToHost(sums, blocks);
}

} // namespace cudaneuro::gpu
