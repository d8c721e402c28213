// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/bilateral/BilateralGpu.h"

#include "denoising/bilateral/BilateralFallbackKernel.cuh"
#include "jobs/PlanePipeline.h"

namespace cudaneuro
{
namespace gpu
{

namespace
{

template <int VRadiusX>
void
LaunchDefault(const BilateralArguments & arguments, cudaStream_t stream)
{
  LaunchBilateral<VRadiusX, typename BilateralDefaultShape<VRadiusX>::Type>(arguments, stream);
}

void
Launch(const BilateralArguments & arguments, cudaStream_t stream)
{
  if (!HasBilateralKernel(arguments))
  {
    LaunchBilateralGeneric(arguments, stream);
    return;
  }
  switch (arguments.radius[0])
  {
    case 0: // an axis of size 1
    case 1:
      return LaunchDefault<1>(arguments, stream);
    case 2:
      return LaunchDefault<2>(arguments, stream);
    case 3:
      return LaunchDefault<3>(arguments, stream);
    case 4:
      return LaunchDefault<4>(arguments, stream);
    case 5:
      return LaunchDefault<5>(arguments, stream);
    case 6:
      return LaunchDefault<6>(arguments, stream);
    default:
      return LaunchDefault<7>(arguments, stream);
  }
}

/** Filters the planes whose neighborhoods are there. */
class BilateralStage : public PlaneStage
{
public:
  BilateralStage(const GpuContext & gpu, const BilateralArguments & arguments, const DeviceSlab & slab)
    : m_Stream(gpu.ComputeStream())
    , m_Arguments(arguments)
  {
    m_Arguments.size[2] = static_cast<int>(slab.grid.size[2]);
    SetBilateralVolumes(m_Arguments, slab.inputs[0], slab.mask, slab.output);
  }

  std::int64_t
  Advance(std::int64_t available) override
  {
    // Whole blocks of planes of any shape but for the last, so that no block works for less than it could.
    constexpr int blockOfPlanes = 12;
    const int     size = m_Arguments.size[2];
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
      Launch(m_Arguments, m_Stream);
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
Bilateral(Context &                   context,
          const BilateralParameters & parameters,
          const Grid &                grid,
          const ConstVolume &         input,
          const ConstVolume &         mask,
          const Volume &              output)
{
  const BilateralArguments arguments = MakeBilateralArguments(parameters, grid);
  double                   neighbors = 1.0;
  for (int radius : arguments.radius)
  {
    neighbors *= 2.0 * radius + 1.0;
  }

  PlaneJob job;
  job.grid = grid;
  job.inputs = { input };
  job.mask = mask;
  job.output = output;
  job.halo = arguments.radius[2];
  job.operationsPerVoxel = 8.0 * neighbors;
  job.makeStage = [&](GpuContext & gpu, const DeviceSlab & slab) -> std::unique_ptr<PlaneStage> {
    return std::make_unique<BilateralStage>(gpu, arguments, slab);
  };
  RunPlaneJob(context, job);
}

} // namespace gpu
} // namespace cudaneuro
