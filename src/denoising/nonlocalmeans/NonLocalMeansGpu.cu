// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/nonlocalmeans/NonLocalMeans.h"

#include "core/Dispatch.h"
#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "denoising/nonlocalmeans/NonLocalMeansFallbackKernel.cuh"
#include "jobs/PlanePipeline.h"

#include <algorithm>

namespace cudaneuro::gpu
{
namespace
{

/** The constants that all launches share. Radii are limited to the grid. The fallback kernel is used if kernel.launch
 * is null. */
struct Plan
{
  NonLocalMeansArguments arguments;
  NonLocalMeansWeighting weighting = NonLocalMeansWeighting::PatchSum;
  bool                   rician = false;
  bool                   hasMap = false;
  bool                   hasMask = false;
  int                    patch[3] = { 0, 0, 0 };
  NonLocalMeansChoice    kernel;
};

NonLocalMeansChoice
ChooseKernel(const Plan & plan, std::size_t sharedBytesPerBlock)
{
  const bool isSum = plan.weighting == NonLocalMeansWeighting::PatchSum;
  if (!isSum && !plan.hasMap && !plan.hasMask)
  {
    const NonLocalMeansChoice pairs =
      ChooseNonLocalMeansPairs(plan.patch[0], plan.patch[2], plan.rician, plan.arguments, sharedBytesPerBlock);
    if (pairs.launch != nullptr)
    {
      return pairs;
    }
  }
  const auto sum = plan.hasMap ? ChooseNonLocalMeansSumWithMap : ChooseNonLocalMeansSum;
  const auto distance = plan.hasMap ? ChooseNonLocalMeansDistanceWithMap : ChooseNonLocalMeansDistance;
  return (isSum ? sum : distance)(plan.patch[0], plan.patch[2], plan.rician, plan.arguments, sharedBytesPerBlock);
}

Plan
MakePlan(const NonLocalMeansCall & call, const IntensitySample & sample, std::size_t sharedBytesPerBlock)
{
  const NonLocalMeansParameters & parameters = call.parameters;
  const Grid &                    grid = call.grid;
  Plan                            plan;
  plan.weighting = parameters.weighting;
  plan.rician = parameters.ricianCorrection;
  plan.hasMap = call.noise.data != nullptr;
  plan.hasMask = call.mask.data != nullptr;
  NonLocalMeansArguments & arguments = plan.arguments;
  bool                     fits = true;
  std::int64_t             windowVoxels = 1;
  arguments.size = ExtentOf(grid);
  arguments.largestNoise = call.noiseValues.largest;
  for (int axis = 0; axis < 3; ++axis)
  {
    const auto lastVoxel = static_cast<int>(grid.size[axis] - 1);
    arguments.window[axis] = std::min(parameters.windowRadius[axis], lastVoxel);
    windowVoxels *= 2 * arguments.window[axis] + 1;
    plan.patch[axis] = lastVoxel == 0 ? 0 : parameters.patchRadius[axis];
    fits = fits && arguments.window[axis] <= nonLocalMeansLargestWindow;
  }
  const double scale = NonLocalMeansIntensityScale(parameters.weighting, parameters.smoothingParameter);
  arguments.intensity = { NonLocalMeansReference(sample, parameters.ricianCorrection), static_cast<float>(scale) };
  arguments.rician = MakeRicianScale(arguments.intensity, parameters.noiseStandardDeviation, windowVoxels);
  arguments.maximumCenterWeight = parameters.centerWeight == NonLocalMeansCenterWeight::Maximum;
  if (fits && plan.patch[0] == plan.patch[1])
  {
    plan.kernel = ChooseKernel(plan, sharedBytesPerBlock);
  }
  if (plan.kernel.launch == nullptr || plan.kernel.sharedBytes > sharedBytesPerBlock)
  {
    plan.kernel = NonLocalMeansChoice();
    for (int axis = 0; axis < 3; ++axis)
    {
      plan.patch[axis] = std::min(plan.patch[axis], static_cast<int>(grid.size[axis] - 1));
    }
    plan.kernel.reach = arguments.window[2] + plan.patch[2];
  }
  return plan;
}

template <NonLocalMeansWeighting VWeighting, bool VRician, bool VMap>
void
LaunchFallback(const Plan & plan, const NonLocalMeansArguments & arguments, cudaStream_t stream)
{
  constexpr int      threads = 128;
  const std::int64_t plane = std::int64_t{ arguments.size.x } * arguments.size.y;
  const std::int64_t blocks = DivideUp(plane * (arguments.zEnd - arguments.zBegin), threads);
  NonLocalMeansFallbackKernel<VWeighting, VRician, VMap>
    <<<static_cast<unsigned int>(blocks), threads, 0, stream>>>(arguments, plan.patch[0], plan.patch[1], plan.patch[2]);
  CUDANEURO_CUDA_LAUNCHED("NonLocalMeansFallbackKernel");
}

class NonLocalMeansStage : public PlaneStage
{
public:
  NonLocalMeansStage(const GpuContext & gpu, const Plan & plan, const DeviceSlab & slab)
    : m_Gpu(gpu)
    , m_Plan(plan)
    , m_Planes(slab.grid.size[2])
    , m_KeepEnd(slab.keepEnd)
    , m_Done(this->RoundDown(slab.keepBegin))
  {
    NonLocalMeansArguments & arguments = m_Plan.arguments;
    arguments.input = slab.inputs[0];
    arguments.noise = plan.hasMap ? slab.inputs[1] : nullptr;
    arguments.mask = slab.mask;
    arguments.output = slab.output;
    arguments.size.z = static_cast<int>(m_Planes);
    const std::size_t scratchPerPlane = plan.kernel.scratchBytesPerPlane / sizeof(float);
    if (scratchPerPlane > 0)
    {
      m_Scratch = gpu.AllocateArray<float>(scratchPerPlane * static_cast<std::size_t>(m_KeepEnd - m_Done));
      arguments.scratch = m_Scratch.Data();
    }
  }

