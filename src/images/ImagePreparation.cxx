// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ImagePreparation.h"

#include "core/Dispatch.h"
#include "core/HistogramQuantile.h"
#include "images/ImagePreparationFormulas.h"

namespace cudaneuro
{

void
MapIntensities(
  Context & context, std::int64_t numberOfVoxels, const IntensityMap & map, const unsigned char * mask, float * image)
{
  CUDANEURO_DISPATCH(context, MapIntensities(context, numberOfVoxels, map, mask, image));
}

void
RescaleIntensities(Context & context, std::int64_t numberOfVoxels, const IntensityRescaling & rescaling, float * image)
{
  CUDANEURO_DISPATCH(context, ForVoxels(context, numberOfVoxels, RescaleOperation{ rescaling, image }));
}

void
FillOutsideMask(Context & context, const Extent & extent, const unsigned char * mask, float beyond, float * image)
{
  CUDANEURO_DISPATCH(context, ForVoxels(context, NumberOfVoxels(extent), FillOperation{ extent, mask, beyond, image }));
}

void
MarkValid(Context &               context,
          std::int64_t            numberOfVoxels,
          const float *           image,
          const unsigned char *   mask,
          const IntensityLimits & limits,
          unsigned char *         valid)
{
  CUDANEURO_DISPATCH(context, ForVoxels(context, numberOfVoxels, ValidOperation{ image, mask, limits, valid }));
}

void
MarkOverlap(Context & context, std::int64_t numberOfVoxels, const float * a, const float * b, unsigned char * mask)
{
  CUDANEURO_DISPATCH(context, ForVoxels(context, numberOfVoxels, OverlapOperation{ a, b, mask }));
}

void
SplitWeights(Context & context, std::int64_t numberOfVoxels, float * image, float * weight)
{
  CUDANEURO_DISPATCH(context, ForVoxels(context, numberOfVoxels, SplitOperation{ image, weight }));
}

void
JoinWeights(Context & context, std::int64_t numberOfVoxels, const float * weight, float least, float * image)
{
  CUDANEURO_DISPATCH(context, ForVoxels(context, numberOfVoxels, JoinOperation{ weight, least, image }));
}

void
SharpenImage(Context & context, std::int64_t numberOfVoxels, float amount, const float * smoothed, float * image)
{
  CUDANEURO_DISPATCH(context, ForVoxels(context, numberOfVoxels, SharpenOperation{ amount, smoothed, image }));
}

void
FillWithZeros(Context & context, std::int64_t numberOfVoxels, float * volume)
{
  CUDANEURO_DISPATCH(context, FillWithZeros(context, numberOfVoxels, volume));
}

std::vector<std::int64_t>
Histogram(Context &             context,
          std::int64_t          numberOfVoxels,
          const float *         image,
          const unsigned char * mask,
          const HistogramBins & bins)
{
  CUDANEURO_DISPATCH(context, Histogram(context, numberOfVoxels, image, mask, bins));
}

double
Quantile(const std::vector<std::int64_t> & histogram, double minimum, double maximum, double fraction)
{
  if (fraction <= 0.0 || fraction >= 1.0)
  {
    return fraction <= 0.0 ? minimum : maximum;
  }
  const double binWidth = (maximum - minimum) / static_cast<double>(histogram.size());
  return minimum + binWidth * PositionOfQuantile(histogram, fraction);
}

std::vector<double>
Quantiles(const std::vector<std::int64_t> & histogram, double minimum, double maximum)
{
  constexpr int       parts = 64;
  std::vector<double> quantiles;
  for (int part = 0; part <= parts; ++part)
  {
    quantiles.push_back(Quantile(histogram, minimum, maximum, static_cast<double>(part) / parts));
  }
  return quantiles;
}

IntensityMap
MonotoneMap(const std::vector<double> & from, const std::vector<double> & to)
{
  // Quantiles closer together than this belong to a single intensity, such as that of air.
  const double leastDistance = 1e-4 * (from.back() - from.front());
  IntensityMap map;
  for (std::size_t i = 0; i < from.size(); ++i)
  {
    const auto value = static_cast<float>(from[i]);
    if (map.from.empty() || from[i] - static_cast<double>(map.from.back()) > leastDistance)
    {
      map.from.push_back(value);
      map.to.push_back(static_cast<float>(to[i]));
    }
  }
  return map;
}

} // namespace cudaneuro
