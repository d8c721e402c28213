// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/bilateral/Bilateral.h"

#include "core/Dispatch.h"
#include "core/ParameterChecks.h"

namespace cudaneuro
{

double
RecommendedRangeFactor()
{
  return 3.0;
}

namespace
{

void
Filter(Context & context, const BilateralCall & call)
{
  CUDANEURO_DISPATCH(context, Bilateral(context, call));
}

} // namespace

void
Bilateral(Context &                   context,
          const BilateralParameters & parameters,
          const Grid &                grid,
          const ConstVolume &         input,
          const ConstVolume &         mask,
          const Volume &              output)
{
  RequireImages(context, grid, input, mask, output);
  RequireParameters(parameters, grid);
  Filter(context, { parameters, grid, input, mask, output, {}, {} });
}

std::int64_t
BilateralWithNoiseMap(Context &                   context,
                      const BilateralParameters & parameters,
                      const Grid &                grid,
                      const ConstVolume &         input,
                      const ConstVolume &         mask,
                      const ConstVolume &         noise,
                      const Volume &              output)
{
  RequireImages(context, grid, input, mask, output);
  RequireParameters(parameters, grid);
  const NoiseValues   values = RequireNoiseMap(context, grid, noise, mask);
  BilateralParameters whereLargest = parameters;
  whereLargest.rangeSigma = WhereNoiseIsLargest("RangeSigma", parameters.rangeSigma, values);
  Filter(context, { whereLargest, grid, input, mask, output, NoiseThatVaries(noise, values), values });
  return values.zeros;
}

} // namespace cudaneuro
