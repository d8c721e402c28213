// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_base_Interruption_h
#define files_base_Interruption_h

#include <functional>
#include <list>
#include <mutex>
#include <stdexcept>

namespace cudaneuro::files
{

/** Handles files when a program is asked to end: reading and writing stop by an exception, or, if the program cannot
 * wait for that, its unfinished files are removed. */

/** Asks all reading and writing to stop. A signal handler may call it. */
void
Interrupt();

bool
IsInterrupted();

class Interrupted : public std::runtime_error
{
public:
  Interrupted();
};

/** \throws Interrupted after Interrupt was called */
void
ThrowIfInterrupted();

/** Registers a function for CleanUpAtEnd while this object exists. Functions of later objects are called first. */
class CleanUpScope
{
public:
  explicit CleanUpScope(const std::function<void()> & cleanUp);
  ~CleanUpScope();
  CleanUpScope(const CleanUpScope &) = delete;
  CleanUpScope &
  operator=(const CleanUpScope &) = delete;

private:
  std::list<std::function<void()>>::iterator m_CleanUp;
};

/** CleanUpAtEnd waits while this object exists, so that a short action is completed. */
class UninterruptedScope
{
public:
  UninterruptedScope();

private:
  std::lock_guard<std::mutex> m_Lock;
};

/** Calls the functions of all CleanUpScope, for a program that ends at once. Later scopes of either kind wait
 * forever. */
void
CleanUpAtEnd();

/** Records that an output was moved to its place. */
void
NoteOutputIsWritten();

bool
IsOutputWritten();

} // namespace cudaneuro::files

#endif
