// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/diffusion/AnisotropicDiffusion.h"

#include "core/Dispatch.h"
#include "core/ParameterChecks.h"
#include "denoising/diffusion/DiffusionFormulas.h"
#include "images/ReferenceIntensity.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cudaneuro
{

double
StableTimeStep(DiffusionStencil stencil, const Grid & grid, bool useImageSpacing)
{
  RequireGrid(grid);
  const double sum = SumOfInverseEdgeLengths(MakeInverseEdgeLengths(stencil, grid, useImageSpacing));
  return sum > 0.0 ? 1.0 / sum : std::numeric_limits<double>::infinity();
}

double
ConductanceNoise(DiffusionStencil stencil, const Grid & grid, bool useImageSpacing)
{
  RequireGrid(grid);
  if (stencil == DiffusionStencil::PeronaMalik6 || stencil == DiffusionStencil::Gerig26)
  {
    return std::sqrt(2.0);
  }
  const double variance = stencil == DiffusionStencil::Weickert26 ? 1.0 / 2.0 : 7.0 / 8.0;
  double       sum = 0.0;
  for (std::size_t axis = 0; axis < grid.size.size(); ++axis)
  {
    const double spacing = useImageSpacing ? grid.spacing[axis] : 1.0;
    sum += grid.size[axis] > 1 ? variance / (spacing * spacing) : 0.0;
  }
  return std::sqrt(sum);
}

double
UsualKappaFactor(DiffusionStencil stencil)
{
  switch (stencil)
  {
    case DiffusionStencil::GeometricMean26:
      return 0.3;
    case DiffusionStencil::Weickert26:
      return 0.25;
    case DiffusionStencil::PeronaMalik6:
    case DiffusionStencil::Gerig26:
      break;
  }
  return 0.4;
}

namespace
{

/** Checks the time step. Up to the stable time step S the largest |V| does not grow; x S with x > 1 may multiply it by
 * 2 x - 1 in each step. The factor of all steps must be below 1e30, so that intensities up to 3e8 stay finite. */
void
RequireTimeStep(const AnisotropicDiffusionParameters & parameters, const Grid & grid)
{
  constexpr double     exponentOfLargestGrowth = 30.0;
  const double         stable = StableTimeStep(parameters.stencil, grid, parameters.useImageSpacing);
  const double         growth = std::pow(10.0, exponentOfLargestGrowth / parameters.numberOfIterations);
  const ParameterRange range{ intensityScaleRange.minimum,
                              std::min(intensityScaleRange.maximum, 0.5 * (1.0 + growth) * stable) };
  RequireInRange("TimeStep", parameters.timeStep, range);
}

void
RequireArguments(Context &                              context,
                 const AnisotropicDiffusionParameters & parameters,
                 const Grid &                           grid,
                 const ConstVolume &                    input,
                 const ConstVolume &                    mask,
                 const Volume &                         output)
{
  RequireImages(context, grid, input, mask, output);
  RequireParameters(parameters, grid);
  RequireTimeStep(parameters, grid);
}

void
Diffuse(Context & context, const DiffusionCall & call)
{
  CUDANEURO_DISPATCH(context, AnisotropicDiffusion(context, call));
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
  RequireArguments(context, parameters, grid, input, mask, output);
  const float reference = ReferenceIntensity(context, grid, input, mask);
  Diffuse(context, { parameters, grid, reference, input, mask, output, {}, {} });
}

std::int64_t
AnisotropicDiffusionWithNoiseMap(Context &                              context,
                                 const AnisotropicDiffusionParameters & parameters,
                                 const Grid &                           grid,
                                 const ConstVolume &                    input,
                                 const ConstVolume &                    mask,
                                 const ConstVolume &                    noise,
                                 const Volume &                         output)
{
  RequireArguments(context, parameters, grid, input, mask, output);
  const NoiseValues              values = RequireNoiseMap(context, grid, noise, mask);
  AnisotropicDiffusionParameters whereLargest = parameters;
  whereLargest.kappa = WhereNoiseIsLargest("Kappa", parameters.kappa, values);
  const float reference = ReferenceIntensity(context, grid, input, mask);
  Diffuse(context, { whereLargest, grid, reference, input, mask, output, NoiseThatVaries(noise, values), values });
  return values.zeros;
}

} // namespace cudaneuro
