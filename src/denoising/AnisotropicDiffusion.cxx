// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuroAnisotropicDiffusion.h"

#include "AnisotropicDiffusionCpu.h"
#include "AnisotropicDiffusionGpu.h"
#include "BuildConfiguration.h"
#include "DiffusionFormulas.h"
#include "HostJob.h"
#include "ParameterChecks.h"

#include <limits>

namespace cudaneuro
{

double
StableTimeStep(DiffusionStencil stencil, const Grid & grid, bool useSpacing)
{
  RequireGrid(grid);
  const double sum = SumOfInverseEdgeLengths(MakeInverseEdgeLengths(stencil, grid, useSpacing));
  return sum > 0.0 ? 1.0 / sum : std::numeric_limits<double>::infinity();
}

void
AnisotropicDiffusion(Context &                              context,
                     const AnisotropicDiffusionParameters & parameters,
                     const Grid &                           grid,
                     const ConstVolume &                    input,
                     const ConstVolume &                    mask,
                     const Volume &                         output)
{
  RequireImages(context, grid, input, mask, output);
  RequireAtLeast("numberOfIterations", parameters.numberOfIterations, 1);
  RequirePositive("timeStep", parameters.timeStep);
  RequirePositive("kappa", parameters.kappa);

  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      gpu::AnisotropicDiffusion(context, parameters, grid, input, mask, output);
      return;
    }
  }
  cpu::RunHostJob(
    context, grid, input, mask, output, [&](const float * from, const unsigned char * takesPart, float * to) {
      cpu::AnisotropicDiffusion(context, parameters, grid, from, takesPart, to);
    });
}

} // namespace cudaneuro
