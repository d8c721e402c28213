// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/Signals.h"

#include "shared/Messages.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>

#ifndef _WIN32
#  include <fcntl.h>
#  include <poll.h>
#  include <unistd.h>
#endif

namespace
{

std::atomic<int>  pendingSignal{ 0 };
std::atomic<bool> isInterruptionReported{ false };
std::atomic<int>  numberOfPatientScopes{ 0 };

/** What a report of a signal says, where it is not the usual. */
struct InterruptionText
{
  std::mutex                 mutex;
  std::optional<std::string> text;
};

/** Never destroyed: the thread that ends the program may outlive static objects. */
InterruptionText &
TextOfInterruption()
{
  static auto * const text = new InterruptionText;
  return *text;
}

[[noreturn]] void
EndNow()
{
  CleanUpAtEnd();
  std::_Exit(ReportInterruption());
}

#ifdef _WIN32

// Windows calls it in a thread of its own.
void
OnSignal(int signal)
{
  pendingSignal = signal;
  Interrupt();
  EndNow();
}

void
Handle(int signal)
{
  std::signal(signal, OnSignal);
}

void
StartWatching()
{}

#else

/** A handler can do little more than write to a pipe. */
int signalPipe[2] = { -1, -1 };

void
OnSignal(int signal)
{
  const int errorNumber = errno;
  int       none = 0;
  pendingSignal.compare_exchange_strong(none, signal);
  Interrupt();
  const char                  byte = 0;
  [[maybe_unused]] const auto written = write(signalPipe[1], &byte, 1);
  errno = errorNumber;
}

/** Without SA_RESTART, so that a waiting call of a thread that takes the signal fails at once. */
void
Handle(int signal)
{
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  if (action.sa_handler != SIG_IGN)
  {
    action = {};
    action.sa_handler = OnSignal;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

/** Whether a signal came before a time limit in milliseconds; -1 is none. */
bool
WaitForSignal(int milliseconds)
{
  for (;;)
  {
    pollfd    waiting{ signalPipe[0], POLLIN, 0 };
    const int count = poll(&waiting, 1, milliseconds);
    if (count == 0)
    {
      return false;
    }
    char byte = 0;
    if (count > 0 && read(signalPipe[0], &byte, 1) == 1)
    {
      return true;
    }
  }
}

void
StartWatching()
{
  if (pipe(signalPipe) != 0)
  {
    throw UserError("no pipe can be made: too many files are open");
  }
  fcntl(signalPipe[0], F_SETFD, FD_CLOEXEC);
  fcntl(signalPipe[1], F_SETFD, FD_CLOEXEC);
  std::thread([] {
    constexpr int graceMilliseconds = 1000;
    constexpr int sliceMilliseconds = 50;
    WaitForSignal(-1);
    int waited = 0;
    while (waited < graceMilliseconds && !WaitForSignal(sliceMilliseconds))
    {
      waited += numberOfPatientScopes > 0 ? 0 : sliceMilliseconds;
    }
    EndNow();
  }).detach();
}

#endif

} // namespace

void
HandleSignals()
{
  StartWatching();
  Handle(SIGINT);
  Handle(SIGTERM);
#ifndef _WIN32
  for (const int signal : { SIGHUP, SIGQUIT, SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2 })
  {
    Handle(signal);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
#endif
}

int
GetPendingSignal()
{
  return pendingSignal;
}

int
ReportInterruption()
{
  if (!isInterruptionReported.exchange(true))
  {
    InterruptionText &                own = TextOfInterruption();
    const std::lock_guard<std::mutex> lock(own.mutex);
    const std::string                 text =
      own.text.value_or(IsOutputWritten() ? "stopped after outputs were written" : "stopped; no output was written");
    if (!text.empty())
    {
      PrintMessage("", text);
    }
  }
  return 128 + (pendingSignal != 0 ? pendingSignal.load() : SIGINT);
}

PatientScope::PatientScope()
{
  ++numberOfPatientScopes;
}

PatientScope::~PatientScope()
{
  --numberOfPatientScopes;
}

void
SetInterruptionText(const std::string & text)
{
  InterruptionText &                own = TextOfInterruption();
  const std::lock_guard<std::mutex> lock(own.mutex);
  own.text = text;
}

void
ResetInterruptionText()
{
  InterruptionText &                own = TextOfInterruption();
  const std::lock_guard<std::mutex> lock(own.mutex);
  own.text.reset();
}
