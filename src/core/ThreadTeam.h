// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_ThreadTeam_h
#define cudaneuro_core_ThreadTeam_h

#include <functional>
#include <memory>

namespace cudaneuro
{

/** Threads that help with one loop after the other, because starting threads takes longer than many loops do. They
 * start when they are first needed. Between loops they poll for some hundred microseconds, and then sleep.
 *
 * Nobody waits for a thread that wakes up when the loop is over already: on a busy machine, a loop takes no longer than
 * it would without helpers. A process that was forked has none of its parent's threads, and starts its own. */
class ThreadTeam
{
public:
  ThreadTeam();
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam &) = delete;
  ThreadTeam &
  operator=(const ThreadTeam &) = delete;

  /** Calls work() on this thread and, at the same time, on up to \p helpers others, and returns when all these calls
   * have returned. They divide what is to be done among themselves, because helpers may come late, or never. A call from
   * inside work() runs on its own thread alone. The work must not throw. */
  void
  Run(unsigned int helpers, const std::function<void()> & work);

private:
  class Helpers;

  /** Gives up helpers that are threads of the parent process. */
  void
  LeaveParentProcess();

  std::unique_ptr<Helpers> m_Helpers;
  long                     m_Process;
};

} // namespace cudaneuro

#endif
