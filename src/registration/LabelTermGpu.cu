// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/LabelTerm.h"

#include "cuda/GpuContext.h"
#include "cuda/PlanesPerBlock.h"
#include "registration/LabelTermKernel.cuh"

#include <algorithm>

namespace cudaneuro::gpu
{

namespace
{

/** What a block does besides its planes, as a number of planes: it starts, computes what it has noted, and adds up. */
constexpr int labelBesides = 2;

/** The shape of the launches. */
struct LabelLaunch
{
  LabelLaunch(const Extent & extent, int multiprocessors)
    : blocks(DivideUp(extent.x, labelThreadsX), DivideUp(extent.y, labelThreadsY))
  {
    const auto slots = static_cast<unsigned int>(labelBlocks * multiprocessors);
    planesPerBlock = PlanesPerBlock(extent.z, blocks.x * blocks.y, slots, labelBesides);
    blocks.z = DivideUp(extent.z, planesPerBlock);
  }

  std::size_t
  NumberOfBlocks() const
  {
    return std::size_t{ blocks.x } * blocks.y * blocks.z;
  }

  dim3 blocks;
  int  planesPerBlock = 1;
};

} // namespace

struct LabelPlan
{
  LabelPlan(const GpuContext & gpu, const LabelTerm & term)
    : stream(gpu.ComputeStream())
    , launch(term.labels.extent, gpu.NumberOfMultiprocessors())
    , sums(gpu.AllocateArray<double>(launch.NumberOfBlocks()))
    , finishedBlocks(gpu.AllocateArray<unsigned int>(1))
  {
    const LevelLabels & labels = term.labels;
    arguments.extent = labels.extent;
    arguments.grid = CellGrid(labels.extent);
    arguments.moving.labels = labels.moving;
    arguments.fixed.labels = labels.fixed;
    arguments.weights = labels.weights;
    const std::array<float, 3> scale = ForceScale(term);
    std::copy(scale.begin(), scale.end(), arguments.scale);
    arguments.planesPerBlock = launch.planesPerBlock;
    arguments.sums = sums.Data();
    arguments.finishedBlocks = finishedBlocks.Data();
    arguments.perVoxel = 1.0 / static_cast<double>(NumberOfVoxels(labels.extent));
    CUDANEURO_CUDA(cudaMemsetAsync(finishedBlocks.Data(), 0, sizeof(unsigned int), stream));
  }

  cudaStream_t               stream;
  LabelLaunch                launch;
  DeviceBuffer<double>       sums;
  DeviceBuffer<unsigned int> finishedBlocks;
  LabelForceArguments        arguments{};
};

std::shared_ptr<LabelPlan>
MakeLabelPlan(Context & context, const LabelTerm & term)
{
  return std::make_shared<LabelPlan>(GpuOf(context), term);
}

void
EnqueueLabelForce(LabelPlan & plan, const StepBuffers & toMoving, const StepBuffers * toFixed, double * energy)
{
  LabelForceArguments & arguments = plan.arguments;
  arguments.state = toMoving.state;
  arguments.moving.maps = toMoving.maps;
  arguments.moving.force = toMoving.force;
  arguments.energy = energy;
  const dim3 threads(labelThreadsX, labelThreadsY);
  if (toFixed != nullptr)
  {
    arguments.fixed.maps = toFixed->maps;
    arguments.fixed.force = toFixed->force;
    LabelForceKernel<true><<<plan.launch.blocks, threads, 0, plan.stream>>>(arguments);
  }
  else
  {
    LabelForceKernel<false><<<plan.launch.blocks, threads, 0, plan.stream>>>(arguments);
  }
  CUDANEURO_CUDA_LAUNCHED("LabelForceKernel");
}

} // namespace cudaneuro::gpu
