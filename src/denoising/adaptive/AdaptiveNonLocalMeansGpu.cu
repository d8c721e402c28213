// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/adaptive/AdaptiveNonLocalMeans.h"

#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"
#include "cuda/SharedMemoryLimit.h"
#include "denoising/adaptive/GroupShrinkageKernel.cuh"

namespace cudaneuro::gpu
{
namespace
{

constexpr int stepThreads = 256;

/** Calls a step of VoxelSteps.h for each index, one per thread; the step states what it reads and writes. */
template <typename TStep>
__global__ void
__launch_bounds__(stepThreads) StepKernel(std::int64_t count, const __grid_constant__ TStep step)
{
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * stepThreads + threadIdx.x;
  if (i < count)
  {
    step(i);
  }
}

template <typename TBox>
dim3
BlocksOf(const BlockImage & image)
{
  return { static_cast<unsigned int>(DivideUp(image.references.x, TBox::referencesX)),
           static_cast<unsigned int>(DivideUp(image.references.y, TBox::referencesY)),
           static_cast<unsigned int>(DivideUp(image.references.z, TBox::referencesZ)) };
}

template <typename TShape, int VRows>
void
LaunchMatching(Context & context, const BlockImage & image, const float * volume, const BlockGroups & groups)
{
  using Box = MatchingBox<TShape, VRows>;
  AllowAllSharedMemory(MatchBlocksKernel<TShape, VRows>);
  MatchBlocksKernel<TShape, VRows><<<BlocksOf<Box>(image),
                                     dim3(matchingThreadsX, VRows),
                                     Box::size * sizeof(float),
                                     GpuOf(context).ComputeStream()>>>(image, volume, groups);
  CUDANEURO_CUDA_LAUNCHED("MatchBlocksKernel");
}

template <typename TShape, int VPlanes, ShrinkagePass VPass>
void
LaunchShrinkage(Context &            context,
                const BlockImage &   image,
                const float *        noisy,
                const float *        guide,
                const BlockGroups &  groups,
                const ResidualSums & residuals)
{
  using Box = ShrinkageBox<TShape, VPlanes>;
  AllowAllSharedMemory(ShrinkGroupsKernel<TShape, VPlanes, VPass>);
  ShrinkGroupsKernel<TShape, VPlanes, VPass>
    <<<BlocksOf<Box>(image), shrinkageThreads, ShrinkageBytes<Box>(VPass), GpuOf(context).ComputeStream()>>>(
      image, noisy, guide, groups, residuals);
  CUDANEURO_CUDA_LAUNCHED("ShrinkGroupsKernel");
}

} // namespace

template <typename TStep>
void
ForEachIndex(Context & context, std::int64_t count, const TStep & step)
{
  const auto blocks = static_cast<unsigned int>(DivideUp(count, std::int64_t{ stepThreads }));
  if (blocks > 0)
  {
    StepKernel<<<blocks, stepThreads, 0, GpuOf(context).ComputeStream()>>>(count, step);
    CUDANEURO_CUDA_LAUNCHED("StepKernel");
  }
}

template void
ForEachIndex(Context &, std::int64_t, const ScaleVoxel &);
template void
ForEachIndex(Context &, std::int64_t, const FillGap &);
template void
ForEachIndex(Context &, std::int64_t, const FindVariance &);
template void
ForEachIndex(Context &, std::int64_t, const EstimateVoxel &);
template void
ForEachIndex(Context &, std::int64_t, const WriteVoxel &);

void
ClearResiduals(Context & context, std::int64_t numberOfVoxels, const ResidualSums & residuals)
{
  const auto         voxels = static_cast<std::size_t>(numberOfVoxels);
  const cudaStream_t stream = GpuOf(context).ComputeStream();
  CUDANEURO_CUDA(cudaMemsetAsync(residuals.sums, 0, voxels * sizeof(*residuals.sums), stream));
  CUDANEURO_CUDA(cudaMemsetAsync(residuals.counts, 0, voxels * sizeof(*residuals.counts), stream));
}

void
MatchBlocksWithin(Context &           context,
                  const BlockImage &  image,
                  const float *       volume,
                  const BlockGroups & groups,
                  std::size_t         sharedBytes)
{
  if (image.depth == 1)
  {
    LaunchMatching<BlockShape<1>, 4>(context, image, volume, groups);
  }
  else if (MatchingBox<BlockShape<4>, 16>::size * sizeof(float) <= sharedBytes)
  {
    LaunchMatching<BlockShape<4>, 16>(context, image, volume, groups);
  }
  else if (MatchingBox<BlockShape<4>, 5>::size * sizeof(float) <= sharedBytes)
  {
    LaunchMatching<BlockShape<4>, 5>(context, image, volume, groups);
  }
  else
  {
    LaunchMatching<BlockShape<4>, 2>(context, image, volume, groups);
  }
}

void
MatchBlocks(Context & context, const BlockImage & image, const float * volume, const BlockGroups & groups)
{
  MatchBlocksWithin(context, image, volume, groups, GpuOf(context).SharedBytesPerBlock());
}

void
ShrinkGroupsWithin(Context &            context,
                   const BlockImage &   image,
                   const float *        noisy,
                   const float *        guide,
                   const BlockGroups &  groups,
                   const ResidualSums & residuals,
                   std::size_t          sharedBytes)
{
  const auto launch = [&](auto first, auto second) {
    (guide != nullptr ? second : first)(context, image, noisy, guide, groups, residuals);
  };
  if (image.depth == 1)
  {
    launch(LaunchShrinkage<BlockShape<1>, 1, ShrinkagePass::First>,
           LaunchShrinkage<BlockShape<1>, 1, ShrinkagePass::Second>);
  }
  else if (ShrinkageBytes<ShrinkageBox<BlockShape<4>, 2>>(ShrinkagePass::Second) <= sharedBytes)
  {
    launch(LaunchShrinkage<BlockShape<4>, 2, ShrinkagePass::First>,
           LaunchShrinkage<BlockShape<4>, 2, ShrinkagePass::Second>);
  }
  else
  {
    launch(LaunchShrinkage<BlockShape<4>, 1, ShrinkagePass::First>,
           LaunchShrinkage<BlockShape<4>, 1, ShrinkagePass::Second>);
  }
}

void
ShrinkGroups(Context &            context,
             const BlockImage &   image,
             const float *        noisy,
             const float *        guide,
             const BlockGroups &  groups,
             const ResidualSums & residuals)
{
  ShrinkGroupsWithin(context, image, noisy, guide, groups, residuals, GpuOf(context).SharedBytesPerBlock());
}

} // namespace cudaneuro::gpu
