// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/RegistrationRun.h"

#include "images/ChannelShares.h"
#include "images/ImagePreparation.h"
#include "images/ImageStatistics.h"
#include "images/ValidImage.h"
#include "jobs/DeviceVolumes.h"
#include "metrics/MutualInformationFormulas.h"
#include "registration/FieldInPlane.h"
#include "registration/LevelImage.h"
#include "registration/RegistrationChecks.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace cudaneuro
{

namespace
{

/** A channel in preparation. */
struct ChannelRun
{
  const RegistrationRun & run;
  /** The parameters by which its images are compared. */
  RegistrationParameters parameters;
  std::string            suffix; // for the images' names in messages
};

/** The mapping from the fixed grid through the initial transform to another image of the moving head.
 * \param fromMoving the map from points of the first channel's moving image to points of that image */
IndexMapping
MappingToMoving(const RegistrationRun &               run,
                const std::optional<SoAFieldMemory> & transformField,
                const AffineMap &                     fromMoving,
                const Geometry &                      geometry)
{
  IndexMapping mapping;
  mapping.indexMap = IndexMapBetween(run.GetGeometry(), Compose(fromMoving, run.images.transform), geometry);
  if (transformField)
  {
    mapping.field = transformField->View();
  }
  return mapping;
}

/** The monotone map of each quantile of the moving image to the same quantile of the fixed image. */
IntensityMap
QuantileMap(const RegistrationRun & run,
            const PreparedChannel & prepared,
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
  return MonotoneMap(quantiles(prepared.moving, ofMoving), quantiles(prepared.fixed, ofFixed));
}

/** Maps the intensities of an image linearly, from the minimum to the maximum, to the bins of its histogram. */
void
MapToBins(const ChannelRun & channel, float * image)
{
  // All voxels count, because those outside the overlap may enter it as the map changes.
  const RegistrationRun & run = channel.run;
  const ImageStatistics   statistics = VolumeStatistics(run.context, run.NumberOfVoxels(), image, nullptr);
  constexpr auto          least = static_cast<float>(histogramPadding);
  const float             largest = static_cast<float>(channel.parameters.numberOfHistogramBins) - least;
  const IntensityMap      toBins{ { static_cast<float>(statistics.minimum), static_cast<float>(statistics.maximum) },
                             { least, largest } };
  MapIntensities(run.context, run.NumberOfVoxels(), toBins, nullptr, image);
}

/** Maps the intensities of both images to the scale that the metric requires. */
void
Standardize(const ChannelRun &      channel,
            const ImageStatistics & ofFixed,
            const ImageStatistics & ofMoving,
            const PreparedChannel & prepared)
{
  const RegistrationRun &        run = channel.run;
  const RegistrationParameters & parameters = channel.parameters;
  if (parameters.metric == RegistrationMetric::MutualInformation)
  {
    MapToBins(channel, Floats(prepared.fixed));
    MapToBins(channel, Floats(prepared.moving));
    return;
  }
  const bool isCorrelation = parameters.metric == RegistrationMetric::LocalCorrelation;
  // Where swapping the images must swap the maps, both images share one mean and deviation.
  const bool isShared = parameters.isSymmetric && !isCorrelation && !parameters.matchIntensities;
  const auto mean = static_cast<float>(isShared ? 0.5 * (ofFixed.mean + ofMoving.mean) : ofFixed.mean);
  const auto deviation =
    static_cast<float>(std::sqrt(isShared ? 0.5 * (ofFixed.variance + ofMoving.variance) : ofFixed.variance));
  // The correlation does not depend on the scale; standardizing each image by itself minimizes rounding errors.
  const auto meanOfMoving = isCorrelation ? static_cast<float>(ofMoving.mean) : mean;
  const auto deviationOfMoving = isCorrelation ? static_cast<float>(std::sqrt(ofMoving.variance)) : deviation;
  const auto standardize = [&](float m, float s, const DeviceMemory & image) {
    const IntensityMap map{ { m, m + s }, { 0.0f, 1.0f } };
    MapIntensities(run.context, run.NumberOfVoxels(), map, nullptr, Floats(image));
  };
  standardize(mean, deviation, prepared.fixed);
  standardize(meanOfMoving, deviationOfMoving, prepared.moving);
}

/** Applies the mask of the fixed image, which may be null, matches intensities if that is requested, and standardizes
 * both images. */
void
Normalize(const ChannelRun & channel, const unsigned char * fixedMask, PreparedChannel & prepared)
{
  const RegistrationRun & run = channel.run;
  float * const           fixed = Floats(prepared.fixed);
  float * const           moving = Floats(prepared.moving);
  const IntensityMap      identity{ { 0.0f, 1.0f }, { 0.0f, 1.0f } };
  MapIntensities(run.context, run.NumberOfVoxels(), identity, fixedMask, fixed);
  const DeviceMemory overlapMemory = run.context.Allocate(static_cast<std::size_t>(run.NumberOfVoxels()));
  auto * const       overlap = static_cast<unsigned char *>(overlapMemory.Data());
  MarkOverlap(run.context, run.NumberOfVoxels(), fixed, moving, overlap);
  const ImageStatistics ofFixed = VolumeStatistics(run.context, run.NumberOfVoxels(), fixed, overlap);
  RequireOverlap(channel.suffix, ofFixed.count);
  const ImageStatistics ofMoving = VolumeStatistics(run.context, run.NumberOfVoxels(), moving, overlap);
  RequireContrast("fixed image" + channel.suffix, ofFixed);
  RequireContrast("moving image" + channel.suffix, ofMoving);
  // The last voxels of a coarse level may reach beyond the grid, where a histogram must not count them.
  const bool countsVoxels = channel.parameters.metric == RegistrationMetric::MutualInformation;
  prepared.meansAndVariances = { ofFixed.mean, ofFixed.variance, ofMoving.mean, ofMoving.variance };
  prepared.hasGaps = ofFixed.count < run.NumberOfVoxels() || countsVoxels;
  if (channel.parameters.matchIntensities)
  {
    MapIntensities(
      run.context, run.NumberOfVoxels(), QuantileMap(run, prepared, ofFixed, ofMoving, overlap), nullptr, moving);
  }
  Standardize(channel, ofFixed, ofMoving, prepared);
}

/** An image with its mask, and the mapping from the fixed grid to it. */
struct SeenImage
{
  std::string         name;
  const Geometry &    geometry;
  const ConstVolume & image;
  const ConstVolume & mask;
  IndexMapping        mapping;
};

/** Resamples an image of a channel after the first one on the fixed grid. */
DeviceMemory
ResampleOnFixedGrid(const RegistrationRun & run, const SeenImage & seen)
{
  const Grid &     grid = seen.geometry.grid;
  const FloatInput image(run.context, grid, seen.image);
  const ValidImage valid(run.context, seen.name, grid, image.Data(), seen.mask, run.parameters.repairOutliers);
  valid.RequireContrastBesideGaps(seen.name);
  DeviceMemory resampled = AllocateFloats(run.context, run.NumberOfVoxels());
  ResampleImage(run.context, grid, valid.Image(), valid.Mask(), seen.mapping, run.GetExtent(), Floats(resampled));
  return resampled;
}

/** Copies an image that is on the fixed grid already, with outliers repaired if that is requested.
 * \returns its valid voxels */
ValidImage
CopyFixedImage(const RegistrationRun & run,
               const std::string &     name,
               const ConstVolume &     image,
               const ConstVolume &     mask,
               bool                    repairOutliers,
               DeviceMemory &          copy)
{
  copy = AllocateFloats(run.context, run.NumberOfVoxels());
  const Grid &      grid = run.GetGeometry().grid;
  const MemorySpace space = MemorySpaceOf(run.context);
  CopyVolume(run.context, grid, image, { copy.Data(), PixelType::Float, space });
  ValidImage valid(run.context, name, grid, Floats(copy), mask, repairOutliers);
  valid.RequireContrastBesideGaps(name);
  valid.MoveTo(copy);
  return valid;
}

/** \param index number of the channel, 1 for the one after the first */
PreparedChannel
PrepareFurtherChannel(const RegistrationRun & run, const PreparedImages & images, int index)
{
  const ChannelImages & channel = run.images.furtherChannels[static_cast<std::size_t>(index - 1)];
  const ChannelRun ofChannel{ run, ParametersOfChannel(run.parameters, index), " of channel " + std::to_string(index) };
  const std::string fixedName = "fixed image" + ofChannel.suffix;
  const std::string movingName = "moving image" + ofChannel.suffix;
  PreparedChannel   prepared;
  prepared.index = index;
  const IndexMapping toMoving =
    MappingToMoving(run, images.transformField, channel.movingTransform, channel.movingGeometry);
  prepared.moving =
    ResampleOnFixedGrid(run, { movingName, channel.movingGeometry, channel.movingImage, channel.movingMask, toMoving });
  if (IsSameGeometry(channel.fixedGeometry, run.GetGeometry()) && IsIdentity(channel.fixedTransform))
  {
    const ValidImage inFixed = CopyFixedImage(
      run, fixedName, channel.fixedImage, channel.fixedMask, run.parameters.repairOutliers, prepared.fixed);
    Normalize(ofChannel, inFixed.Mask(), prepared);
    return prepared;
  }
  const IndexMapping toFixed{ IndexMapBetween(run.GetGeometry(), channel.fixedTransform, channel.fixedGeometry), {} };
  prepared.fixed =
    ResampleOnFixedGrid(run, { fixedName, channel.fixedGeometry, channel.fixedImage, channel.fixedMask, toFixed });
  Normalize(ofChannel, nullptr, prepared);
  return prepared;
}

/** A channel that exerts no force: its images have no value anywhere. */
PreparedChannel
MakeChannelWithoutValues(const RegistrationRun & run)
{
  PreparedChannel prepared;
  prepared.fixed = AllocateFloats(run.context, run.NumberOfVoxels());
  const DeviceMemory nowhere = AllocateFloats(run.context, run.NumberOfVoxels());
  FillWithZeros(run.context, run.NumberOfVoxels(), Floats(prepared.fixed));
  FillWithZeros(run.context, run.NumberOfVoxels(), Floats(nowhere));
  const IntensityMap identity{ { 0.0f, 1.0f }, { 0.0f, 1.0f } };
  MapIntensities(run.context,
                 run.NumberOfVoxels(),
                 identity,
                 static_cast<const unsigned char *>(nowhere.Data()),
                 Floats(prepared.fixed));
  prepared.moving = prepared.fixed;
  prepared.hasGaps = true;
  return prepared;
}

/** The first channel; keeps its moving image. */
PreparedChannel
PrepareFirstChannel(const RegistrationRun & run, PreparedImages & images)
{
  PreparedChannel prepared;
  const Grid &    movingGrid = run.images.movingGeometry.grid;
  prepared.moving = AllocateFloats(run.context, run.NumberOfVoxels());
  // The upload that need not be waited for starts first.
  Context::ProgressSteps progress(run.context);
  progress.UpTo(0.4);
  images.moving.emplace(run.context, movingGrid, run.images.movingImage);
  progress.UpTo(0.8);
  const bool       repair = run.parameters.repairOutliers;
  const ValidImage inFixed = CopyFixedImage(
    run, "fixed image", run.images.fixedImage, run.images.fixedMask, repair && !run.outliersOfFixed, prepared.fixed);
  progress.UpTo(0.8); // several steps, each of which reports from 0 to 1
  images.inMoving.emplace(
    run.context, "moving image", movingGrid, images.moving->Data(), run.images.movingMask, repair);
  images.inMoving->RequireContrastBesideGaps("moving image");
  images.numberOfOutliers = { run.outliersOfFixed.value_or(inFixed.GetNumberOfOutliers()),
                              images.inMoving->GetNumberOfOutliers() };
  ResampleImage(run.context,
                movingGrid,
                images.inMoving->Image(),
                images.inMoving->Mask(),
                MappingToMoving(run, images.transformField, AffineMap(), run.images.movingGeometry),
                run.GetExtent(),
                Floats(prepared.moving));
  Normalize({ run, run.parameters, "" }, inFixed.Mask(), prepared);
  return prepared;
}

/** Sorts channels by how they are compared and what is in their images. */
void
Sort(const RegistrationParameters & parameters, std::vector<PreparedChannel> & channels)
{
  const auto keyOf = [&parameters](const PreparedChannel & channel) {
    return std::make_pair(SortingKeyOf(DescriptionOfChannel(parameters, channel.index)), channel.meansAndVariances);
  };
  std::stable_sort(channels.begin(), channels.end(), [&](const PreparedChannel & a, const PreparedChannel & b) {
    return keyOf(a) < keyOf(b);
  });
}

} // namespace

PreparedImages
PrepareImages(const RegistrationRun & run)
{
  PreparedImages prepared;
  if (run.images.transformField.data != nullptr)
  {
    prepared.transformField.emplace(
      ReadFieldInPlane(run.context, "field of the initial transform", run.GetGeometry(), run.images.transformField));
  }
  prepared.pointTerms = PointTerms(run, PlacePoints(run, prepared.TransformField()));
  if (!run.images.labels.IsEmpty() && run.parameters.labelWeight > 0.0)
  {
    const Context::ProgressPause pause(run.context);
    const LabelPair &            labels = run.images.labels;
    prepared.labels = PrepareLabels(run.context,
                                    labels,
                                    { run.GetGeometry(),
                                      labels.fixedTransform,
                                      Compose(labels.movingTransform, run.images.transform),
                                      prepared.TransformField() });
  }
  const EnergyShares shares(run.parameters);
  const auto         add = [&](PreparedChannel channel) {
    if (shares.OfChannel(channel.index) > 0.0)
    {
      prepared.channels.push_back(std::move(channel));
    }
  };
  if (run.images.HasImages())
  {
    add(PrepareFirstChannel(run, prepared));
  }
  for (std::size_t index = 1; index <= run.images.furtherChannels.size(); ++index)
  {
    const Context::ProgressPause pause(run.context);
    add(PrepareFurtherChannel(run, prepared, static_cast<int>(index)));
  }
  if (prepared.channels.empty())
  {
    prepared.channels.push_back(MakeChannelWithoutValues(run));
  }
  Sort(run.parameters, prepared.channels);
  return prepared;
}

} // namespace cudaneuro
