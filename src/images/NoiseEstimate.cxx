// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/NoiseEstimate.h"

#include "core/BuildConfiguration.h"
#include "core/ParameterChecks.h"
#include "images/NoiseEstimateCpu.h"
#include "images/NoiseEstimateGpu.h"
#include "jobs/HostJob.h"

namespace cudaneuro
{

double
EstimateNoiseSigma(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask)
{
  RequireGrid(grid);
  RequireVolume("input", context, input);
  RequireMask(context, mask);
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      return gpu::EstimateNoiseSigma(context, grid, input, mask);
    }
  }
  cpu::HostJob job(context, grid, { input }, Volume());
  double       sigma = 0.0;
  {
    const Context::ProgressRange range = job.ComputationProgress();
    sigma = cpu::EstimateNoiseSigma(context, grid, job.Input(0), static_cast<const unsigned char *>(mask.data));
  }
  job.Finish();
  return sigma;
}

} // namespace cudaneuro
