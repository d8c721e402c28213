// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_members_Member_h
#define cudaneuro_atlas_members_Member_h

#include "core/SoAField.h"
#include "cudaneuro/ImageStatistics.h"
#include "cudaneuro/RegistrationTerms.h"
#include "jobs/DeviceBytes.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cudaneuro
{

inline std::size_t
BytesOf(std::int64_t voxels)
{
  return static_cast<std::size_t>(voxels) * sizeof(float);
}

/** A volume of each channel, first channel first; null for channels that do not exist. */
template <typename T>
using ChannelVolumes = std::array<T *, maximumNumberOfChannels>;

/** The image of a channel of a member, on the grid of the template and on that of the level: on the device, or in host
 * memory if the member is offloaded. */
struct MemberChannel
{
  /** Whether some voxels have no value. */
  bool            hasGaps = false;
  ImageStatistics statistics; // of the image as it was set

  DeviceMemory          full;
  DeviceMemory          level;
  std::shared_ptr<void> offloadedFull;
  std::shared_ptr<void> offloadedLevel;
};

/** A point of a member on the template, in mm. */
struct CarriedPoint
{
  int                   number = 0;
  std::array<double, 3> position{};
};

/** An image of the atlas on its device. An offloaded image is in page-locked host memory, and is copied to the device
 * for its visits. */
struct Member
{
  int         image = 0; // index in the whole atlas
  std::string name;
  bool        isSet = false;
  bool        isOffloaded = false;
  /** See AtlasImageResult. */
  bool         isDamped = false;
  std::int64_t numberOfOutliers = 0;
  double       cutFraction = 0.0;

  /** First channel first. */
  std::vector<MemberChannel> channels;

  /** Voxels of the map, and of the level's image and velocity; they differ while members are brought to a level. */
  std::int64_t mapVoxels = 0;
  std::int64_t levelVoxels = 0;

  /** Fields on the device, unless the member is offloaded, in voxels of the level. */
  SoAFieldMemory map;
  SoAFieldMemory velocity;

  /** The same fields in host memory, if the member is offloaded; each is three volumes, one after the other. */
  std::shared_ptr<void> offloadedMap;
  std::shared_ptr<void> offloadedVelocity;

  /** Codes on the grid of the template; null without labels. Copies of a member share them. */
  std::shared_ptr<const std::vector<std::uint16_t>> labels;
  /** Points that have been taken to the template; null without points. Copies of a member share them. */
  std::shared_ptr<const std::vector<CarriedPoint>> points;
};

/** Moves a member's images and fields from the device to page-locked host memory.
 * \param fullVoxels of the image on the grid of the template
 * \throws OutOfMemoryError without host memory: the member is then unchanged */
void
Offload(Context & context, std::int64_t fullVoxels, Member & member);

/** Copies a volume or a field to page-locked host memory. */
std::shared_ptr<void>
OffloadVolume(Context & context, std::int64_t voxels, const DeviceMemory & volume);
std::shared_ptr<void>
OffloadField(Context & context, std::int64_t voxels, const SoAFieldMemory & field);

/** CopyToHost and CopyToDevice of a field; on the host its three volumes follow one another. */
void
CopyToHost(Context & context, std::int64_t voxels, const SoAField & device, void * host);
void
CopyToDevice(Context & context, std::int64_t voxels, const void * host, const SoAField & device);

namespace gpu
{
/** Sets the number of contexts that share the device. */
void
ShareDevice(Context & context, int contextsOfDevice);
} // namespace gpu

} // namespace cudaneuro

#endif
