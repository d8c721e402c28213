// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_IntensityScale_h
#define cudaneuro_atlas_IntensityScale_h

#include "atlas/AtlasPlan.h"
#include "atlas/members/Member.h"
#include "group/DeviceGroup.h"

#include <vector>

namespace cudaneuro
{

/** Finds the scales of the intensities of all images, one a channel, and the order of the channels, which all devices
 * are told; the first one sets those of the plan. Each device calls it in its body of DeviceGroup::Run, with the members that it has. */
void
FindScale(DeviceGroup & group, int device, const std::vector<Member> & members, AtlasPlan & plan);

} // namespace cudaneuro

#endif
