// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/nonlocalmeans/NonLocalMeansGpu.h"
#include "core/IntegerMath.h"

#include "denoising/nonlocalmeans/NonLocalMeansFallbackKernel.cuh"
#include "jobs/PlanePipeline.h"

namespace cudaneuro
{
namespace gpu
{

namespace
{

/** Patch radii that no kernel in tiles is made for are computed directly; radii as they apply to the grid. */
struct Plan
{
  NonLocalMeansArguments arguments;
  NonLocalMeansWeighting weighting = NonLocalMeansWeighting::PatchSum;
  bool                   rician = false;
  int                    patch[3] = { 0, 0, 0 };
  NonLocalMeansKernel    kernel;
};

Plan
MakePlan(const NonLocalMeansParameters & parameters,
         const Grid &                    grid,
         const IntensitySample &         sample,
         std::size_t                     sharedBytesPerBlock)
{
  Plan plan;
  plan.weighting = parameters.weighting;
  plan.rician = parameters.ricianCorrection;
  NonLocalMeansArguments & arguments = plan.arguments;
  bool                     fits = true;
  for (int axis = 0; axis < 3; ++axis)
  {
    const auto lastVoxel = static_cast<int>(grid.size[axis] - 1);
    arguments.size[axis] = lastVoxel + 1;
    arguments.window[axis] = std::min(parameters.windowRadius[axis], lastVoxel);
    plan.patch[axis] = lastVoxel == 0 ? 0 : parameters.patchRadius[axis];
    fits = fits && arguments.window[axis] <= nonLocalMeansLargestWindow;
  }
  const double scale = NonLocalMeansIntensityScale(parameters.weighting, parameters.smoothing);
  arguments.intensity = { NonLocalMeansReference(sample, parameters.ricianCorrection), static_cast<float>(scale) };
  arguments.rician = MakeRicianScale(arguments.intensity, parameters.noiseSigma);
  arguments.maximumCenterWeight = parameters.centerWeight == NonLocalMeansCenterWeight::Maximum;
  if (fits && plan.patch[0] == plan.patch[1])
  {
    plan.kernel =
      plan.weighting == NonLocalMeansWeighting::PatchSum
        ? FindNonLocalMeansSumKernel(plan.patch[0], plan.patch[2], plan.rician, arguments, sharedBytesPerBlock)
        : FindNonLocalMeansDistanceKernel(plan.patch[0], plan.patch[2], plan.rician, arguments, sharedBytesPerBlock);
  }
  if (plan.kernel.launch == nullptr || plan.kernel.sharedBytes > sharedBytesPerBlock)
  {
    plan.kernel = NonLocalMeansKernel();
    plan.kernel.reach = arguments.window[2] + plan.patch[2];
  }
  return plan;
}

template <NonLocalMeansWeighting VWeighting, bool VRician>
void
LaunchDirect(const Plan & plan, const NonLocalMeansArguments & arguments, cudaStream_t stream)
{
  constexpr int      threads = 128;
  const std::int64_t plane = std::int64_t{ arguments.size[0] } * arguments.size[1];
  const std::int64_t blocks = DivideUp(plane * (arguments.zEnd - arguments.zBegin), threads);
  NonLocalMeansFallbackKernel<VWeighting, VRician>
    <<<static_cast<unsigned int>(blocks), threads, 0, stream>>>(arguments, plan.patch[0], plan.patch[1], plan.patch[2]);
  CUDANEURO_CUDA_LAUNCHED("NonLocalMeansFallbackKernel");
}

template <NonLocalMeansWeighting VWeighting>
void
LaunchDirect(const Plan & plan, const NonLocalMeansArguments & arguments, cudaStream_t stream)
{
  plan.rician ? LaunchDirect<VWeighting, true>(plan, arguments, stream)
              : LaunchDirect<VWeighting, false>(plan, arguments, stream);
}

class NonLocalMeansStage : public PlaneStage
{
public:
  NonLocalMeansStage(const GpuContext & gpu, const Plan & plan, const DeviceSlab & slab)
    : m_Stream(gpu.ComputeStream())
    , m_Multiprocessors(gpu.NumberOfMultiprocessors())
    , m_Plan(plan)
    , m_Planes(slab.grid.size[2])
    , m_KeepEnd(slab.keepEnd)
    , m_Done(this->RoundDown(slab.keepBegin))
  {
    NonLocalMeansArguments & arguments = m_Plan.arguments;
    arguments.input = slab.inputs[0];
    arguments.mask = slab.mask;
    arguments.output = slab.output;
    arguments.size[2] = static_cast<int>(m_Planes);
  }

  std::int64_t
  Advance(std::int64_t available) override
  {
    const bool         last = available == m_Planes;
    const std::int64_t possible =
      last ? m_KeepEnd : this->RoundDown(std::max<std::int64_t>(0, available - m_Plan.kernel.reach));
    const std::int64_t end = std::min(possible, m_KeepEnd);
    // Every launch begins with a few planes for nothing.
    constexpr std::int64_t fewestPlanes = 32;
    if (end > m_Done && (last || end - m_Done >= fewestPlanes))
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
    return plane / m_Plan.kernel.planes * m_Plan.kernel.planes;
  }

  void
  Launch(const NonLocalMeansArguments & arguments) const
  {
    if (m_Plan.kernel.launch != nullptr)
    {
      m_Plan.kernel.launch(arguments, m_Multiprocessors, m_Stream);
    }
    else if (m_Plan.weighting == NonLocalMeansWeighting::PatchSum)
    {
      LaunchDirect<NonLocalMeansWeighting::PatchSum>(m_Plan, arguments, m_Stream);
    }
    else
    {
      LaunchDirect<NonLocalMeansWeighting::PatchDistance>(m_Plan, arguments, m_Stream);
    }
  }

  cudaStream_t m_Stream;
  int          m_Multiprocessors;
  Plan         m_Plan;
  std::int64_t m_Planes;
  std::int64_t m_KeepEnd;
  std::int64_t m_Done;
};

/** In units of which 2e11 take about 20 ms of an H200. */
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
NonLocalMeans(Context &                       context,
              const NonLocalMeansParameters & parameters,
              const Grid &                    grid,
              const ConstVolume &             input,
              const ConstVolume &             mask,
              const Volume &                  output)
{
  const IntensitySample sample = SampleIntensities(context, grid, input, mask);
  RequireSmoothing(parameters.smoothing, sample);
  const Plan plan = MakePlan(parameters, grid, sample, context.Gpu().SharedBytesPerBlock());

  PlaneJob job;
  job.grid = grid;
  job.inputs = { input };
  job.mask = mask;
  job.output = output;
  job.halo = plan.kernel.reach;
  job.planeAlignment = plan.kernel.planes;
  job.operationsPerVoxel = OperationsPerVoxel(plan);
  job.makeStage = [plan](GpuContext & gpu, const DeviceSlab & slab) -> std::unique_ptr<PlaneStage> {
    return std::make_unique<NonLocalMeansStage>(gpu, plan, slab);
  };
  RunPlaneJob(context, job);
}

} // namespace gpu
} // namespace cudaneuro
