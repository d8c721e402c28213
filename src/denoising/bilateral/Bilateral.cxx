// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/Bilateral.h"

#include "denoising/bilateral/BilateralCpu.h"
#include "core/BuildConfiguration.h"
#include "core/ParameterChecks.h"
#include "denoising/bilateral/BilateralGpu.h"
#include "jobs/HostJob.h"

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
  RequireImages(context, grid, input, mask, output);
  RequireInRange("domainSigma", parameters.domainSigma, lengthRange);
  RequireInRange("rangeSigma", parameters.rangeSigma, intensityScaleRange);
  RequireRadius("radius", parameters.radius, 1, grid);

  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      gpu::Bilateral(context, parameters, grid, input, mask, output);
      return;
    }
  }
  cpu::RunHostJob(
    context, grid, input, mask, output, [&](const float * from, const unsigned char * takesPart, float * to) {
      cpu::Bilateral(context, parameters, grid, from, takesPart, to);
    });
}

} // namespace cudaneuro
