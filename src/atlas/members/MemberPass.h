// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_members_MemberPass_h
#define cudaneuro_atlas_members_MemberPass_h

#include "atlas/members/Member.h"

#include <functional>
#include <vector>

namespace cudaneuro
{

/** What a visit of a member finds on the device. */
struct MemberView
{
  ChannelVolumes<const float> levels{};
  SoAField                    map;
  SoAField                    velocity;
};

/** What the visits of a pass read and write; what they do not need is not moved. */
struct PassAccess
{
  bool readsImage = true;
  bool readsVelocity = false;
  /** Visits write the next map to the spare field, which becomes the member's. */
  bool writesMap = false;
  bool writesVelocity = false;
};

/** The fields of offloaded members on the device, for two members at a time: while one is visited, the next one
 * comes and the last one leaves. */
class StagingSlots
{
public:
  virtual ~StagingSlots() = default;

  /** Starts to bring a member to slot 0 or 1, when the one before has left. */
  virtual void
  Bring(int slot, const Member & member, const PassAccess & access) = 0;
  /** Makes the compute stream wait for the member. */
  virtual MemberView
  Await(int slot) = 0;
  /** Exchanges the slot's map or velocity with \p spare, when its visit is enqueued. */
  virtual void
  SwapMap(int slot, SoAFieldMemory & spare) = 0;
  virtual void
  SwapVelocity(int slot, SoAFieldMemory & spare) = 0;
  /** Starts to take the member back to host memory. */
  virtual void
  TakeBack(int slot, Member & member, const PassAccess & access) = 0;
  /** Waits until all have left. */
  virtual void
  Finish() = 0;
};

/** Fields that visits may write to instead of the member's own, which are exchanged for them then. */
struct SpareFields
{
  SoAFieldMemory & map;
  SoAFieldMemory & velocity;
};

/** Visits member \p index. \returns whether its velocity is now in the spare field. */
using MemberVisitor = std::function<bool(int index, const MemberView & view)>;

/** The order of visits: offloaded members are spread over the others, so that they travel meanwhile. */
std::vector<int>
OrderOfVisits(const std::vector<Member> & members);

/** Visits every member. \p slots may be null where none is offloaded. */
void
VisitMembers(std::vector<Member> & members,
             StagingSlots *        slots,
             const PassAccess &    access,
             const SpareFields &   spares,
             const MemberVisitor & visit);

namespace gpu
{
/** Slots for fields of \p voxels, and as many images.
 * \throws OutOfMemoryError */
std::unique_ptr<StagingSlots>
MakeStagingSlots(Context & context, std::int64_t voxels, std::size_t numberOfChannels);
} // namespace gpu

} // namespace cudaneuro

#endif
