// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/ImageStatistics.h"

#include "core/BuildConfiguration.h"
#include "core/ParameterChecks.h"
#include "images/FiniteRangeCpu.h"
#include "images/FiniteRangeGpu.h"
#include "jobs/HostJob.h"

namespace cudaneuro
{

std::array<double, 2>
ComputeFiniteRange(Context & context, const Grid & grid, const ConstVolume & input)
{
  RequireGrid(grid);
  RequireVolume("input", context, input);
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      return gpu::ComputeFiniteRange(context, grid, input);
    }
  }
  cpu::HostJob          job(context, grid, { input }, Volume());
  std::array<double, 2> finiteRange{};
  {
    const Context::ProgressRange range = job.ComputationProgress();
    finiteRange = cpu::ComputeFiniteRange(context, grid.NumberOfVoxels(), job.Input(0));
  }
  job.Finish();
  return finiteRange;
}

} // namespace cudaneuro
