// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/members/Member.h"

#include <utility>

namespace cudaneuro
{

std::shared_ptr<void>
OffloadVolume(Context & context, std::int64_t voxels, const DeviceMemory & volume)
{
  std::shared_ptr<void> host = AllocatePinned(context.GetDevice(), BytesOf(voxels));
  CopyToHost(context, volume.Data(), host.get(), BytesOf(voxels));
  return host;
}

std::shared_ptr<void>
OffloadField(Context & context, std::int64_t voxels, const SoAFieldMemory & field)
{
  std::shared_ptr<void> host = AllocatePinned(context.GetDevice(), 3 * BytesOf(voxels));
  CopyToHost(context, voxels, field.View(), host.get());
  return host;
}

void
Offload(Context & context, std::int64_t fullVoxels, Member & member)
{
  const auto volume = [&](std::int64_t voxels, const DeviceMemory & memory) {
    return memory.Data() != nullptr ? OffloadVolume(context, voxels, memory) : nullptr;
  };
  const auto field = [&](std::int64_t voxels, const SoAFieldMemory & memory) {
    return memory.View().x != nullptr ? OffloadField(context, voxels, memory) : nullptr;
  };
  Member offloaded = member;
  for (MemberChannel & channel : offloaded.channels)
  {
    const bool isFull = channel.level.Data() == channel.full.Data();
    channel.offloadedFull = volume(fullVoxels, channel.full);
    channel.offloadedLevel = isFull ? channel.offloadedFull : volume(member.levelVoxels, channel.level);
    channel.full = {};
    channel.level = {};
  }
  offloaded.offloadedMap = field(member.mapVoxels, member.map);
  offloaded.offloadedVelocity = field(member.levelVoxels, member.velocity);
  offloaded.map = {};
  offloaded.velocity = {};
  offloaded.isOffloaded = true;
  member = std::move(offloaded);
}

void
CopyToHost(Context & context, std::int64_t voxels, const SoAField & device, void * host)
{
  auto * to = static_cast<float *>(host);
  for (const float * const component : { device.x, device.y, device.z })
  {
    CopyToHost(context, component, to, static_cast<std::size_t>(voxels) * sizeof(float));
    to += voxels;
  }
}

void
CopyToDevice(Context & context, std::int64_t voxels, const void * host, const SoAField & device)
{
  const auto * from = static_cast<const float *>(host);
  for (float * const component : { device.x, device.y, device.z })
  {
    CopyToDevice(context, from, component, static_cast<std::size_t>(voxels) * sizeof(float));
    from += voxels;
  }
}

} // namespace cudaneuro
