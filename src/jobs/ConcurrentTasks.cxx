// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/ConcurrentTasks.h"

#include "core/ContextAccess.h"
#include "core/Dispatch.h"
#include "core/HostMemory.h"
#include "core/Threads.h"
#include "jobs/AvailableMemory.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <numeric>

namespace cudaneuro
{
namespace
{

using Run = std::function<void(Context & own, std::size_t i)>;

/** Returns the memory that all tasks may use together: half of what is available, as their needs are approximate. */
std::size_t
BytesForTasks(Context & context)
{
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      return gpu::AvailableBytes(context) / 2;
    }
  }
  return FreeHostBytes() / 2;
}

class Tasks
{
public:
  Tasks(Context & context, const std::vector<std::size_t> & bytes, const Run & run)
    : m_Context(context)
    , m_Bytes(bytes)
    , m_Run(run)
    , m_Order(bytes.size())
    , m_Limit(BytesForTasks(context))
  {
    std::iota(m_Order.begin(), m_Order.end(), std::size_t{ 0 });
    std::stable_sort(m_Order.begin(), m_Order.end(), [&](std::size_t a, std::size_t b) { return bytes[a] > bytes[b]; });
    m_All = static_cast<double>(std::accumulate(bytes.begin(), bytes.end(), std::size_t{ 0 }));
  }

  void
  RunAll()
  {
    const unsigned int all = m_Context.GetNumberOfThreads();
    const auto         workers = static_cast<unsigned int>(std::min<std::size_t>(all, m_Order.size()));
    // Each task has twice its share of threads, because they also wait for the device.
    const unsigned int       ofEach = std::max(1u, 2 * all / workers);
    std::vector<std::thread> threads;
    if (workers > 1)
    {
      threads = StartThreads(workers, [this, ofEach](unsigned int) { this->Work(ofEach); });
    }
    this->ReportUntilDone(!threads.empty());
    JoinThreads(threads);
    if (m_Failure)
    {
      std::rethrow_exception(m_Failure);
    }
    for (; m_Next < m_Order.size(); ++m_Next)
    {
      this->RunAlone(m_Order[m_Next]);
    }
    for (const std::size_t task : m_Postponed)
    {
      this->RunAlone(task);
    }
  }

private:
  /** Reports progress on the caller's thread until the worker threads have ended all tasks. */
  void
  ReportUntilDone(bool areThereThreads)
  {
    std::unique_lock<std::mutex> lock(m_Mutex);
    std::size_t                  reported = 0;
    while (areThereThreads && m_NumberEnded < m_Order.size() && !m_Failure)
    {
      m_Changed.wait(lock, [&] { return m_NumberEnded > reported || m_Failure; });
      reported = m_NumberEnded;
      const double done = m_Done;
      lock.unlock();
      std::exception_ptr failure;
      try
      {
        m_Context.ReportProgress(done / m_All);
      }
      catch (...)
      {
        failure = std::current_exception();
      }
      lock.lock();
      this->KeepFirst(failure);
    }
  }

  void
  Work(unsigned int numberOfThreads)
  {
    std::exception_ptr failure;
    try
    {
      const std::unique_ptr<Context> own = MakeSibling(m_Context, numberOfThreads);
      this->RunSome(*own);
      const std::lock_guard<std::mutex> lock(m_Mutex);
      StatisticsOf(m_Context) += own->GetStatistics();
    }
    catch (...)
    {
      failure = std::current_exception();
    }
    const std::lock_guard<std::mutex> lock(m_Mutex);
    this->KeepFirst(failure);
    m_Changed.notify_all();
  }

  void
  RunSome(Context & own)
  {
    std::unique_lock<std::mutex> lock(m_Mutex);
    for (;;)
    {
      m_Changed.wait(lock, [&] { return m_Failure || m_Next == m_Order.size() || this->HasMemoryForNext(); });
      if (m_Failure || m_Next == m_Order.size())
      {
        return;
      }
      const std::size_t task = m_Order[m_Next++];
      m_InUse += m_Bytes[task];
      lock.unlock();
      const bool isPostponed = !this->RunOnce(own, task);
      lock.lock();
      if (isPostponed)
      {
        m_Postponed.push_back(task);
      }
      m_InUse -= m_Bytes[task];
      m_Done += static_cast<double>(m_Bytes[task]);
      ++m_NumberEnded;
      m_Changed.notify_all();
    }
  }

  /** Runs a task. \returns whether there was enough memory */
  bool
  RunOnce(Context & own, std::size_t task)
  {
    try
    {
      m_Run(own, task);
    }
    catch (const OutOfMemoryError &)
    {
      return false;
    }
    return true;
  }

  void
  RunAlone(std::size_t task)
  {
    const double           done = m_Done / m_All;
    Context::ProgressSteps progress(m_Context);
    progress.UpTo(done);
    m_Context.ReportProgress(1.0);
    progress.UpTo(done); // the task's own reports are of this, and can abort it
    m_Run(m_Context, task);
    m_Done += static_cast<double>(m_Bytes[task]);
  }

  bool
  HasMemoryForNext() const
  {
    return m_InUse == 0 || m_InUse + m_Bytes[m_Order[m_Next]] <= m_Limit;
  }

  void
  KeepFirst(const std::exception_ptr & failure)
  {
    if (failure && !m_Failure)
    {
      m_Failure = failure;
      m_Changed.notify_all();
    }
  }

  Context &                        m_Context;
  const std::vector<std::size_t> & m_Bytes;
  const Run &                      m_Run;
  std::vector<std::size_t>         m_Order;
  std::size_t                      m_Limit;
  double                           m_All = 0.0;

  std::mutex               m_Mutex;
  std::condition_variable  m_Changed;
  std::size_t              m_Next = 0;
  std::size_t              m_InUse = 0;
  std::size_t              m_NumberEnded = 0;
  double                   m_Done = 0.0;
  std::vector<std::size_t> m_Postponed;
  std::exception_ptr       m_Failure;
};

} // namespace

void
RunConcurrently(Context & context, const std::vector<std::size_t> & bytes, const Run & run)
{
  if (!bytes.empty())
  {
    Tasks(context, bytes, run).RunAll();
  }
  context.ReportProgress(1.0);
}

} // namespace cudaneuro
