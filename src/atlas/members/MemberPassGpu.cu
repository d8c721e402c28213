// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/members/MemberPass.h"
#include "cuda/GpuContext.h"

#include <array>
#include <utility>
#include <vector>

namespace cudaneuro::gpu
{

namespace
{

class DeviceSlots : public StagingSlots
{
public:
  DeviceSlots(Context & context, std::int64_t voxels, std::size_t numberOfChannels)
    : m_Gpu(GpuOf(context))
    , m_Bytes(static_cast<std::size_t>(voxels) * sizeof(float))
    , m_Voxels(voxels)
  {
    for (Slot & slot : m_Slots)
    {
      for (std::size_t channel = 0; channel < numberOfChannels; ++channel)
      {
        slot.levels.push_back(context.Allocate(m_Bytes));
      }
      slot.map = SoAFieldMemory(context, voxels);
      slot.velocity = SoAFieldMemory(context, voxels);
      // The slot's memory is ready when the compute stream reaches this point.
      slot.left.Record(m_Gpu.ComputeStream());
    }
  }

  void
  Bring(int index, const Member & member, const PassAccess & access) override
  {
    Slot &             slot = m_Slots[static_cast<std::size_t>(index)];
    const cudaStream_t stream = m_Gpu.UploadStream();
    CUDANEURO_CUDA(cudaStreamWaitEvent(stream, slot.left.Get(), 0));
    // The last fields to leave may be this member's own, from the previous pass.
    CUDANEURO_CUDA(cudaStreamWaitEvent(stream, m_LastLeft.Get(), 0));
    for (std::size_t channel = 0; access.readsImage && channel < slot.levels.size(); ++channel)
    {
      Copy(slot.levels[channel].Data(), member.channels[channel].offloadedLevel.get(), m_Bytes, stream);
    }
    this->Upload(member.offloadedMap, slot.map);
    if (access.readsVelocity)
    {
      this->Upload(member.offloadedVelocity, slot.velocity);
    }
    slot.arrived.Record(stream);
  }

  MemberView
  Await(int index) override
  {
    const Slot & slot = m_Slots[static_cast<std::size_t>(index)];
    CUDANEURO_CUDA(cudaStreamWaitEvent(m_Gpu.ComputeStream(), slot.arrived.Get(), 0));
    MemberView view{ {}, slot.map.View(), slot.velocity.View() };
    for (std::size_t channel = 0; channel < slot.levels.size(); ++channel)
    {
      view.levels[channel] = static_cast<const float *>(slot.levels[channel].Data());
    }
    return view;
  }

  void
  SwapMap(int index, SoAFieldMemory & spare) override
  {
    std::swap(m_Slots[static_cast<std::size_t>(index)].map, spare);
  }

  void
  SwapVelocity(int index, SoAFieldMemory & spare) override
  {
    std::swap(m_Slots[static_cast<std::size_t>(index)].velocity, spare);
  }

  void
  TakeBack(int index, Member & member, const PassAccess & access) override
  {
    Slot &             slot = m_Slots[static_cast<std::size_t>(index)];
    const cudaStream_t stream = m_Gpu.DownloadStream();
    m_Visited.Order(m_Gpu.ComputeStream(), stream);
    if (access.writesMap)
    {
      this->Download(slot.map, member.offloadedMap);
    }
    if (access.writesVelocity)
    {
      this->Download(slot.velocity, member.offloadedVelocity);
    }
    slot.left.Record(stream);
    m_LastLeft.Record(stream);
  }

  void
  Finish() override
  {
    CUDANEURO_CUDA(cudaStreamSynchronize(m_Gpu.DownloadStream()));
  }

private:
  struct Slot
  {
    std::vector<DeviceMemory> levels; // of each channel
    SoAFieldMemory            map;
    SoAFieldMemory            velocity;
    Event                     arrived;
    Event                     left;
  };

  static void
  Copy(void * to, const void * from, std::size_t bytes, cudaStream_t stream)
  {
    CUDANEURO_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream));
  }

  void
  Upload(const std::shared_ptr<void> & from, const SoAFieldMemory & to) const
  {
    const auto *   host = static_cast<const float *>(from.get());
    const SoAField field = to.View();
    for (float * const component : { field.x, field.y, field.z })
    {
      Copy(component, host, m_Bytes, m_Gpu.UploadStream());
      host += m_Voxels;
    }
  }

  void
  Download(const SoAFieldMemory & from, const std::shared_ptr<void> & to) const
  {
    auto *         host = static_cast<float *>(to.get());
    const SoAField field = from.View();
    for (const float * const component : { field.x, field.y, field.z })
    {
      Copy(host, component, m_Bytes, m_Gpu.DownloadStream());
      host += m_Voxels;
    }
  }

  const GpuContext &  m_Gpu;
  std::size_t         m_Bytes;
  std::int64_t        m_Voxels;
  std::array<Slot, 2> m_Slots;
  Event               m_Visited;
  Event               m_LastLeft;
};

} // namespace

std::unique_ptr<StagingSlots>
MakeStagingSlots(Context & context, std::int64_t voxels, std::size_t numberOfChannels)
{
  return std::make_unique<DeviceSlots>(context, voxels, numberOfChannels);
}

} // namespace cudaneuro::gpu
