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
