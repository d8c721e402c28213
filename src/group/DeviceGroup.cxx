// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "group/DeviceGroup.h"

#include "core/IntegerMath.h"
#include "core/ParameterChecks.h"
#include "core/Threads.h"
#include "group/DeviceSum.h"
#include "group/HostStaging.h"
#include "group/HostSum.h"
#include "jobs/DeviceJob.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <utility>

namespace cudaneuro
{

class DeviceGroup::Implementation
{
public:
  Implementation(const std::vector<Device> & devices,
                 unsigned int                numberOfThreads,
                 std::size_t                 memoryLimit,
                 Communicator *              communicator)
    : m_Communicator(communicator && communicator->GetSize() > 1 ? communicator : nullptr)
    , m_Barrier(static_cast<int>(devices.size()))
    , m_HostSum(m_Barrier, static_cast<int>(devices.size()), m_Communicator)
  {
    if (devices.empty())
    {
      ThrowInvalid("The number of devices", 0, "at least 1");
    }
    this->MakeContexts(devices, numberOfThreads, memoryLimit);
    const bool areAllCuda = std::all_of(devices.begin(), devices.end(), [](auto & device) { return device.IsCuda(); });
    if constexpr (builtWithCuda)
    {
      if (areAllCuda && devices.size() > 1)
      {
        std::vector<Context *> contexts;
        for (const std::unique_ptr<Context> & context : m_Contexts)
        {
          contexts.push_back(context.get());
        }
        m_DeviceSum = gpu::MakeDeviceSum(contexts, m_Barrier);
      }
    }
  }

  int
  GetSize() const
  {
    return static_cast<int>(m_Contexts.size());
  }

  Context &
  GetContext(int device) const
  {
    return *m_Contexts[device];
  }

  bool
  IsAlone() const
  {
    return m_Contexts.size() == 1 && !m_Communicator;
  }

  std::string
  GetExchange() const
  {
    if (m_DeviceSum)
    {
      return m_DeviceSum->GetName() + (m_Communicator ? ", host copies between processes" : "");
    }
    return this->IsAlone() ? "none" : "host copies";
  }

  void
  Run(const std::function<void(int device)> & body)
  {
    m_Failure = nullptr;
    m_Barrier.Reset();
    const auto               numberOfOthers = static_cast<unsigned int>(this->GetSize() - 1);
    std::vector<std::thread> others =
      StartThreads(numberOfOthers, [&](unsigned int index) { this->RunBody(body, static_cast<int>(index) + 1); });
    if (others.size() < numberOfOthers)
    {
      this->Fail(std::make_exception_ptr(Error("Start of a device's thread", "the system grants no more threads")));
    }
    else
    {
      this->RunBody(body, 0);
    }
    JoinThreads(others);
    if (m_Failure)
    {
      std::rethrow_exception(std::exchange(m_Failure, nullptr));
    }
  }

  template <typename T>
  void
  Sum(int device, T * values, std::size_t count)
  {
    if (count == 0 || this->IsAlone())
    {
      return;
    }
    if (!m_DeviceSum)
    {
      m_HostSum.Sum(device, m_Staging[device].Fetch(values, count), count);
      m_Staging[device].Deliver(values, count);
      return;
    }
    m_DeviceSum->Sum(device, values, count, SumTypeOf<T>());
    if (m_Communicator)
    {
      this->SumOverProcesses(device, values, count);
    }
  }

