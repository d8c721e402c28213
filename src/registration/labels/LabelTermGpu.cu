// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/labels/LabelTerm.h"

#include "cuda/GpuContext.h"
#include "cuda/PlanesPerBlock.h"
#include "registration/labels/LabelTermKernel.cuh"

#include <algorithm>

namespace cudaneuro::gpu
{

namespace
{

/** Fixed cost of a block in planes, for its start, the remaining noted voxels, and the sum. */
constexpr int labelBesides = 2;
/** Maximum number of planes per block. Blocks with boundaries of labels take longer, so that many small blocks balance
 * better than full waves. Of 8, 16 and 32 planes, 16 are fastest on an H200. */
constexpr int mostLabelPlanes = 16;

/** The shape of the launches. */
struct LabelLaunch
{
  LabelLaunch(const Extent & extent, int multiprocessors, bool bothMove)
    : blocks(DivideUp(extent.x, labelThreadsX), DivideUp(extent.y, labelThreadsY))
  {
    const auto slots = static_cast<unsigned int>((bothMove ? symmetricLabelBlocks : labelBlocks) * multiprocessors);
    planesPerBlock = std::min(mostLabelPlanes, PlanesPerBlock(extent.z, blocks.x * blocks.y, slots, labelBesides));
    blocks.z = DivideUp(extent.z, planesPerBlock);
  }

  static dim3
  Threads()
  {
    return { labelThreadsX, labelThreadsY, 1 };
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
    , launch(term.labels.extent, gpu.NumberOfMultiprocessors(), term.bothMove)
    , sums(gpu.AllocateArray<double>(launch.NumberOfBlocks()))
    , finishedBlocks(gpu.AllocateArray<unsigned int>(1))
    , movingCells(this->FindCells(gpu, term.labels.extent, term.labels.moving))
  {
    const LevelLabels & labels = term.labels;
    arguments.extent = labels.extent;
    arguments.grid = CellGrid(labels.extent);
    arguments.moving.labels = labels.moving;
    arguments.moving.cells = movingCells.Data();
    arguments.fixed.labels = labels.fixed;
    if (term.bothMove)
    {
      fixedCells = this->FindCells(gpu, labels.extent, labels.fixed);
      arguments.fixed.cells = fixedCells.Data();
    }
    arguments.weights = labels.weights;
    const std::array<float, 3> scale = ForceScale(term);
    std::copy(scale.begin(), scale.end(), arguments.scale);
    arguments.planesPerBlock = launch.planesPerBlock;
    arguments.sums = sums.Data();
    arguments.finishedBlocks = finishedBlocks.Data();
    arguments.perVoxel = 1.0 / static_cast<double>(NumberOfVoxels(labels.extent));
    CUDANEURO_CUDA(cudaMemsetAsync(finishedBlocks.Data(), 0, sizeof(unsigned int), stream));
  }

  /** See LabelCellsKernel. */
  DeviceBuffer<std::uint16_t>
  FindCells(const GpuContext & gpu, const Extent & extent, const std::uint16_t * labels) const
  {
    const auto cells = gpu.AllocateArray<std::uint16_t>(static_cast<std::size_t>(NumberOfVoxels(extent)));
    LabelCellsKernel<<<launch.blocks, LabelLaunch::Threads(), 0, stream>>>(
      extent, CellGrid(extent), labels, cells.Data());
    CUDANEURO_CUDA_LAUNCHED("LabelCellsKernel");
    return cells;
  }

  cudaStream_t                stream;
  LabelLaunch                 launch;
  DeviceBuffer<double>        sums;
  DeviceBuffer<unsigned int>  finishedBlocks;
  DeviceBuffer<std::uint16_t> movingCells;
  DeviceBuffer<std::uint16_t> fixedCells;
  LabelForceArguments         arguments{};
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
  if (toFixed != nullptr)
  {
    arguments.fixed.maps = toFixed->maps;
    arguments.fixed.force = toFixed->force;
    LabelForceKernel<true><<<plan.launch.blocks, LabelLaunch::Threads(), 0, plan.stream>>>(arguments);
  }
  else
  {
    LabelForceKernel<false><<<plan.launch.blocks, LabelLaunch::Threads(), 0, plan.stream>>>(arguments);
  }
  CUDANEURO_CUDA_LAUNCHED("LabelForceKernel");
}

} // namespace cudaneuro::gpu
