// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/ThreadPool.h"

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

/** Threads that help one caller at a time. */
class Team
{
public:
  void
  Run(unsigned int helpers, const std::function<void()> & work)
  {
    this->Announce(helpers, work);
    work();
    this->WaitForHelpers();
  }

private:
  void
  Announce(unsigned int helpers, const std::function<void()> & work)
  {
    {
      const std::lock_guard<std::mutex> lock(m_Mutex);
      m_Work = &work;
      m_Places = helpers;
      ++m_NumberOfAnnouncements;
    }
    m_Announced.notify_all();
    if (m_Threads.size() < helpers)
    {
      StartThreads(m_Threads, helpers, [this](unsigned int) { this->Help(); });
    }
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
  }

  /** What a thread does until the process ends. */
  [[noreturn]] void
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
  // These change under the mutex, and are atomic because threads poll them without it.
  std::atomic<std::uint64_t> m_NumberOfAnnouncements{ 0 };
  std::atomic<unsigned int>  m_NumberAtWork{ 0 };
  std::vector<std::thread>   m_Threads;
};

/** The teams of a process that help nobody at the moment. */
class Pool
{
public:
  explicit Pool(long process)
    : m_Process(process)
  {}

  long
  GetProcess() const
  {
    return m_Process;
  }

  Team *
  Take()
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    if (m_Idle.empty())
    {
      return new Team;
    }
    Team * const team = m_Idle.back();
    m_Idle.pop_back();
    return team;
  }

  void
  Return(Team * team)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_Idle.push_back(team);
  }

private:
  const long          m_Process;
  std::mutex          m_Mutex;
  std::vector<Team *> m_Idle;
};

/** Returns the pool of this process. It is never deleted, because its threads wait in it until the process ends; nor is
 * that of a parent process, whose threads are not there. */
Pool &
GetPool()
{
  static std::atomic<Pool *> pool{ nullptr };
  const long                 process = system::GetProcessNumber();
  Pool *                     current = pool;
  if (current == nullptr || current->GetProcess() != process)
  {
    Pool * const made = new Pool(process);
    if (pool.compare_exchange_strong(current, made))
    {
      return *made;
    }
    delete made; // Another thread was faster: current is its pool.
  }
  return *current;
}

} // namespace

void
RunOnThreads(unsigned int helpers, const std::function<void()> & work)
{
  if (helpers == 0)
  {
    work();
    return;
  }
  Pool &       pool = GetPool();
  Team * const team = pool.Take();
  team->Run(helpers, work);
  pool.Return(team);
}

} // namespace cudaneuro
