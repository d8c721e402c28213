// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/AnisotropicDiffusion.h"

#include "denoising/diffusion/AnisotropicDiffusionCpu.h"
#include "core/BuildConfiguration.h"
#include "core/ParameterChecks.h"
#include "denoising/diffusion/AnisotropicDiffusionGpu.h"
#include "denoising/diffusion/DiffusionFormulas.h"
#include "images/ReferenceIntensity.h"
#include "jobs/HostJob.h"

#include <algorithm>
#include <cmath>
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

namespace
{

/** Below the stable step the largest |V| never grows. Above it, with x times the stable step, it grows by a factor of up
 * to 2 x - 1 in each step; this is to be below 1e30 after all of them, so that intensities up to 3e8 stay finite. */
void
RequireTimeStep(const AnisotropicDiffusionParameters & parameters, const Grid & grid)
{
  constexpr double     exponentOfLargestGrowth = 30.0;
  const double         stable = StableTimeStep(parameters.stencil, grid, parameters.useSpacing);
  const double         growth = std::pow(10.0, exponentOfLargestGrowth / parameters.numberOfIterations);
  const ParameterRange range{ intensityScaleRange.least,
                              std::min(intensityScaleRange.largest, 0.5 * (1.0 + growth) * stable) };
  RequireInRange("timeStep", parameters.timeStep, range);
}

} // namespace

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
  RequireTimeStep(parameters, grid);
  RequireInRange("kappa", parameters.kappa, intensityScaleRange);

  const float reference = ReferenceIntensity(context, grid, input, mask);
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      gpu::AnisotropicDiffusion(context, parameters, grid, reference, input, mask, output);
      return;
    }
  }
  cpu::RunHostJob(
    context, grid, input, mask, output, [&](const float * from, const unsigned char * takesPart, float * to) {
      cpu::AnisotropicDiffusion(context, parameters, grid, reference, from, takesPart, to);
    });
}

} // namespace cudaneuro