  std::int64_t
  Advance(std::int64_t available) override
  {
    const bool         last = available == m_Planes;
    const std::int64_t possible =
      last ? m_KeepEnd : this->RoundDown(std::max<std::int64_t>(0, available - m_Plan.kernel.reach));
    const std::int64_t end = std::min(possible, m_KeepEnd);
    if (end > m_Done)
    {
      NonLocalMeansArguments arguments = m_Plan.arguments;
      arguments.zBegin = static_cast<int>(m_Done);
      arguments.zEnd = static_cast<int>(end);
      this->Launch(arguments);
      m_Done = end;
    }
    return last ? m_Planes : m_Done;
  }

private:
  std::int64_t
  RoundDown(std::int64_t plane) const
  {
    return cudaneuro::RoundDown(plane, m_Plan.kernel.planes);
  }

  void
  Launch(const NonLocalMeansArguments & arguments) const
  {
    const cudaStream_t stream = m_Gpu.ComputeStream();
    if (m_Plan.kernel.launch != nullptr)
    {
      m_Plan.kernel.launch(arguments, m_Gpu.NumberOfMultiprocessors(), stream);
      return;
    }
    WithConstant<0, 1, 2, 3>((m_Plan.rician ? 1 : 0) + (m_Plan.hasMap ? 2 : 0), [&](auto constant) {
      constexpr bool isRician = constant() % 2 != 0;
      constexpr bool hasMap = constant() / 2 != 0;
      const auto     launch = m_Plan.weighting == NonLocalMeansWeighting::PatchSum
                                ? LaunchFallback<NonLocalMeansWeighting::PatchSum, isRician, hasMap>
                                : LaunchFallback<NonLocalMeansWeighting::PatchDistance, isRician, hasMap>;
      launch(m_Plan, arguments, stream);
    });
  }

  const GpuContext &  m_Gpu;
  Plan                m_Plan;
  std::int64_t        m_Planes;
  std::int64_t        m_KeepEnd;
  std::int64_t        m_Done;
  DeviceBuffer<float> m_Scratch;
};

/** Returns PlaneJob::operationsPerVoxel, in units of which an H200 computes 2e11 in about 20 ms. */
double
OperationsPerVoxel(const Plan & plan)
{
  double operations = plan.kernel.launch != nullptr ? 5.0 : 2.0;
  for (int axis = 0; axis < 3; ++axis)
  {
    operations *= 2.0 * plan.arguments.window[axis] + 1.0;
    operations *= plan.kernel.launch != nullptr ? 1.0 : 2.0 * plan.patch[axis] + 1.0;
  }
  return operations;
}

} // namespace

void
NonLocalMeans(Context & context, const NonLocalMeansCall & call)
{
  const IntensitySample sample = SampleIntensities(context, call.grid, call.input, call.mask);
  RequireSmoothing(call.parameters, sample);
  const Plan plan = MakePlan(call, sample, GpuOf(context).SharedBytesPerBlock());

  PlaneJob job;
  job.grid = call.grid;
  job.inputs = { call.input };
  if (plan.hasMap)
  {
    job.inputs.push_back(call.noise);
  }
  job.mask = call.mask;
  job.output = call.output;
  job.halo = plan.kernel.reach;
  job.planeAlignment = plan.kernel.planes;
  job.scratchBytesPerPlane = plan.kernel.scratchBytesPerPlane;
  job.operationsPerVoxel = OperationsPerVoxel(plan);
  // A launch recomputes some planes before its first one, and takes several times as long as the transfer of planes.
  job.batches = { 32 + plan.kernel.reach, 4.0, std::max<std::int64_t>(32, call.grid.size[2] / 8) };
  job.makeStage = [plan](GpuContext & gpu, const DeviceSlab & slab) -> std::unique_ptr<PlaneStage> {
    return std::make_unique<NonLocalMeansStage>(gpu, plan, slab);
  };
  RunPlaneJob(context, job);
}

} // namespace cudaneuro::gpu
