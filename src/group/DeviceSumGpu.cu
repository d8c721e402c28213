// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "group/DeviceSum.h"

#include "cuda/DeviceMemoryPool.h"
#include "group/LocalSum.h"
#include "group/SumBetweenDevices.h"

#include <algorithm>

namespace cudaneuro::gpu
{
namespace
{

/** Lets each device access the memory of the others, if the machine supports it. NCCL reads and writes the arrays of
 * devices of its own process directly, and copies need not go through the host.
 * \returns whether each device can access all others */
bool
AllowPeerAccess(const std::vector<Context *> & contexts)
{
  bool doAllReach = true;
  for (const Context * const owner : contexts)
  {
    for (const Context * const other : contexts)
    {
      DeviceMemoryPool & pool = DeviceMemoryPool::OfDevice(owner->GetDevice().cudaIndex);
      doAllReach = pool.AllowAccess(other->GetDevice().cudaIndex) && doAllReach;
    }
  }
  return doAllReach;
}

std::unique_ptr<SumBetweenDevices>
MakeSumBetweenDevices(const std::vector<Context *> & contexts)
{
  const bool                         doAllReach = AllowPeerAccess(contexts);
  std::unique_ptr<SumBetweenDevices> sum = MakeNcclSum(contexts);
  return sum ? std::move(sum) : MakePeerSum(contexts, doAllReach);
}

/** Returns contexts in groups with the same device, in order of their first. */
std::vector<std::vector<std::size_t>>
GroupByDevice(const std::vector<Context *> & contexts)
{
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < contexts.size(); ++i)
  {
    const auto isOfThisDevice = [&](const std::vector<std::size_t> & group) {
      return contexts[group[0]]->GetDevice() == contexts[i]->GetDevice();
    };
    const auto group = std::find_if(groups.begin(), groups.end(), isOfThisDevice);
    group == groups.end() ? groups.push_back({ i }) : group->push_back(i);
  }
  return groups;
}

/** The contexts of each device sum on it; then the devices sum, and each distributes the sums to its contexts. The
 * last thread to arrive at the barrier enqueues all of that on the streams of all contexts. A barrier costs the threads
 * more than the calls; and if each thread enqueued its own part of a sum by NCCL, and one failed to, the kernels of the
 * others would wait for it forever. */
class SumOfContexts : public DeviceSum
{
public:
  SumOfContexts(const std::vector<Context *> & contexts, BreakableBarrier & barrier)
    : m_Barrier(barrier)
    , m_Places(contexts.size())
  {
    std::vector<Context *> firsts;
    for (const std::vector<std::size_t> & group : GroupByDevice(contexts))
    {
      std::vector<Context *> contextsOfDevice;
      for (const std::size_t context : group)
      {
        m_Places[context] = { m_Locals.size(), contextsOfDevice.size() };
        contextsOfDevice.push_back(contexts[context]);
      }
      m_Locals.emplace_back(contextsOfDevice);
      m_Arrays.emplace_back(contextsOfDevice.size());
      firsts.push_back(contextsOfDevice[0]);
    }
    if (firsts.size() > 1)
    {
      m_BetweenDevices = MakeSumBetweenDevices(firsts);
    }
  }

  std::string
  GetName() const override
  {
    return m_BetweenDevices ? m_BetweenDevices->GetName() : "copies on the device";
  }

  void
  Sum(int context, void * values, std::size_t count, SumType type) override
  {
    m_Arrays[m_Places[context].device][m_Places[context].position] = values;
    m_Barrier.Wait([&] { this->Enqueue(count, type); });
  }

private:
  void
  Enqueue(std::size_t count, SumType type)
  {
    if (!m_BetweenDevices)
    {
      m_Locals[0].EnqueueSumIntoAll(m_Arrays[0], count, type);
      return;
    }
    std::vector<void *> firstArrays;
    for (std::size_t device = 0; device < m_Locals.size(); ++device)
    {
      m_Locals[device].EnqueueSumIntoFirst(m_Arrays[device], count, type);
      firstArrays.push_back(m_Arrays[device][0]);
    }
    m_BetweenDevices->Enqueue(firstArrays, count, type);
    for (std::size_t device = 0; device < m_Locals.size(); ++device)
    {
      m_Locals[device].EnqueueCopiesOfFirst(m_Arrays[device], count, type);
    }
  }

  /** The place of a context: its device, and its position among the device's contexts. */
  struct Place
  {
    std::size_t device;
    std::size_t position;
  };

  BreakableBarrier &    m_Barrier;
  std::vector<Place>    m_Places;
  std::vector<LocalSum> m_Locals;
  /** The arrays of the contexts of each device. */
  std::vector<std::vector<void *>> m_Arrays;
  /** Null if there is one device. */
  std::unique_ptr<SumBetweenDevices> m_BetweenDevices;
};

} // namespace

std::unique_ptr<DeviceSum>
MakeDeviceSum(const std::vector<Context *> & contexts, BreakableBarrier & barrier)
{
  return std::make_unique<SumOfContexts>(contexts, barrier);
}

void
EnqueueZeros(Context & context, void * values, std::size_t bytes)
{
  CUDANEURO_CUDA(cudaMemsetAsync(values, 0, bytes, GpuOf(context).ComputeStream()));
}

} // namespace cudaneuro::gpu
