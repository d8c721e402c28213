// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/ThreadPool.h"

#include "core/Threads.h"
#include "system/Environment.h"

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <condition_variable>
#include <cstddef>
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
  std::size_t
  NumberOfThreads() const
  {
    return m_Threads.size();
  }

  void
  Run(unsigned int helpers, const std::function<void()> & work)
  {
    if (m_Threads.size() < helpers)
    {
      StartThreads(m_Threads, helpers, [this](unsigned int) { this->Help(); });
    }
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
      std::fegetenv(&m_FloatingPointMode);
      m_Work = &work;
      m_Places = helpers;
      ++m_NumberOfAnnouncements;
    }
    for (unsigned int i = 0; i < helpers; ++i)
    {
      m_Announced.notify_one();
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
      lock.lock();
      m_Announced.wait(lock, [&] { return m_Places > 0 && isAnnounced(); });
      seen = m_NumberOfAnnouncements;
      this->TakePart(lock);
      lock.unlock();
      Poll(isAnnounced);
    }
  }

  /** Works as the caller's thread does: numbers too small for normal ones become 0 on both, or on none. */
  void
  TakePart(std::unique_lock<std::mutex> & lock)
  {
    const std::function<void()> & work = *m_Work;
    std::fesetenv(&m_FloatingPointMode);
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
  std::fenv_t                   m_FloatingPointMode{};
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

  /** Returns the smallest idle team with this number of threads, or else the largest, which then grows: teams of many
   * callers at a time, which have few helpers each, do not all grow when one caller needs many. */
  Team *
  Take(unsigned int helpers)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    if (m_Idle.empty())
    {
      return new Team;
    }
    const auto isSmaller = [](const Team * a, const Team * b) { return a->NumberOfThreads() < b->NumberOfThreads(); };
    std::sort(m_Idle.begin(), m_Idle.end(), isSmaller);
    auto taken =
      std::find_if(m_Idle.begin(), m_Idle.end(), [&](const Team * team) { return team->NumberOfThreads() >= helpers; });
    taken = taken == m_Idle.end() ? taken - 1 : taken;
    Team * const team = *taken;
    m_Idle.erase(taken);
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
  Team * const team = pool.Take(helpers);
  team->Run(helpers, work);
  pool.Return(team);
}

} // namespace cudaneuro
