// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "group/BreakableBarrier.h"

#include "cudaneuro/Error.h"

namespace cudaneuro
{

void
BreakableBarrier::Wait()
{
  this->Wait([] {});
}

void
BreakableBarrier::Wait(const std::function<void()> & work)
{
  std::unique_lock<std::mutex> lock(m_Mutex);
  const std::uint64_t          thisRound = m_NumberOfRounds;
  if (m_ReasonToBreak.empty() && ++m_NumberWaiting == m_Size)
  {
    this->End(work);
    return;
  }
  m_Changed.wait(lock, [&] { return m_NumberOfRounds != thisRound || !m_ReasonToBreak.empty(); });
  if (m_NumberOfRounds == thisRound)
  {
    throw Error("Sum over devices", m_ReasonToBreak);
  }
}

void
BreakableBarrier::End(const std::function<void()> & work)
{
  try
  {
    work();
    m_NumberWaiting = 0;
    ++m_NumberOfRounds;
    m_Changed.notify_all();
  }
  catch (...)
  {
    m_ReasonToBreak = "another device has failed";
    m_Changed.notify_all();
    throw;
  }
}

void
BreakableBarrier::Break(const std::string & reason)
{
  const std::lock_guard<std::mutex> lock(m_Mutex);
  if (m_ReasonToBreak.empty())
  {
    m_ReasonToBreak = reason;
  }
  m_Changed.notify_all();
}

void
BreakableBarrier::Reset()
{
  const std::lock_guard<std::mutex> lock(m_Mutex);
  m_NumberWaiting = 0;
  m_ReasonToBreak.clear();
}

} // namespace cudaneuro
