// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_AtlasMemory_h
#define cudaneuro_atlas_AtlasMemory_h

#include "atlas/AtlasPlan.h"

#include <cstddef>

namespace cudaneuro
{

/** The device memory that a share needs, in volumes on the grid of the template. */
struct ShareMemory
{
  std::size_t bytesOfVolume = 0;
  /** Images, map and velocity of a member. */
  std::size_t ofMember = 0;
  /** Volumes that all members share. */
  std::size_t ofShare = 0;

  ShareMemory(const AtlasPlan & plan, std::size_t members);

  /** Bytes with \p residents of the members on the device, and the others offloaded. */
  std::size_t
  Bytes(std::size_t residents, bool offloadsOthers) const;
};

/** The number of a share's members that fit on the device with \p available bytes, which are those of the context's
 * memory limit if \p isLimit. Otherwise 1/32 of the free memory is kept in reserve: the driver's pool cuts memory into
 * pieces, and some are too small for a volume (2.2 % of 84 GB, measured with 319 images of 256^3). If that is not
 * enough, members are offloaded one by one.
 * \throws OutOfMemoryError if not even one has room */
std::size_t
ResidentMembers(const AtlasPlan & plan, std::size_t members, std::size_t available, bool isLimit);

/** The contexts that compute the atlas. A GPU that is listed once gets up to four contexts, if memory suffices, because
 * kernels of one image do not fill it on coarse grids: together they are up to 1.8 times as fast there, and 1.1 times
 * on 192^3 voxels. */
std::vector<Device>
ContextsOf(const AtlasPlan & plan, const AtlasDevices & devices);

} // namespace cudaneuro

#endif
