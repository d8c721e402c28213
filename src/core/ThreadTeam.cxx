// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/ThreadTeam.h"

#include "core/Threads.h"
#include "system/Environment.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace cudaneuro
{

namespace
{

/** Gives way to other threads until the condition is met, but for no longer than some hundred microseconds. */
template <typename TCondition>
void
Poll(const TCondition & isMet)
{
  constexpr int numberOfLooks = 500;
  for (int look = 0; look < numberOfLooks && !isMet(); ++look)
  {
    std::this_thread::yield();
  }
}

} // namespace

class ThreadTeam::Helpers
{
public:
  ~Helpers()
  {
    {
      const std::lock_guard<std::mutex> lock(m_Mutex);
      m_IsEnding = true;
      ++m_NumberOfAnnouncements;
    }
    m_Announced.notify_all();
    JoinThreads(m_Threads);
  }

  void
  Run(unsigned int helpers, const std::function<void()> & work)
  {
    if (!this->Announce(helpers, work))
    {
      work();
      return;
    }
    work();
    this->WaitForHelpers();
  }

private:
  /** \returns false, and announces nothing, if helpers are at work already */
  bool
  Announce(unsigned int helpers, const std::function<void()> & work)
  {
    {
      const std::lock_guard<std::mutex> lock(m_Mutex);
      if (m_Work != nullptr)
      {
        return false;
      }
      m_Work = &work;
      m_Places = helpers;
      ++m_NumberOfAnnouncements;
    }
    m_Announced.notify_all();
    if (m_Threads.size() < helpers)
    {
      StartThreads(m_Threads, helpers, [this](unsigned int) { this->Help(); });
    }
    return true;
  }

  void
  WaitForHelpers()
  {
    {
      const std::lock_guard<std::mutex> lock(m_Mutex);
      m_Places = 0;
    }
    const auto haveLeft = [this] { return m_NumberAtWork == 0; };
    Poll(haveLeft);
    std::unique_lock<std::mutex> lock(m_Mutex);
    m_LastLeft.wait(lock, haveLeft);
    m_Work = nullptr;
  }

  /** What a thread does until the team ends. */
  void
  Help()
  {
    std::uint64_t                seen = 0;
    const auto                   isAnnounced = [this, &seen] { return m_NumberOfAnnouncements != seen; };
    std::unique_lock<std::mutex> lock(m_Mutex, std::defer_lock);
    for (;;)
    {
      Poll(isAnnounced);
      lock.lock();
      m_Announced.wait(lock, isAnnounced);
      seen = m_NumberOfAnnouncements;
      if (m_IsEnding)
      {
        return;
      }
      if (m_Places > 0)
      {
        this->TakePart(lock);
      }
      lock.unlock();
    }
  }

  void
  TakePart(std::unique_lock<std::mutex> & lock)
  {
    const std::function<void()> & work = *m_Work;
    --m_Places;
    ++m_NumberAtWork;
    lock.unlock();
    work();
    lock.lock();
    if (--m_NumberAtWork == 0)
    {
      m_LastLeft.notify_one();
    }
  }

  std::mutex                    m_Mutex;
  std::condition_variable       m_Announced;
  std::condition_variable       m_LastLeft;
  const std::function<void()> * m_Work = nullptr;
  /** The number of threads that may still begin with the work. */
  unsigned int m_Places = 0;
  bool         m_IsEnding = false;
  // These change under the mutex, and are atomic because threads poll them without it.
  std::atomic<std::uint64_t> m_NumberOfAnnouncements{ 0 };
  std::atomic<unsigned int>  m_NumberAtWork{ 0 };
  std::vector<std::thread>   m_Threads;
};

ThreadTeam::ThreadTeam()
  : m_Process(system::GetProcessNumber())
{}

ThreadTeam::~ThreadTeam()
{
  this->LeaveParentProcess();
}

void
ThreadTeam::Run(unsigned int helpers, const std::function<void()> & work)
{
  if (helpers == 0)
  {
    work();
    return;
  }
  this->LeaveParentProcess();
  if (!m_Helpers)
  {
    m_Helpers = std::make_unique<Helpers>();
  }
  m_Helpers->Run(helpers, work);
}

void
ThreadTeam::LeaveParentProcess()
{
  const long process = system::GetProcessNumber();
  if (process != m_Process)
  {
    // To delete them would be to wait for threads that are not there.
    static_cast<void>(m_Helpers.release());
    m_Process = process;
  }
}

} // namespace cudaneuro
