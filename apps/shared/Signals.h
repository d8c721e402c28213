// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_Signals_h
#define apps_shared_Signals_h

#include <functional>
#include <list>
#include <mutex>
#include <stdexcept>
#include <string>

/** How Ctrl-C and other requests to end stop a program.
 *
 * The first one asks the computation to stop, which the program reports. Where it has not ended within a second, or a
 * second request comes, a thread of its own cleans up and ends it, whatever the other threads are waiting for. Requests
 * are SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGXCPU, SIGUSR1 and SIGUSR2, unless the program was started with them
 * ignored, as by nohup. SIGPIPE and SIGXFSZ are ignored: the write that caused them fails, and is reported. */

/** Installs the handlers. */
void
HandleSignals();

/** The signal that asked the program to end, or 0. */
int
GetPendingSignal();

bool
IsInterrupted();

/** \throws Interrupted when the program was asked to end. */
void
ThrowIfInterrupted();

class Interrupted : public std::runtime_error
{
public:
  Interrupted();
};

/** Prints once that the program was stopped.
 * \return the exit status: 128 and the signal's number */
int
ReportInterruption();

/** Calls a function when a signal ends the program while this object exists, those of later objects first. */
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

/** Keeps signals from ending the program while this object exists, so that a short action is not cut. */
class UninterruptedScope
{
public:
  UninterruptedScope();

private:
  std::lock_guard<std::mutex> m_Lock;
};

/** While this object exists, a program that was asked to end is not ended after a second, but by the next request only:
 * for a computation that ends by itself, with work that must not be cut. The second begins when it is gone. */
class PatientScope
{
public:
  PatientScope();
  ~PatientScope();
  PatientScope(const PatientScope &) = delete;
  PatientScope &
  operator=(const PatientScope &) = delete;
};

/** Makes later reports of a signal say that outputs were written. */
void
NoteOutputIsWritten();

/** Makes later reports of a signal say this text instead; nothing where it is empty, for one of several processes. */
void
SetInterruptionText(const std::string & text);

/** Makes later reports of a signal say the usual again. */
void
ResetInterruptionText();

#endif
