// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/ThreadTeam.h"

#include "core/Threads.h"

namespace cudaneuro
{

ThreadTeam::ThreadTeam(unsigned int numberOfThreads)
  : m_Threads(StartThreads(numberOfThreads > 1 ? numberOfThreads - 1 : 0, [this](unsigned int) { this->RunLoops(); }))
{}

ThreadTeam::~ThreadTeam()
{
  m_IsEnding = true;
  this->Announce();
  JoinThreads(m_Threads);
}

void
ThreadTeam::ParallelFor(std::int64_t count, const std::function<void(std::int64_t)> & body)
{
  m_Body = &body;
  m_Count = count;
  m_Next = 0;
  m_NumberAtWork = m_Threads.size();
  this->Announce();
  this->TakePart();
  // Each thread reports, even one that came too late for work: only then may the body and the next loop's counter
  // change.
  while (m_NumberAtWork != 0)
  {
    std::this_thread::yield();
  }
}

void
ThreadTeam::RunLoops()
{
  for (std::uint64_t seen = 0; this->WaitForLoop(seen); ++seen)
  {
    this->TakePart();
    --m_NumberAtWork;
  }
}

bool
ThreadTeam::WaitForLoop(std::uint64_t seen)
{
  constexpr int numberOfLooks = 500;
  for (int look = 0; look < numberOfLooks && m_NumberOfLoops == seen; ++look)
  {
    std::this_thread::yield();
  }
  if (m_NumberOfLoops == seen)
  {
    std::unique_lock<std::mutex> lock(m_Mutex);
    m_Announced.wait(lock, [this, seen] { return m_NumberOfLoops != seen; });
  }
  return !m_IsEnding;
}

void
ThreadTeam::TakePart()
{
  for (std::int64_t i = m_Next++; i < m_Count; i = m_Next++)
  {
    (*m_Body)(i);
  }
}

void
ThreadTeam::Announce()
{
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    ++m_NumberOfLoops;
  }
  m_Announced.notify_all();
}

} // namespace cudaneuro
