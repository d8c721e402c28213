// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearMetricImages.h"

#include "core/ParameterChecks.h"
#include "images/ImagePreparation.h"
#include "images/ValidImage.h"
#include "linear/head/BackgroundSides.h"
#include "linear/LinearMetricChecks.h"
#include "metrics/MutualInformationFormulas.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace cudaneuro
{

namespace
{

float *
Floats(const PreparedImage & prepared)
{
  return static_cast<float *>(prepared.image.Data());
}

ImageStatistics
StatisticsInMask(Context & context, const PreparedImage & prepared)
{
  return VolumeStatistics(context, NumberOfVoxels(prepared.extent), prepared.Image(), prepared.Mask());
}

void
Rescale(Context & context, const IntensityRescaling & rescaling, const PreparedImage & prepared)
{
  RescaleIntensities(context, NumberOfVoxels(prepared.extent), rescaling, Floats(prepared));
}

/** The quantiles, to 1 / 256 of the range between them. A few bright voxels may widen the range of the image so much
 * that all others are in one bin of a histogram. The image is therefore clamped to ever smaller ranges, until a range
 * is at most four times as wide as that between the quantiles.
 * \returns the same number twice where an image is constant between its quantiles, except for rounding */
std::array<double, 2>
QuantilesOf(Context &                     context,
            const std::array<double, 2> & fractions,
            std::array<double, 2>         range,
            const PreparedImage &         prepared)
{
  constexpr int    bins = 1024;
  constexpr double resolution = 1e-6; // relative precision of float, with a margin
  while (true)
  {
    const std::vector<std::int64_t> histogram = Histogram(
      context, NumberOfVoxels(prepared.extent), prepared.Image(), prepared.Mask(), { range[0], range[1], bins });
    const double lower = Quantile(histogram, range[0], range[1], fractions[0]);
    const double upper = Quantile(histogram, range[0], range[1], fractions[1]);
    const double width = range[1] - range[0];
    if (upper - lower > 0.25 * width)
    {
      return { lower, upper };
    }
    if (width < std::max(intensityScaleRange.minimum, resolution * std::max(std::abs(lower), std::abs(upper))))
    {
      return { lower, lower };
    }
    range = { std::max(range[0], lower - width / bins), std::min(range[1], upper + width / bins) };
    Rescale(context, { range[0], range[1] }, prepared);
  }
}

/** Reads an image and its mask, checks the voxels, and replaces those outside the quantiles and the mask. */
PreparedImage
ReadImage(Context &                      context,
          const std::string &            name,
          const Grid &                   grid,
          const ConstVolume &            image,
          const ConstVolume &            mask,
          const LinearMetricParameters & parameters)
{
  const std::array<double, 2> & quantiles = parameters.intensityQuantiles;
  const MemorySpace             space = MemorySpaceOf(context);
  const auto                    voxels = static_cast<std::size_t>(grid.NumberOfVoxels());
  PreparedImage                 prepared;
  prepared.extent = ExtentOf(grid);
  prepared.image = context.Allocate(voxels * sizeof(float));
  CopyVolume(context, grid, image, { prepared.image.Data(), PixelType::Float, space });
  ValidImage valid(context, name, grid, prepared.Image(), mask, parameters.repairOutliers);
  RequireContrast(name, valid);
  valid.MoveTo(prepared.image);
  const ImageStatistics & inMask = valid.GetStatistics();
  if (valid.Mask() != nullptr)
  {
    prepared.mask = context.Allocate(voxels);
    CopyVolume(context,
               grid,
               { valid.Mask(), PixelType::UnsignedChar, space },
               { prepared.mask.Data(), PixelType::UnsignedChar, space });
  }
  std::array<double, 2> range{ inMask.minimum, inMask.maximum };
  if (quantiles[0] > 0.0 || quantiles[1] < 1.0)
  {
    range = QuantilesOf(context, quantiles, range, prepared);
    RequireContrastOfQuantiles(name, quantiles, range);
    Rescale(context, { range[0], range[1] }, prepared);
  }
  prepared.least = range[0];
  prepared.largest = range[1];
  prepared.numberOfVoxels = static_cast<double>(inMask.count);
  if (prepared.Mask() != nullptr)
  {
    FillOutsideMask(context, prepared.extent, prepared.Mask(), static_cast<float>(range[0]), Floats(prepared));
  }
  if (parameters.extendBackground && !valid.HasMask())
  {
    prepared.extended = SidesInBackground(context, prepared.extent, prepared.Image(), prepared.Mask(), range[0]);
  }
  return prepared;
}

/** Reads weights, which may be absent.
 * \throws InvalidParameterError where all of them are 0 */
void
ReadWeights(
  Context & context, const std::string & name, const Grid & grid, const ConstVolume & weights, PreparedImage & prepared)
{
  if (weights.data == nullptr)
  {
    return;
  }
  const auto         voxels = static_cast<std::size_t>(grid.NumberOfVoxels());
  const MemorySpace  space = MemorySpaceOf(context);
  const DeviceMemory values = context.Allocate(voxels * sizeof(float));
  prepared.weights = context.Allocate(voxels);
  CopyVolume(context, grid, weights, { values.Data(), PixelType::Float, space });
  CopyVolume(context, grid, weights, { prepared.weights.Data(), PixelType::UnsignedChar, space });
  const ImageStatistics statistics =
    VolumeStatistics(context, grid.NumberOfVoxels(), static_cast<const float *>(values.Data()), prepared.Mask());
  prepared.numberOfVoxels = statistics.mean / 255.0 * static_cast<double>(statistics.count);
  if (!(prepared.numberOfVoxels > 0.0))
  {
    ThrowInvalid("the largest weight of the " + name, statistics.maximum, "greater than 0 inside its mask");
  }
}

/** The rescaling to bins. The outermost bins stay empty, except for the tails of windows. */
IntensityRescaling
ToBins(const PreparedImage & prepared, int numberOfBins)
{
  const double usedBins = numberOfBins - 2 * histogramPadding;
  return { prepared.least,
           prepared.largest,
           prepared.least,
           usedBins / (prepared.largest - prepared.least),
           static_cast<double>(histogramPadding) };
}

/** The rescaling of \p prepared that gives an image of these statistics mean 0 and variance 1. */
IntensityRescaling
ToStandard(const PreparedImage & prepared, const ImageStatistics & statistics)
{
  return { prepared.least, prepared.largest, statistics.mean, 1.0 / std::sqrt(statistics.variance), 0.0 };
}

} // namespace

PreparedComparison
PrepareComparison(Context & context, const LinearMetricParameters & parameters, const LinearMetricImages & images)
{
  Context::ProgressSteps progress(context);
  PreparedComparison     prepared;
  progress.UpTo(0.4);
  prepared.fixed =
    ReadImage(context, "fixed image", images.fixedGeometry.grid, images.fixedImage, images.fixedMask, parameters);
  progress.UpTo(0.8);
  prepared.moving =
    ReadImage(context, "moving image", images.movingGeometry.grid, images.movingImage, images.movingMask, parameters);
  progress.UpTo(1.0);
  ReadWeights(context, "fixed image", images.fixedGeometry.grid, images.fixedWeights, prepared.fixed);
  ReadWeights(context, "moving image", images.movingGeometry.grid, images.movingWeights, prepared.moving);
  if (parameters.metric == RegistrationMetric::MutualInformation)
  {
    prepared.fadesOut = parameters.countUncovered;
    Rescale(context, ToBins(prepared.fixed, parameters.numberOfHistogramBins), prepared.fixed);
    Rescale(context, ToBins(prepared.moving, parameters.numberOfHistogramBins), prepared.moving);
    return prepared;
  }
  const ImageStatistics ofFixed = StatisticsInMask(context, prepared.fixed);
  const ImageStatistics ofMoving = StatisticsInMask(context, prepared.moving);
  // The correlation does not depend on the scale; standardizing each image by itself minimizes rounding errors.
  const bool isCorrelation = parameters.metric == RegistrationMetric::LocalCorrelation;
  Rescale(context, ToStandard(prepared.fixed, ofFixed), prepared.fixed);
  Rescale(context, ToStandard(prepared.moving, isCorrelation ? ofMoving : ofFixed), prepared.moving);
  prepared.exchangedScale = isCorrelation ? 1.0 : ofFixed.variance / ofMoving.variance;
  return prepared;
}

} // namespace cudaneuro
