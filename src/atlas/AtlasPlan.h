// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_AtlasPlan_h
#define cudaneuro_atlas_AtlasPlan_h

#include "core/SoAField.h"
#include "cudaneuro/Atlas.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace cudaneuro
{

/** Standardization of a channel's intensities: (intensity - offset) / scale. The scale is a power of 2, so that nothing
 * is rounded unless there is an offset. */
struct ChannelScale
{
  float offset = 0.0f;
  float scale = 1.0f;
  /** FixedPointScale of the standardized intensities. */
  double sumScale = 1.0;
};

/** The settings of an atlas, on which all of its devices agree. */
struct AtlasPlan
{
  AtlasParameters           parameters;
  Geometry                  geometry;
  std::vector<double>       weights;
  std::vector<std::int32_t> wholeWeights; // see FixedPoint.h
  /** Checksum of the initial template of the first channel; none if the initial template is the mean of the images. */
  std::optional<std::uint64_t> initialTemplate;

  /** Scales of the channels, first channel first. */
  std::vector<ChannelScale> scales;
  /** All channels in the order in which forces and energies are added, which does not depend on the caller's order. */
  std::vector<int> channelOrder;
  /** Whether sums may be limited to a box outside which the images are 0; robust means use the whole grid. */
  bool canTrim = false;

  int
  NumberOfImages() const
  {
    return static_cast<int>(weights.size());
  }
  std::size_t
  NumberOfChannels() const
  {
    return 1 + parameters.registration.furtherChannels.size();
  }
  std::int64_t
  NumberOfVoxels() const
  {
    return geometry.grid.NumberOfVoxels();
  }
  bool
  IsRobust() const
  {
    return parameters.meanMethod != AtlasMean::Mean;
  }
  int
  NumberOfLevels() const
  {
    return static_cast<int>(parameters.registration.levels.size());
  }
};

/** \throws InvalidParameterError naming the value */
void
RequireAtlasParameters(const AtlasParameters &     parameters,
                       const Geometry &            geometry,
                       const std::vector<double> & weights);

/** Requires an image that can be read and that lies on the grid of the template, or has a transform. */
void
RequireAtlasImage(const Context & context, const AtlasPlan & plan, const AtlasImage & image);

/** Requires a channel's number, 0 for the first one. */
void
RequireChannel(const AtlasPlan & plan, int channel);

/** A copy of the image whose first channel is the given one; 0 is the first one. */
AtlasImage
ChannelOf(const AtlasImage & image, std::size_t channel);

void
RequireAtlasImageOutputs(const Context & context, const AtlasPlan & plan, const AtlasImageOutputs & outputs);

/** Requires labels that can be read and mapped to the template. */
void
RequireAtlasLabels(const Context & context, const AtlasPlan & plan, const AtlasLabels & labels);

/** Requires points with finite coordinates and distinct numbers. */
void
RequireAtlasPoints(const Context & context, const AtlasPlan & plan, const AtlasPoints & points);

void
RequireAtlasLabelOutputs(const Context & context, const AtlasLabelOutputs & outputs);

/** Distributes the images over the devices of all processes: consecutive ones, in proportion to the devices' speed.
 * \returns one list for each device of process \p rank */
std::vector<std::vector<int>>
DistributeImages(int numberOfImages, const std::vector<double> & speeds, int rank, int numberOfProcesses);

/** A device's speed for DistributeImages: its multiprocessors, or the CPU's threads in units of a multiprocessor. */
double
SpeedOf(const Device & device, unsigned int threads);

} // namespace cudaneuro

#endif
