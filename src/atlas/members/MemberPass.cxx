// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/members/MemberPass.h"

#include <utility>

namespace cudaneuro
{

namespace
{

ChannelVolumes<const float>
LevelsOf(const Member & member)
{
  ChannelVolumes<const float> levels{};
  for (std::size_t channel = 0; channel < member.channels.size(); ++channel)
  {
    levels[channel] = static_cast<const float *>(member.channels[channel].level.Data());
  }
  return levels;
}

} // namespace

std::vector<int>
OrderOfVisits(const std::vector<Member> & members)
{
  std::vector<int> resident;
  std::vector<int> offloaded;
  for (std::size_t i = 0; i < members.size(); ++i)
  {
    (members[i].isOffloaded ? offloaded : resident).push_back(static_cast<int>(i));
  }
  std::vector<int> order;
  std::size_t      next = 0;
  for (std::size_t i = 0; i < offloaded.size(); ++i)
  {
    // Residents before offloaded member i: an equal share, so that its copy has time to arrive.
    const std::size_t until = (i + 1) * resident.size() / offloaded.size();
    for (; next < until; ++next)
    {
      order.push_back(resident[next]);
    }
    order.push_back(offloaded[i]);
  }
  for (; next < resident.size(); ++next)
  {
    order.push_back(resident[next]);
  }
  return order;
}

void
VisitMembers(std::vector<Member> & members,
             StagingSlots *        slots,
             const PassAccess &    access,
             const SpareFields &   spares,
             const MemberVisitor & visit)
{
  const std::vector<int> order = OrderOfVisits(members);
  std::vector<int>       offloaded;
  for (const int i : order)
  {
    if (members[static_cast<std::size_t>(i)].isOffloaded)
    {
      offloaded.push_back(i);
    }
  }
  const auto bring = [&](std::size_t index) {
    if (index < offloaded.size())
    {
      slots->Bring(static_cast<int>(index % 2), members[static_cast<std::size_t>(offloaded[index])], access);
    }
  };
  bring(0);
  bring(1);
  std::size_t visited = 0;
  for (const int i : order)
  {
    Member & member = members[static_cast<std::size_t>(i)];
    if (!member.isOffloaded)
    {
      if (visit(i, { LevelsOf(member), member.map.View(), member.velocity.View() }))
      {
        std::swap(member.velocity, spares.velocity);
      }
      if (access.writesMap)
      {
        std::swap(member.map, spares.map);
      }
      continue;
    }
    const int slot = static_cast<int>(visited % 2);
    if (visit(i, slots->Await(slot)))
    {
      slots->SwapVelocity(slot, spares.velocity);
    }
    if (access.writesMap)
    {
      slots->SwapMap(slot, spares.map);
    }
    slots->TakeBack(slot, member, access);
    bring(visited + 2);
    ++visited;
  }
}

} // namespace cudaneuro
