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

/** Finds the scales of all images' intensities, one per channel, and the order of the channels. All devices agree on
 * them; the first one writes them to the plan. Called in each device's body of DeviceGroup::Run, with its members. */
void
FindScale(DeviceGroup & group, int device, const std::vector<Member> & members, AtlasPlan & plan);

} // namespace cudaneuro

#endif