  void
  SumOnHost(int device, std::int64_t * values, std::size_t count)
  {
    if (count > 0 && !this->IsAlone())
    {
      m_HostSum.Sum(device, values, count);
    }
  }

private:
  void
  MakeContexts(const std::vector<Device> & devices, unsigned int numberOfThreads, std::size_t memoryLimit)
  {
    for (const Device & device : devices)
    {
      m_Contexts.push_back(std::make_unique<Context>(device, numberOfThreads));
      // Contexts of one device share its limit; the share is rounded up, because 0 would mean no limit.
      const auto sharers = static_cast<std::size_t>(std::count(devices.begin(), devices.end(), device));
      m_Contexts.back()->SetMemoryLimit(DivideUp(memoryLimit, sharers));
      m_Staging.emplace_back(*m_Contexts.back());
    }
    // The first contexts get the remainder.
    const auto         size = static_cast<unsigned int>(devices.size());
    const unsigned int threads = m_Contexts[0]->GetNumberOfThreads(); // 0 has become the number of cores
    for (unsigned int i = 0; i < size; ++i)
    {
      m_Contexts[i]->SetNumberOfThreads(std::max(1U, threads / size + (i < threads % size ? 1U : 0U)));
    }
  }

  void
  RunBody(const std::function<void(int device)> & body, int device)
  {
    try
    {
      RunDeviceJob(*m_Contexts[device], [&] { body(device); });
      m_Barrier.Break("the job of device " + std::to_string(device) + " of the group has ended without it");
    }
    catch (...)
    {
      this->Fail(std::current_exception());
    }
  }

  /** Keeps the first exception, and prevents other threads from waiting for the one that threw it. */
  void
  Fail(const std::exception_ptr & failure)
  {
    {
      const std::lock_guard<std::mutex> lock(m_FailureMutex);
      if (!m_Failure)
      {
        m_Failure = failure;
      }
    }
    m_Barrier.Break("another device has failed");
  }

  /** Replaces values that are the same on all devices of this process, all CUDA devices, by their sums over processes:
   * the first device's values go through the communicator; then, with zeros on the others, a sum over the devices
   * distributes them. */
  template <typename T>
  void
  SumOverProcesses(int device, T * values, std::size_t count)
  {
    if constexpr (builtWithCuda)
    {
      if (device == 0)
      {
        m_Communicator->Sum(m_Staging[0].Fetch(values, count), count);
        m_Staging[0].Deliver(values, count);
      }
      else
      {
        gpu::EnqueueZeros(*m_Contexts[device], values, count * sizeof(T));
      }
      m_DeviceSum->Sum(device, values, count, SumTypeOf<T>());
    }
  }

  /** Null if there is one process. */
  Communicator *                        m_Communicator;
  std::vector<std::unique_ptr<Context>> m_Contexts;
  std::vector<HostStaging>              m_Staging;
  BreakableBarrier                      m_Barrier;
  HostSum                               m_HostSum;
  /** Null if there is one device, or if one of them is the CPU. */
  std::unique_ptr<DeviceSum> m_DeviceSum;
  std::mutex                 m_FailureMutex;
  std::exception_ptr         m_Failure;
};

DeviceGroup::DeviceGroup(const std::vector<Device> & devices,
                         unsigned int                numberOfThreads,
                         std::size_t                 memoryLimit,
                         Communicator *              communicator)
  : m_Implementation(std::make_unique<Implementation>(devices, numberOfThreads, memoryLimit, communicator))
{}

DeviceGroup::~DeviceGroup() = default;

int
DeviceGroup::GetSize() const
{
  return m_Implementation->GetSize();
}

bool
DeviceGroup::IsAlone() const
{
  return m_Implementation->IsAlone();
}

Context &
DeviceGroup::GetContext(int device) const
{
  return m_Implementation->GetContext(device);
}

std::string
DeviceGroup::GetExchange() const
{
  return m_Implementation->GetExchange();
}

void
DeviceGroup::Run(const std::function<void(int device)> & body)
{
  m_Implementation->Run(body);
}

void
DeviceGroup::Sum(int device, std::int64_t * values, std::size_t count)
{
  m_Implementation->Sum(device, values, count);
}

void
DeviceGroup::Sum(int device, std::int32_t * values, std::size_t count)
{
  m_Implementation->Sum(device, values, count);
}

void
DeviceGroup::SumOnHost(int device, std::int64_t * values, std::size_t count)
{
  m_Implementation->SumOnHost(device, values, count);
}

} // namespace cudaneuro
