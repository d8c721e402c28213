// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearMetricChecks.h"

#include "core/ParameterChecks.h"
#include "images/ImageChecks.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace cudaneuro
{

namespace
{

void
RequireFinite(const AffineMap & map)
{
  for (int entry = 0; entry < 12; ++entry)
  {
    const bool   isMatrix = entry < 9;
    const double value = isMatrix ? map.matrix[entry] : map.offset[entry - 9];
    if (!std::isfinite(value))
    {
      ThrowInvalid((isMatrix ? "matrix[" + std::to_string(entry) : "offset[" + std::to_string(entry - 9)) +
                     "] of the map",
                   value,
                   "finite");
    }
  }
}

} // namespace

void
RequireLinearMetricParameters(const LinearMetricParameters & parameters)
{
  RequireParameters(parameters, Grid());
  const std::array<double, 2> & quantiles = parameters.intensityQuantiles;
  if (!(quantiles[0] < quantiles[1]))
  {
    std::ostringstream both;
    both << "IntensityQuantiles[0] is " << quantiles[0] << " and IntensityQuantiles[1]";
    ThrowInvalid(both.str(), quantiles[1], "from above the lower one to 1");
  }
}

void
RequireLinearMetricImages(const Context & context, const LinearMetricImages & images)
{
  RequireRegistrationGeometry("fixed image", images.fixedGeometry);
  RequireRegistrationGeometry("moving image", images.movingGeometry);
  RequireSameDimension(images.fixedGeometry.grid, images.movingGeometry.grid);
  RequireVolume("fixedImage", context, images.fixedImage);
  RequireVolume("movingImage", context, images.movingImage);
  RequireMask(context, images.fixedMask);
  RequireMask(context, images.movingMask);
  RequireMask(context, images.fixedWeights);
  RequireMask(context, images.movingWeights);
}

void
RequireUsableWeights(RegistrationMetric metric, const LinearMetricImages & images)
{
  const bool isWeighted = images.fixedWeights.data != nullptr || images.movingWeights.data != nullptr;
  if (isWeighted && !TakesWeights(metric))
  {
    std::ostringstream name;
    name << metric;
    throw InvalidParameterError("the metric is " + name.str() +
                                "; with weights it must be MutualInformation or LocalCorrelation");
  }
}

void
RequireOnePair(const LinearMetricImages & images)
{
  if (!images.furtherChannels.empty())
  {
    ThrowInvalid("the number of channels of a metric",
                 1 + images.furtherChannels.size(),
                 "1; RegisterLinearly takes the mean of several");
  }
}

void
RequireContrast(const std::string & name, const ValidImage & valid)
{
  valid.RequireContrast(name);
  const ImageStatistics & statistics = valid.GetStatistics();
  RequireInRange(
    "the range of intensities of the " + name, statistics.maximum - statistics.minimum, intensityScaleRange);
}

void
RequireContrastOfQuantiles(const std::string &           name,
                           const std::array<double, 2> & fractions,
                           const std::array<double, 2> & intensities)
{
  if (!(intensities[1] > intensities[0]))
  {
    std::ostringstream limit;
    limit << "from a value at which the " << name << " is above " << intensities[0]
          << ", where it is at the lower quantile, " << fractions[0] << ", to 1";
    ThrowInvalid("IntensityQuantiles[1]", fractions[1], limit.str());
  }
}

std::optional<PlaneFrames>
PlanesOf(const LinearMetricImages & images)
{
  const bool isFlat = IsFlat(images.fixedGeometry.grid);
  return isFlat ? std::make_optional<PlaneFrames>(images.fixedGeometry, images.movingGeometry) : std::nullopt;
}

void
RequireMap(const AffineMap & map, const std::optional<PlaneFrames> & planes)
{
  constexpr double tolerance = 1e-3; // in voxels
  RequireFinite(map);
  if (planes)
  {
    const std::array<double, 3> & spacing = planes->GetMoving().grid.spacing;
    RequireOnPlane("the map", *planes, map, tolerance * std::min(spacing[0], spacing[1]));
  }
}

} // namespace cudaneuro
