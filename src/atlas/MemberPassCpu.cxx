// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/MemberPass.h"

#include <array>
#include <utility>

namespace cudaneuro::cpu
{

namespace
{

class Places : public ParkingPlaces
{
public:
  Places(Context & context, std::int64_t voxels)
    : m_Context(context)
    , m_Voxels(voxels)
  {
    for (Place & place : m_Places)
    {
      place.level = context.Allocate(BytesOf(voxels));
      place.map = SoAFieldMemory(context, voxels);
      place.velocity = SoAFieldMemory(context, voxels);
    }
  }

  void
  Bring(int index, const Member & member, const PassAccess & access) override
  {
    const Place & place = m_Places[static_cast<std::size_t>(index)];
    if (access.readsImage)
    {
      CopyToDevice(m_Context, member.parkedLevel.get(), place.level.Data(), BytesOf(m_Voxels));
    }
    CopyToDevice(m_Context, m_Voxels, member.parkedMap.get(), place.map.View());
    if (access.readsVelocity)
    {
      CopyToDevice(m_Context, m_Voxels, member.parkedVelocity.get(), place.velocity.View());
    }
  }

  MemberView
  Await(int index) override
  {
    const Place & place = m_Places[static_cast<std::size_t>(index)];
    return { static_cast<const float *>(place.level.Data()), place.map.View(), place.velocity.View() };
  }

  void
  SwapMap(int index, SoAFieldMemory & spare) override
  {
    std::swap(m_Places[static_cast<std::size_t>(index)].map, spare);
  }

  void
  SwapVelocity(int index, SoAFieldMemory & spare) override
  {
    std::swap(m_Places[static_cast<std::size_t>(index)].velocity, spare);
  }

  void
  TakeBack(int index, Member & member, const PassAccess & access) override
  {
    const Place & place = m_Places[static_cast<std::size_t>(index)];
    if (access.writesMap)
    {
      CopyToHost(m_Context, m_Voxels, place.map.View(), member.parkedMap.get());
    }
    if (access.writesVelocity)
    {
      CopyToHost(m_Context, m_Voxels, place.velocity.View(), member.parkedVelocity.get());
    }
  }

  void
  Finish() override
  {}

private:
  struct Place
  {
    DeviceMemory   level;
    SoAFieldMemory map;
    SoAFieldMemory velocity;
  };

  Context &            m_Context;
  std::int64_t         m_Voxels;
  std::array<Place, 2> m_Places;
};

} // namespace

std::unique_ptr<ParkingPlaces>
MakeParkingPlaces(Context & context, std::int64_t voxels)
{
  return std::make_unique<Places>(context, voxels);
}

} // namespace cudaneuro::cpu
