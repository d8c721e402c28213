// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_group_Meeting_h
#define cudaneuro_group_Meeting_h

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>

namespace cudaneuro
{

/** Where the threads of a group wait for each other. What one has written before a meeting, all may read after it. */
class Meeting
{
public:
  explicit Meeting(int size)
    : m_Size(size)
  {}

  /** Returns when all threads have called it.
   * \throws Error with the reason of Break, when one of them will not come. */
  void
  Wait();

  /** Says that a thread comes to no further meeting. Those that wait for it, now or later, throw; who is about to return
   * from a meeting that all have reached does not. The first reason stays. */
  void
  Break(const std::string & reason);

  /** Makes meetings possible again. No thread may be in Wait. */
  void
  Reset();

private:
  const int               m_Size;
  std::mutex              m_Mutex;
  std::condition_variable m_Changed;
  int                     m_NumberWaiting = 0;
  std::uint64_t           m_NumberOfMeetings = 0;
  /** Empty while all may come. */
  std::string m_ReasonToBreak;
};

} // namespace cudaneuro

#endif
