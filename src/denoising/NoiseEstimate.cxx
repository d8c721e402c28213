// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuroNonLocalMeans.h"

#include "BuildConfiguration.h"
#include "HostJob.h"
#include "NoiseEstimateCpu.h"
#include "NoiseEstimateGpu.h"
#include "ParameterChecks.h"

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
