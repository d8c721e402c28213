// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/Context.h"

#include "core/CudaRuntime.h"
#include "core/Dispatch.h"
#include "core/HostMemory.h"
#include "core/MemoryBudget.h"
#include "core/ThreadPool.h"
#include "cudaneuro/Error.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace cudaneuro
{

Context::Context(const Device & device, unsigned int numberOfThreads)
  : Context(device, numberOfThreads, std::make_shared<MemoryBudget>())
{}

Context::Context(const Device & device, unsigned int numberOfThreads, std::shared_ptr<MemoryBudget> budget)
  : m_Device(device)
  , m_Budget(std::move(budget))
{
  this->SetNumberOfThreads(numberOfThreads);
  if (!device.IsCuda())
  {
    return;
  }
  if constexpr (builtWithCuda)
  {
    m_Gpu = gpu::CreateContext(device.cudaIndex, m_Budget);
  }
  else
  {
    throw Error("Use of CUDA device " + std::to_string(device.cudaIndex), GetReasonForNoCudaDevice());
  }
}

Context::~Context() = default;

void
Context::SetNumberOfThreads(unsigned int numberOfThreads)
{
  m_NumberOfThreads = numberOfThreads != 0 ? numberOfThreads : std::max(1U, std::thread::hardware_concurrency());
}

void
Context::SetMemoryLimit(std::size_t bytes)
{
  m_Budget->SetLimit(bytes);
}

std::size_t
Context::GetMemoryLimit() const
{
  return m_Budget->GetLimit();
}

void
Context::ReportProgress(double fraction)
{
  if (m_ProgressFunction)
  {
    const double overall = m_ProgressBegin + (m_ProgressEnd - m_ProgressBegin) * fraction;
    if (!m_ProgressFunction(static_cast<float>(overall)))
    {
      throw Aborted();
    }
  }
}

Context::ProgressRange::ProgressRange(Context & context, double begin, double end)
  : m_Context(context)
  , m_OuterBegin(context.m_ProgressBegin)
  , m_OuterEnd(context.m_ProgressEnd)
{
  const double length = m_OuterEnd - m_OuterBegin;
  context.m_ProgressBegin = m_OuterBegin + begin * length;
  context.m_ProgressEnd = m_OuterBegin + end * length;
}

Context::ProgressRange::~ProgressRange()
{
  m_Context.m_ProgressBegin = m_OuterBegin;
  m_Context.m_ProgressEnd = m_OuterEnd;
}

Context::ProgressSteps::ProgressSteps(Context & context)
  : m_Context(context)
  , m_OuterBegin(context.m_ProgressBegin)
  , m_OuterEnd(context.m_ProgressEnd)
{}

Context::ProgressSteps::~ProgressSteps()
{
  m_Context.m_ProgressBegin = m_OuterBegin;
  m_Context.m_ProgressEnd = m_OuterEnd;
}

void
Context::ProgressSteps::UpTo(double end)
{
  const double length = m_OuterEnd - m_OuterBegin;
  m_Context.m_ProgressBegin = m_OuterBegin + m_End * length;
  m_Context.m_ProgressEnd = m_OuterBegin + end * length;
  m_End = end;
}

Context::ProgressPause::ProgressPause(Context & context)
  : m_Context(context)
{
  m_Function.swap(context.m_ProgressFunction);
}

Context::ProgressPause::~ProgressPause()
{
  m_Function.swap(m_Context.m_ProgressFunction);
}

void
Context::ParallelFor(std::int64_t count, const std::function<void(std::int64_t)> & body)
{
  std::atomic<std::int64_t> next{ 0 };
  std::atomic<std::int64_t> numberDone{ 0 };
  std::mutex                failureMutex;
  std::exception_ptr        failure;

  const auto caller = std::this_thread::get_id();
  const auto work = [&] {
    const bool reportsProgress = std::this_thread::get_id() == caller;
    try
    {
      for (std::int64_t i = next++; i < count; i = next++)
      {
        body(i);
        const std::int64_t done = ++numberDone;
        if (reportsProgress)
        {
          this->ReportProgress(static_cast<double>(done) / static_cast<double>(count));
        }
      }
    }
    catch (...)
    {
      const std::lock_guard<std::mutex> lock(failureMutex);
      if (!failure)
      {
        failure = std::current_exception();
      }
      next = count;
    }
  };

  const std::int64_t helpers = std::min<std::int64_t>(m_NumberOfThreads, count) - 1;
  RunOnThreads(static_cast<unsigned int>(std::max<std::int64_t>(helpers, 0)), work);
  if (failure)
  {
    std::rethrow_exception(failure);
  }
  this->ReportProgress(1.0);
}

DeviceMemory
Context::Allocate(std::size_t bytes)
{
  if constexpr (builtWithCuda)
  {
    if (m_Gpu)
    {
      return gpu::Allocate(*m_Gpu, bytes);
    }
  }
  return { AllocateHost(bytes), bytes };
}

DeviceMemory
AllocateDeviceMemory(const Device & device, std::size_t bytes)
{
  if (!device.IsCuda())
  {
    return { AllocateHost(bytes), bytes };
  }
  if constexpr (builtWithCuda)
  {
    return gpu::AllocateDeviceMemory(device.cudaIndex, bytes);
  }
  throw Error("Use of CUDA device " + std::to_string(device.cudaIndex), GetReasonForNoCudaDevice());
}

std::shared_ptr<void>
AllocatePinned(const Device & device, std::size_t bytes)
{
  if constexpr (builtWithCuda)
  {
    if (device.IsCuda())
    {
      return gpu::AllocatePinned(device.cudaIndex, bytes);
    }
  }
  return AllocateHost(bytes);
}

} // namespace cudaneuro
