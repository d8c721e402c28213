// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_members_MemberPass_h
#define cudaneuro_atlas_members_MemberPass_h

#include "atlas/members/Member.h"

#include <functional>
#include <vector>

namespace cudaneuro
{

/** The volumes of a member on the device during a visit. */
struct MemberView
{
  ChannelVolumes<const float> levels{};
  SoAField                    map;
  SoAField                    velocity;
};

/** The inputs and outputs of a pass's visits; other volumes are not copied. */
struct PassAccess
{
  bool readsImage = true;
  bool readsVelocity = false;
  /** Visits write the next map to the spare field, which becomes the member's. */
  bool writesMap = false;
  bool writesVelocity = false;
};

/** Device memory for two offloaded members: while one is visited, the next one is copied to the device and the last one
 * back. */
class StagingSlots
{
public:
  virtual ~StagingSlots() = default;

  /** Starts to copy a member to slot 0 or 1, after the previous one has left it. */
  virtual void
  Bring(int slot, const Member & member, const PassAccess & access) = 0;
  /** Makes the compute stream wait for the member. */
  virtual MemberView
  Await(int slot) = 0;
  /** Exchanges the slot's map or velocity with \p spare, after its visit has been enqueued. */
  virtual void
  SwapMap(int slot, SoAFieldMemory & spare) = 0;
  virtual void
  SwapVelocity(int slot, SoAFieldMemory & spare) = 0;
  /** Starts to copy the member back to host memory. */
  virtual void
  TakeBack(int slot, Member & member, const PassAccess & access) = 0;
  /** Waits until all copies to the host have ended. */
  virtual void
  Finish() = 0;
};

/** Fields to which visits may write instead of the member's own, with which they are then exchanged. */
struct SpareFields
{
  SoAFieldMemory & map;
  SoAFieldMemory & velocity;
};

/** Visits member \p index. \returns whether its velocity is now in the spare field. */
using MemberVisitor = std::function<bool(int index, const MemberView & view)>;

/** The order of visits: offloaded members are spread evenly among the others, so that copies overlap with visits. */
std::vector<int>
OrderOfVisits(const std::vector<Member> & members);

/** Visits every member. \p slots may be null if none is offloaded. */
void
VisitMembers(std::vector<Member> & members,
             StagingSlots *        slots,
             const PassAccess &    access,
             const SpareFields &   spares,
             const MemberVisitor & visit);

namespace gpu
{
/** Makes slots for fields of \p voxels, and as many images per member as channels.
 * \throws OutOfMemoryError */
std::unique_ptr<StagingSlots>
MakeStagingSlots(Context & context, std::int64_t voxels, std::size_t numberOfChannels);
} // namespace gpu

} // namespace cudaneuro

#endif
