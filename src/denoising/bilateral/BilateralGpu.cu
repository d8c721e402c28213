// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/bilateral/Bilateral.h"

#include "denoising/bilateral/BilateralFallbackKernel.cuh"
#include "denoising/bilateral/BilateralKernel.cuh"
#include "jobs/PlanePipeline.h"

namespace cudaneuro::gpu
{
namespace
{

/** Filters the planes whose neighborhoods have arrived. */
class BilateralStage : public PlaneStage
{
public:
  BilateralStage(const GpuContext & gpu, const BilateralArguments & arguments, const DeviceSlab & slab)
    : m_Stream(gpu.ComputeStream())
    , m_Arguments(arguments)
  {
    m_Arguments.size.z = static_cast<int>(slab.grid.size[2]);
    SetBilateralVolumes(m_Arguments, slab.inputs[0], slab.mask, slab.output);
    m_Arguments.noise = slab.inputs.size() > 1 ? slab.inputs[1] : nullptr;
  }

  std::int64_t
  Advance(std::int64_t available) override
  {
    // Launches before the last end at a multiple of every shape's block of planes, so that no block is partly idle.
    constexpr int blockOfPlanes = 12;
    const int     size = m_Arguments.size.z;
    int           end = size;
    if (available < size)
    {
      end = static_cast<int>(available) - m_Arguments.radius[2];
      end -= (end - m_Done) % blockOfPlanes;
    }
    if (end > m_Done)
    {
      m_Arguments.zBegin = m_Done;
      m_Arguments.zEnd = end;
      const auto launch =
        m_Arguments.noise != nullptr ? LaunchBilateralWithMap : LaunchAnyBilateral<BilateralDefaultShape>;
      launch(m_Arguments, m_Stream);
      m_Done = end;
    }
    return m_Done;
  }

private:
  cudaStream_t       m_Stream;
  BilateralArguments m_Arguments;
  int                m_Done = 0;
};

} // namespace

void
Bilateral(Context & context, const BilateralCall & call)
{
  BilateralArguments arguments = MakeBilateralArguments(call.parameters, call.grid);
  arguments.largestNoise = call.noiseValues.largest;
  double neighbors = 1.0;
  for (int radius : arguments.radius)
  {
    neighbors *= 2.0 * radius + 1.0;
  }

  PlaneJob job;
  job.grid = call.grid;
  job.inputs = { call.input };
  if (call.noise.data != nullptr)
  {
    job.inputs.push_back(call.noise);
  }
  job.mask = call.mask;
  job.output = call.output;
  job.halo = arguments.radius[2];
  job.operationsPerVoxel = 8.0 * neighbors;
  job.makeStage = [&](GpuContext & gpu, const DeviceSlab & slab) -> std::unique_ptr<PlaneStage> {
    return std::make_unique<BilateralStage>(gpu, arguments, slab);
  };
  RunPlaneJob(context, job);
}

} // namespace cudaneuro::gpu
