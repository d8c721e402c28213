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

/** Calls a step of VoxelSteps.h for each index; the step says what it reads and writes. */
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

template <typename TStep>
void
LaunchStep(Context & context, std::int64_t count, const TStep & step)
{
  const auto blocks = static_cast<unsigned int>(DivideUp(count, std::int64_t{ stepThreads }));
  if (blocks > 0)
  {
    StepKernel<<<blocks, stepThreads, 0, GpuOf(context).ComputeStream()>>>(count, step);
    CUDANEURO_CUDA_LAUNCHED("StepKernel");
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

template <typename TShape, ShrinkagePass VPass>
void
LaunchShrinkage(Context &            context,
                const BlockImage &   image,
                const float *        noisy,
                const float *        guide,
                const BlockGroups &  groups,
                const ResidualSums & residuals)
{
  AllowAllSharedMemory(ShrinkGroupsKernel<TShape, VPass>);
  ShrinkGroupsKernel<TShape, VPass><<<BlocksOf<ShrinkageBox<TShape>>(image),
                                      shrinkageThreads,
                                      ShrinkageBytes<TShape>(VPass),
                                      GpuOf(context).ComputeStream()>>>(image, noisy, guide, groups, residuals);
  CUDANEURO_CUDA_LAUNCHED("ShrinkGroupsKernel");
}

} // namespace

void
ForEachIndex(Context & context, std::int64_t count, const ScaleVoxel & step)
{
  LaunchStep(context, count, step);
}

void
ForEachIndex(Context & context, std::int64_t count, const FillGap & step)
{
  LaunchStep(context, count, step);
}

void
ForEachIndex(Context & context, std::int64_t count, const FindVariance & step)
{
  LaunchStep(context, count, step);
}

void
ForEachIndex(Context & context, std::int64_t count, const EstimateVoxel & step)
{
  LaunchStep(context, count, step);
}

void
ForEachIndex(Context & context, std::int64_t count, const WriteVoxel & step)
{
  LaunchStep(context, count, step);
}

void
ClearResiduals(Context & context, std::int64_t numberOfVoxels, const ResidualSums & residuals)
{
  const auto         voxels = static_cast<std::size_t>(numberOfVoxels);
  const cudaStream_t stream = GpuOf(context).ComputeStream();
  CUDANEURO_CUDA(cudaMemsetAsync(residuals.sums, 0, voxels * sizeof(*residuals.sums), stream));
  CUDANEURO_CUDA(cudaMemsetAsync(residuals.counts, 0, voxels * sizeof(*residuals.counts), stream));
}

void
MatchBlocks(Context & context, const BlockImage & image, const float * volume, const BlockGroups & groups)
{
  WithBlockShape(image.depth, [&](auto shape) {
    using Shape = decltype(shape);
    using Box = MatchingBox<Shape>;
    AllowAllSharedMemory(MatchBlocksKernel<Shape>);
    MatchBlocksKernel<Shape><<<BlocksOf<Box>(image),
                               dim3(matchingThreadsX, matchingThreadsY<Shape>),
                               Box::size * sizeof(float),
                               GpuOf(context).ComputeStream()>>>(image, volume, groups);
    CUDANEURO_CUDA_LAUNCHED("MatchBlocksKernel");
  });
}

void
ShrinkGroups(Context &            context,
             const BlockImage &   image,
             const float *        noisy,
             const float *        guide,
             const BlockGroups &  groups,
             const ResidualSums & residuals)
{
  WithBlockShape(image.depth, [&](auto shape) {
    using Shape = decltype(shape);
    const auto launch =
      guide != nullptr ? LaunchShrinkage<Shape, ShrinkagePass::Second> : LaunchShrinkage<Shape, ShrinkagePass::First>;
    launch(context, image, noisy, guide, groups, residuals);
  });
}

} // namespace cudaneuro::gpu
