// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/levels/LabelLevels.h"

#include "core/Dispatch.h"
#include "labels/levels/ChebyshevSeries.h"

#include <cmath>
#include <limits>

namespace cudaneuro
{

namespace
{

/** The largest eigenvalue of the nodes' Laplacian, whose spacing is twice the voxels' spacing. */
double
SplineRadius(const LabelGrid & grid)
{
  return 0.25 * grid.SpectralRadius();
}

/** \param levels number of nested splines */
std::vector<float>
SeriesOf(const LabelGrid & grid, const LabelFit & fit, int levels)
{
  const double strength = 4.0 * fit.width * fit.penalty;
  const double radius = std::pow(0.25, levels) * grid.SpectralRadius();
  return PenaltyCoefficients(strength, radius, grid.LeastSpacing(), levels, seriesTolerance);
}

} // namespace

std::array<std::vector<float>, numberOfFits>
SeriesOfFits(const LabelGrid & grid)
{
  std::array<std::vector<float>, numberOfFits> fits;
  for (std::size_t i = 0; i < numberOfFits; ++i)
  {
    const int levels = i < firstSplineFit ? 0 : (i < firstCoarseFit ? 1 : 2);
    fits[i] = SeriesOf(grid, labelFits[i], levels);
  }
  return fits;
}

std::vector<float>
SharpeningSeries(const LabelGrid & grid, int levels)
{
  return SharpeningCoefficients(std::pow(0.25, levels) * grid.SpectralRadius(), grid.LeastSpacing(), levels);
}

std::vector<float>
SeriesOfLastFit(const LabelGrid & grid, float width)
{
  return SeriesOf(grid, LastFit(width), 0);
}

std::vector<float>
PoolingSeries(const LabelGrid & grid, double sigma)
{
  return SplineGaussianCoefficients(sigma, SplineRadius(grid), grid.LeastSpacing(), poolingTolerance);
}

std::vector<float>
NodePoolingSeries(const LabelGrid & grid, double sigma)
{
  return GaussianCoefficients(sigma, SplineRadius(grid), poolingTolerance);
}

float
BestWidth(const LossSums & sums)
{
  double least = std::numeric_limits<double>::infinity();
  float  width = judgingWidths[0];
  for (std::size_t i = 0; i < numberOfWidths; ++i)
  {
    for (const auto & candidate : sums)
    {
      if (candidate[i] < least)
      {
        least = candidate[i];
        width = judgingWidths[i];
      }
    }
  }
  return width;
}

float
PoolingFactor(const LabelGrid & grid)
{
  constexpr double pi = 3.14159265358979323846;
  const double     volume = std::pow(2.0 * pi * poolingSigma * poolingSigma, 1.5);
  const double     ofAll = numberOfParts / (numberOfParts - 1.0);
  return static_cast<float>(ofAll * volume / (grid.spacing[0] * grid.spacing[1] * grid.spacing[2]));
}

std::unique_ptr<LabelLevels>
MakeLabelLevels(Context & context, const LabelDomain & domain)
{
  CUDANEURO_DISPATCH(context, MakeLabelLevels(context, domain));
}

} // namespace cudaneuro
