// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/RegistrationRun.h"

#include "images/ImagePreparation.h"
#include "images/ImageStatistics.h"
#include "images/ValidImage.h"
#include "jobs/DeviceVolumes.h"
#include "metrics/MutualInformationFormulas.h"
#include "registration/FieldInPlane.h"
#include "registration/LevelImage.h"
#include "registration/RegistrationChecks.h"

#include <cmath>

namespace cudaneuro
{

namespace
{

/** Resamples the moving image on the fixed grid, through the initial transform. */
void
ResampleMovingImage(const RegistrationRun & run, PreparedImages & prepared)
{
  if (run.images.transformField.data != nullptr)
  {
    prepared.transformField.emplace(
      ReadFieldInPlane(run.context, "field of the initial transform", run.GetGeometry(), run.images.transformField));
  }
  IndexMapping mapping;
  mapping.indexMap = run.FixedToMovingIndex();
  if (prepared.transformField)
  {
    mapping.field = prepared.transformField->View();
  }
  ResampleImage(run.context,
                run.images.movingGeometry.grid,
                prepared.inMoving->Image(),
                prepared.inMoving->Mask(),
                mapping,
                run.GetExtent(),
                Floats(prepared.movingOnFixedGrid));
}

/** Maps quantiles of the moving image to the same quantiles of the fixed image. */
IntensityMap
QuantileMap(const RegistrationRun & run,
            const PreparedImages &  prepared,
            const ImageStatistics & ofFixed,
            const ImageStatistics & ofMoving,
            const unsigned char *   overlap)
{
  constexpr int bins = 1024;
  const auto    quantiles = [&](const DeviceMemory & image, const ImageStatistics & statistics) {
    return Quantiles(
      Histogram(
        run.context, run.NumberOfVoxels(), Floats(image), overlap, { statistics.minimum, statistics.maximum, bins }),
      statistics.minimum,
      statistics.maximum);
  };
  return MonotoneMap(quantiles(prepared.movingOnFixedGrid, ofMoving), quantiles(prepared.fixed, ofFixed));
}

/** Takes the intensities of an image, from the least to the largest, to the bins of its histogram. */
void
MapToBins(const RegistrationRun & run, float * image)
{
  // Statistics are of all voxels: those outside the overlap may come into it as the map changes.
  const ImageStatistics statistics = VolumeStatistics(run.context, run.NumberOfVoxels(), image, nullptr);
  constexpr auto        least = static_cast<float>(histogramPadding);
  const float           largest = static_cast<float>(run.parameters.numberOfHistogramBins) - least;
  const IntensityMap    toBins{ { static_cast<float>(statistics.minimum), static_cast<float>(statistics.maximum) },
                             { least, largest } };
  MapIntensities(run.context, run.NumberOfVoxels(), toBins, nullptr, image);
}

/** Maps the intensities of both images to what the metric wants. */
void
Standardize(const RegistrationRun & run,
            const ImageStatistics & ofFixed,
            const ImageStatistics & ofMoving,
            const PreparedImages &  prepared)
{
  if (run.parameters.metric == RegistrationMetric::MutualInformation)
  {
    MapToBins(run, Floats(prepared.fixed));
    MapToBins(run, Floats(prepared.movingOnFixedGrid));
    return;
  }
  const bool isCorrelation = run.parameters.metric == RegistrationMetric::LocalCorrelation;
  // Neither image goes before the other where swapping them is to swap the maps.
  const bool isShared = run.parameters.isSymmetric && !isCorrelation && !run.parameters.matchIntensities;
  const auto mean = static_cast<float>(isShared ? 0.5 * (ofFixed.mean + ofMoving.mean) : ofFixed.mean);
  const auto deviation =
    static_cast<float>(std::sqrt(isShared ? 0.5 * (ofFixed.variance + ofMoving.variance) : ofFixed.variance));
  // The correlation does not depend on the scale: each image by its own figures keeps rounding least.
  const auto meanOfMoving = isCorrelation ? static_cast<float>(ofMoving.mean) : mean;
  const auto deviationOfMoving = isCorrelation ? static_cast<float>(std::sqrt(ofMoving.variance)) : deviation;
  const auto standardize = [&](float m, float s, const DeviceMemory & image) {
    const IntensityMap map{ { m, m + s }, { 0.0f, 1.0f } };
    MapIntensities(run.context, run.NumberOfVoxels(), map, nullptr, Floats(image));
  };
  standardize(mean, deviation, prepared.fixed);
  standardize(meanOfMoving, deviationOfMoving, prepared.movingOnFixedGrid);
}

/** Applies the mask of the fixed image, matches intensities if that is wanted, and standardizes both images. */
void
Normalize(const RegistrationRun & run, const unsigned char * fixedMask, PreparedImages & prepared)
{
  float * const      fixed = Floats(prepared.fixed);
  float * const      moving = Floats(prepared.movingOnFixedGrid);
  const IntensityMap identity{ { 0.0f, 1.0f }, { 0.0f, 1.0f } };
  MapIntensities(run.context, run.NumberOfVoxels(), identity, fixedMask, fixed);
  const DeviceMemory overlapMemory = run.context.Allocate(static_cast<std::size_t>(run.NumberOfVoxels()));
  auto * const       overlap = static_cast<unsigned char *>(overlapMemory.Data());
  MarkOverlap(run.context, run.NumberOfVoxels(), fixed, moving, overlap);
  const ImageStatistics ofFixed = VolumeStatistics(run.context, run.NumberOfVoxels(), fixed, overlap);
  RequireOverlap(ofFixed.count);
  const ImageStatistics ofMoving = VolumeStatistics(run.context, run.NumberOfVoxels(), moving, overlap);
  RequireContrast("fixed image", ofFixed);
  RequireContrast("moving image", ofMoving);
  // The last voxels of a coarse level may reach beyond the grid, where a histogram must not count them.
  const bool countsVoxels = run.parameters.metric == RegistrationMetric::MutualInformation;
  prepared.hasGaps = ofFixed.count < run.NumberOfVoxels() || countsVoxels;
  if (run.parameters.matchIntensities)
  {
    MapIntensities(
      run.context, run.NumberOfVoxels(), QuantileMap(run, prepared, ofFixed, ofMoving, overlap), nullptr, moving);
  }
  Standardize(run, ofFixed, ofMoving, prepared);
}

} // namespace

PreparedImages
PrepareImages(const RegistrationRun & run)
{
  PreparedImages prepared;
  const Grid &   movingGrid = run.images.movingGeometry.grid;
  prepared.fixed = AllocateFloats(run.context, run.NumberOfVoxels());
  prepared.movingOnFixedGrid = AllocateFloats(run.context, run.NumberOfVoxels());
  const MemorySpace space = MemorySpaceOf(run.context);
  // The uploads that need not be waited for start first.
  Context::ProgressSteps progress(run.context);
  progress.UpTo(0.4);
  prepared.moving.emplace(run.context, movingGrid, run.images.movingImage);
  progress.UpTo(0.8);
  CopyVolume(
    run.context, run.GetGeometry().grid, run.images.fixedImage, { prepared.fixed.Data(), PixelType::Float, space });
  progress.UpTo(0.8); // several steps, each of which reports from 0 to 1
  const bool repair = run.parameters.repairOutliers;
  ValidImage inFixed(run.context,
                     "fixed image",
                     run.GetGeometry().grid,
                     Floats(prepared.fixed),
                     run.images.fixedMask,
                     repair && !run.outliersOfFixed);
  prepared.inMoving.emplace(
    run.context, "moving image", movingGrid, prepared.moving->Data(), run.images.movingMask, repair);
  inFixed.RequireContrastBesideGaps("fixed image");
  prepared.inMoving->RequireContrastBesideGaps("moving image");
  prepared.numberOfOutliers = { run.outliersOfFixed.value_or(inFixed.GetNumberOfOutliers()),
                                prepared.inMoving->GetNumberOfOutliers() };
  inFixed.MoveTo(prepared.fixed);
  ResampleMovingImage(run, prepared);
  Normalize(run, inFixed.Mask(), prepared);
  return prepared;
}

} // namespace cudaneuro
