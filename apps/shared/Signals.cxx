// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/Signals.h"

#include "files/system/Requests.h"
#include "shared/Messages.h"

#include <atomic>
#include <csignal>
#include <mutex>
#include <optional>
#include <thread>

namespace
{

std::atomic<int>  pendingSignal{ 0 };
std::atomic<bool> isInterruptionReported{ false };
std::atomic<int>  numberOfPatientScopes{ 0 };

/** The text for reports of a signal, if it is not the usual one. */
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
  cudaneuro::files::EndProcess(ReportInterruption());
}

void
NoteSignal(int signal)
{
  int none = 0;
  pendingSignal.compare_exchange_strong(none, signal);
  Interrupt();
}

/** Waits for the first request, and ends the program a second later, or at the next request. */
void
EndAfterRequest()
{
  using cudaneuro::files::WaitForRequest;
  constexpr int graceMilliseconds = 1000;
  constexpr int sliceMilliseconds = 50;
  WaitForRequest(-1);
  int waited = 0;
  while (waited < graceMilliseconds && !WaitForRequest(sliceMilliseconds))
  {
    waited += numberOfPatientScopes > 0 ? 0 : sliceMilliseconds;
  }
  EndNow();
}

} // namespace

void
HandleSignals()
{
  if (!cudaneuro::files::CatchRequests(NoteSignal))
  {
    throw UserError("no pipe can be made: too many files are open");
  }
  std::thread(EndAfterRequest).detach();
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
