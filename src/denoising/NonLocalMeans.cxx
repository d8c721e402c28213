// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuroNonLocalMeans.h"

#include "BuildConfiguration.h"
#include "HostJob.h"
#include "NonLocalMeansCpu.h"
#include "NonLocalMeansGpu.h"
#include "ParameterChecks.h"

namespace cudaneuro
{

double
RecommendedSmoothingFactor(NonLocalMeansWeighting weighting)
{
  return weighting == NonLocalMeansWeighting::PatchDistance ? 0.7 : 0.01;
}

void
NonLocalMeans(Context &                       context,
              const NonLocalMeansParameters & parameters,
              const Grid &                    grid,
              const ConstVolume &             input,
              const ConstVolume &             mask,
              const Volume &                  output)
{
  RequireGrid(grid);
  RequireVolume("input", context, input);
  RequireVolume("output", context, output);
  RequireMask(context, mask);
  RequireRadius("windowRadius", parameters.windowRadius, 1, grid);
  RequireRadius("patchRadius", parameters.patchRadius, 0, grid);
  RequirePositive("smoothing", parameters.smoothing);
  if (parameters.ricianCorrection)
  {
    RequireNotNegative("noiseSigma", parameters.noiseSigma);
  }

  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      gpu::NonLocalMeans(context, parameters, grid, input, mask, output);
      return;
    }
  }
  cpu::HostJob job(context, grid, { input }, output);
  {
    const Context::ProgressRange range = job.ComputationProgress();
    cpu::NonLocalMeans(
      context, parameters, grid, job.Input(0), static_cast<const unsigned char *>(mask.data), job.Output());
  }
  job.Finish();
}

} // namespace cudaneuro
