// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuroBilateral.h"

#include "BilateralCpu.h"
#include "BilateralGpu.h"
#include "BuildConfiguration.h"
#include "HostJob.h"
#include "ParameterChecks.h"

namespace cudaneuro
{

void
Bilateral(Context &                   context,
          const BilateralParameters & parameters,
          const Grid &                grid,
          const ConstVolume &         input,
          const ConstVolume &         mask,
          const Volume &              output)
{
  RequireGrid(grid);
  RequireVolume("input", context, input);
  RequireVolume("output", context, output);
  RequireMask(context, mask);
  RequirePositive("domainSigma", parameters.domainSigma);
  RequirePositive("rangeSigma", parameters.rangeSigma);
  RequireRadius("radius", parameters.radius, 1, grid);

  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      gpu::Bilateral(context, parameters, grid, input, mask, output);
      return;
    }
  }
  cpu::HostJob job(context, grid, { input }, output);
  {
    const Context::ProgressRange range = job.ComputationProgress();
    cpu::Bilateral(
      context, parameters, grid, job.Input(0), static_cast<const unsigned char *>(mask.data), job.Output());
  }
  job.Finish();
}

} // namespace cudaneuro
