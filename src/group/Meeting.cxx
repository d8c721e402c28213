// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "group/Meeting.h"

#include "cudaneuro/Error.h"

namespace cudaneuro
{

void
Meeting::Wait()
{
  std::unique_lock<std::mutex> lock(m_Mutex);
  const std::uint64_t          thisMeeting = m_NumberOfMeetings;
  if (m_ReasonToBreak.empty() && ++m_NumberWaiting == m_Size)
  {
    m_NumberWaiting = 0;
    ++m_NumberOfMeetings;
    m_Changed.notify_all();
    return;
  }
  m_Changed.wait(lock, [&] { return m_NumberOfMeetings != thisMeeting || !m_ReasonToBreak.empty(); });
  if (m_NumberOfMeetings == thisMeeting)
  {
    throw Error("Sum over devices", m_ReasonToBreak);
  }
}

void
Meeting::Break(const std::string & reason)
{
  const std::lock_guard<std::mutex> lock(m_Mutex);
  if (m_ReasonToBreak.empty())
  {
    m_ReasonToBreak = reason;
  }
  m_Changed.notify_all();
}

void
Meeting::Reset()
{
  const std::lock_guard<std::mutex> lock(m_Mutex);
  m_NumberWaiting = 0;
  m_ReasonToBreak.clear();
}

} // namespace cudaneuro
