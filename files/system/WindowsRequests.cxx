// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/system/Requests.h"

#if defined(_WIN32)

#  include "files/system/Windows.h"

#  include <csignal>
#  include <cstdlib>
#  include <initializer_list>

namespace cudaneuro::files
{

const int numberOfSignals = NSIG;

namespace
{

HANDLE requests = nullptr;
void (*noteRequest)(int) = nullptr;

/** The system calls this in a separate thread. A process whose window is closed, or whose user logs off, ends when it
 * returns, or at the latest some seconds later: until then, the thread that waits for the request cleans up. */
BOOL WINAPI
OnConsoleEvent(DWORD event)
{
  noteRequest(event == CTRL_C_EVENT ? SIGINT : event == CTRL_BREAK_EVENT ? SIGBREAK : SIGTERM);
  ReleaseSemaphore(requests, 1, nullptr);
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
  {
    Sleep(INFINITE);
  }
  return TRUE;
}

/** Handles a signal that the program raises itself. The system resets the handler before each call. */
void
OnSignal(int signal)
{
  std::signal(signal, OnSignal);
  noteRequest(signal);
  ReleaseSemaphore(requests, 1, nullptr);
}

} // namespace

bool
CatchRequests(void (*note)(int signal))
{
  constexpr LONG most = 1 << 20;
  noteRequest = note;
  requests = CreateSemaphoreW(nullptr, 0, most, nullptr);
  if (requests == nullptr || !SetConsoleCtrlHandler(OnConsoleEvent, TRUE))
  {
    return false;
  }
  for (const int signal : { SIGINT, SIGTERM, SIGBREAK })
  {
    std::signal(signal, OnSignal);
  }
  return true;
}

bool
WaitForRequest(int milliseconds)
{
  return WaitForSingleObject(requests, milliseconds < 0 ? INFINITE : static_cast<DWORD>(milliseconds)) == WAIT_OBJECT_0;
}

void
EndProcess(int status)
{
  // Not _Exit: if another thread waits for a full pipe, libraries that are notified of the end would write to it.
  TerminateProcess(GetCurrentProcess(), static_cast<UINT>(status));
  std::abort(); // not reached; for compilers
}

} // namespace cudaneuro::files

#endif
