// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_ThreadTeam_h
#define cudaneuro_core_ThreadTeam_h

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cudaneuro
{

/** Threads that run loops one after the other, for loops so short that Context::ParallelFor would take longer to
 * start threads than to run the loop. Between loops the threads poll for some hundred microseconds.
 *
 * One object serves one calling thread, which works in the team, too. */
class ThreadTeam
{
public:
  /** If the system grants fewer threads, the team is smaller. */
  explicit ThreadTeam(unsigned int numberOfThreads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam &) = delete;
  ThreadTeam &
  operator=(const ThreadTeam &) = delete;

  /** Calls body(i) for i in [0, count), in no particular order. The body must not throw. */
  void
  ParallelFor(std::int64_t count, const std::function<void(std::int64_t)> & body);

private:
  void
  RunLoops();
  /** Waits for a loop. \returns whether there is one after the \p seen loops, or else the team ends */
  bool
  WaitForLoop(std::uint64_t seen);
  void
  TakePart();
  /** Announces the loop that was set up, or the end, to the threads. */
  void
  Announce();

  const std::function<void(std::int64_t)> * m_Body = nullptr;
  std::int64_t                              m_Count = 0;
  std::atomic<std::int64_t>                 m_Next{ 0 };
  /** The number of threads that have not reached the end of the loop yet. */
  std::atomic<std::size_t>   m_NumberAtWork{ 0 };
  std::atomic<std::uint64_t> m_NumberOfLoops{ 0 };
  std::atomic<bool>          m_IsEnding{ false };
  std::mutex                 m_Mutex;
  std::condition_variable    m_Announced;
  std::vector<std::thread>   m_Threads;
};

} // namespace cudaneuro

#endif
