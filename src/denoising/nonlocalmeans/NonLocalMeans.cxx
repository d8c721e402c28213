// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/nonlocalmeans/NonLocalMeans.h"

#include "core/Dispatch.h"
#include "core/ParameterChecks.h"
#include "denoising/nonlocalmeans/NonLocalMeansFormulas.h"
#include "images/ReferenceIntensity.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace cudaneuro
{

double
RecommendedSmoothingFactor(NonLocalMeansWeighting weighting)
{
  return weighting == NonLocalMeansWeighting::PatchDistance ? 0.7 : 0.01;
}

void
RequireSmoothing(const NonLocalMeansParameters & parameters, const IntensitySample & sample)
{
  constexpr double leastShare = 1e-13;
  // The Rician correction squares intensities over h; this limit keeps the squares normal floats.
  constexpr double mostShare = 1e15;
  const double     least = std::max(intensityScaleRange.minimum, leastShare * sample.spread);
  const double     magnitude = std::max(std::abs(sample.reference), sample.spread);
  const double     most = parameters.ricianCorrection && magnitude > 0.0
                            ? std::min(intensityScaleRange.maximum, mostShare * magnitude)
                            : intensityScaleRange.maximum;
  RequireInRange("SmoothingParameter", parameters.smoothingParameter, { least, most });
}

namespace
{

void
RequireArguments(Context &                       context,
                 const NonLocalMeansParameters & parameters,
                 const Grid &                    grid,
                 const ConstVolume &             input,
                 const ConstVolume &             mask,
                 const Volume &                  output)
{
  RequireImages(context, grid, input, mask, output);
  RequireParameters(parameters, grid);
  if (parameters.ricianCorrection)
  {
    RequireMagnitude(context, grid, input, mask);
  }
}

void
Denoise(Context & context, const NonLocalMeansCall & call)
{
  CUDANEURO_DISPATCH(context, NonLocalMeans(context, call));
}

} // namespace

void
NonLocalMeans(Context &                       context,
              const NonLocalMeansParameters & parameters,
              const Grid &                    grid,
              const ConstVolume &             input,
              const ConstVolume &             mask,
              const Volume &                  output)
{
  RequireArguments(context, parameters, grid, input, mask, output);
  Denoise(context, { parameters, grid, input, mask, output, {}, {} });
}

std::int64_t
NonLocalMeansWithNoiseMap(Context &                       context,
                          const NonLocalMeansParameters & parameters,
                          const Grid &                    grid,
                          const ConstVolume &             input,
                          const ConstVolume &             mask,
                          const ConstVolume &             noise,
                          const Volume &                  output)
{
  RequireArguments(context, parameters, grid, input, mask, output);
  const NoiseValues       values = RequireNoiseMap(context, grid, noise, mask);
  NonLocalMeansParameters whereLargest = parameters;
  whereLargest.smoothingParameter *= double{ values.largest };
  whereLargest.noiseStandardDeviation *= double{ values.largest };
  Denoise(context, { whereLargest, grid, input, mask, output, noise, values });
  return values.zeros;
}

} // namespace cudaneuro
