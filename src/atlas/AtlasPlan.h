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

/** How the intensities of a channel are counted: as (intensity - offset) / scale, where the scale is a power of 2, so
 * that nothing is rounded unless there is an offset. */
struct ChannelScale
{
  float offset = 0.0f;
  float scale = 1.0f;
  /** FixedPointScale of the standardized intensities. */
  double sumScale = 1.0;
};

/** What all devices of an atlas work on, and agree on. */
struct AtlasPlan
{
  AtlasParameters           parameters;
  Geometry                  geometry;
  std::vector<double>       weights;
  std::vector<std::int32_t> wholeWeights; // FixedPoint.h
  /** The checksum of the template of the first channel to begin with; none where that is the mean of the images. */
  std::optional<std::uint64_t> initialTemplate;

  /** Of each channel, first channel first. */
  std::vector<ChannelScale> scales;
  /** All channels in an order that does not depend on the caller's, in which their forces and energies are added. */
  std::vector<int> channelOrder;
  /** What surrounds the images is 0 when it is standardized. */
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

/** \throws InvalidParameterError naming the value. */
void
RequireAtlasParameters(const AtlasParameters &     parameters,
                       const Geometry &            geometry,
                       const std::vector<double> & weights);

/** Requires an image that can be read and that lies on the grid of the template, or has a transform. */
void
RequireAtlasImage(const Context & context, const AtlasPlan & plan, const AtlasImage & image);

/** Requires the number of a channel, 0 for the first one. */
void
RequireChannel(const AtlasPlan & plan, int channel);

/** An image of a channel in the place of the first one's; 0 is the first one. */
AtlasImage
ChannelOf(const AtlasImage & image, std::size_t channel);

void
RequireAtlasImageOutputs(const Context & context, const AtlasPlan & plan, const AtlasImageOutputs & outputs);

/** Requires labels that can be read and seen from the template. */
void
RequireAtlasLabels(const Context & context, const AtlasPlan & plan, const AtlasLabels & labels);

/** Requires points with coordinates that are finite, and numbers that each has for itself. */
void
RequireAtlasPoints(const Context & context, const AtlasPlan & plan, const AtlasPoints & points);

void
RequireAtlasLabelOutputs(const Context & context, const AtlasLabelOutputs & outputs);

/** The images of each device of each process: consecutive ones, in proportion to the devices' speed.
 * \returns one list for each device of process \p rank */
std::vector<std::vector<int>>
DistributeImages(int numberOfImages, const std::vector<double> & speeds, int rank, int numberOfProcesses);

/** A device's speed for DistributeImages: its multiprocessors, or the CPU's threads in units of a multiprocessor. */
double
SpeedOf(const Device & device, unsigned int threads);

} // namespace cudaneuro

#endif
