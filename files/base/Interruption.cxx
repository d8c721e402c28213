// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/Interruption.h"

#include <atomic>

namespace cudaneuro::files
{

namespace
{

std::atomic<bool> isInterrupted{ false };
std::atomic<bool> isOutputWritten{ false };

/** Locked while a folder is registered or removed, while outputs are moved to their places, and forever after
 * CleanUpAtEnd. */
std::mutex &
EndMutex()
{
  static auto * const mutex = new std::mutex;
  return *mutex;
}

/** Never destroyed: the thread that ends the program may outlive static objects. */
std::list<std::function<void()>> &
CleanUps()
{
  static auto * const cleanUps = new std::list<std::function<void()>>;
  return *cleanUps;
}

} // namespace

void
Interrupt()
{
  isInterrupted = true;
}

bool
IsInterrupted()
{
  return isInterrupted;
}

Interrupted::Interrupted()
  : std::runtime_error("interrupted")
{}

void
ThrowIfInterrupted()
{
  if (IsInterrupted())
  {
    throw Interrupted();
  }
}

CleanUpScope::CleanUpScope(const std::function<void()> & cleanUp)
{
  const std::lock_guard<std::mutex> lock(EndMutex());
  m_CleanUp = CleanUps().insert(CleanUps().begin(), cleanUp);
}

CleanUpScope::~CleanUpScope()
{
  const std::lock_guard<std::mutex> lock(EndMutex());
  CleanUps().erase(m_CleanUp);
}

UninterruptedScope::UninterruptedScope()
  : m_Lock(EndMutex())
{}

void
CleanUpAtEnd()
{
  EndMutex().lock();
  for (const std::function<void()> & cleanUp : CleanUps())
  {
    cleanUp();
  }
}

void
NoteOutputIsWritten()
{
  isOutputWritten = true;
}

bool
IsOutputWritten()
{
  return isOutputWritten;
}

} // namespace cudaneuro::files
