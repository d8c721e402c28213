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

/** A barrier for the threads of a group, which ends with an error where one of them fails. What one thread has
 * written before it, all may read after it. */
class BreakableBarrier
{
public:
  explicit BreakableBarrier(int size)
    : m_Size(size)
  {}

  /** Returns when all threads have called it.
   * \throws Error with the reason of Break, when one of them will not come. */
  void
  Wait();

  /** The same, and the last thread to come calls \p work while the others wait: that saves a second barrier for what
   * one thread does for all. What it throws leaves that thread, and is a Break for the others. It must not use the
   * barrier. */
  void
  Wait(const std::function<void()> & work);

  /** Breaks the barrier: the calling thread will not come again. Threads that wait for it, now or later, throw; one
   * that is about to return from a round that all have reached does not. The first reason stays. */
  void
  Break(const std::string & reason);

  /** Mends a barrier that was broken. No thread may be in Wait. */
  void
  Reset();

private:
  /** Does what the last thread to come does, with the lock held. */
  void
  End(const std::function<void()> & work);

  const int               m_Size;
  std::mutex              m_Mutex;
  std::condition_variable m_Changed;
  int                     m_NumberWaiting = 0;
  std::uint64_t           m_NumberOfRounds = 0;
  /** Empty while all may come. */
  std::string m_ReasonToBreak;
};

} // namespace cudaneuro

#endif
