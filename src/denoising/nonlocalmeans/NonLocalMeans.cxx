// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/nonlocalmeans/NonLocalMeans.h"

#include "core/Dispatch.h"
#include "core/ParameterChecks.h"
#include "denoising/nonlocalmeans/NonLocalMeansFormulas.h"

#include <algorithm>

namespace cudaneuro
{

double
RecommendedSmoothingFactor(NonLocalMeansWeighting weighting)
{
  return weighting == NonLocalMeansWeighting::PatchDistance ? 0.7 : 0.01;
}

void
RequireSmoothing(double smoothing, const IntensitySample & sample)
{
  constexpr double leastShare = 1e-13;
  const double     least = std::max(intensityScaleRange.least, leastShare * sample.spread);
  RequireInRange("smoothing", smoothing, { least, intensityScaleRange.largest });
}

void
NonLocalMeans(Context &                       context,
              const NonLocalMeansParameters & parameters,
              const Grid &                    grid,
              const ConstVolume &             input,
              const ConstVolume &             mask,
              const Volume &                  output)
{
  RequireImages(context, grid, input, mask, output);
  RequireRadius("windowRadius", parameters.windowRadius, 1, grid);
  RequireRadius("patchRadius", parameters.patchRadius, 0, grid);
  RequireInRange("smoothing", parameters.smoothing, intensityScaleRange);
  if (parameters.ricianCorrection)
  {
    RequireInRange("noiseSigma", parameters.noiseSigma, FromZero(intensityScaleRange));
  }

  CUDANEURO_DISPATCH(context, NonLocalMeans(context, { parameters, grid, input, mask, output }));
}

} // namespace cudaneuro
