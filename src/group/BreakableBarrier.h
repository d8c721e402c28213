// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_group_BreakableBarrier_h
#define cudaneuro_group_BreakableBarrier_h

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

namespace cudaneuro
{

/** A barrier for the threads of a group, which ends with an error if one of them fails. Writes of one thread before the
 * barrier are visible to all threads after it. */
class BreakableBarrier
{
public:
  explicit BreakableBarrier(int size)
    : m_Size(size)
  {}

  /** Returns when all threads have called it.
   * \throws Error with the reason of Break, if one of them will not arrive. */
  void
  Wait();

  /** Does the same, and the last thread to arrive calls \p work while the others wait, which saves a second barrier for
   * work that one thread does for all. An exception of \p work is thrown in that thread, and a Break for the others.
   * \p work must not use the barrier. */
  void
  Wait(const std::function<void()> & work);

  /** Breaks the barrier: the calling thread will not arrive again. Threads that wait for it, now or later, throw; a
   * thread that is about to return from a round that all have reached does not. The first reason is kept. */
  void
  Break(const std::string & reason);

  /** Repairs a broken barrier. No thread may be in Wait. */
  void
  Reset();

private:
  /** Does the work of the last thread to arrive, with the lock held. */
  void
  End(const std::function<void()> & work);

  const int               m_Size;
  std::mutex              m_Mutex;
  std::condition_variable m_Changed;
  int                     m_NumberWaiting = 0;
  std::uint64_t           m_NumberOfRounds = 0;
  /** Empty unless the barrier is broken. */
  std::string m_ReasonToBreak;
};

} // namespace cudaneuro

#endif
