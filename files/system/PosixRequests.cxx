// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/system/Requests.h"

#if !defined(_WIN32)

#  include <cerrno>
#  include <csignal>
#  include <cstdlib>
#  include <initializer_list>

#  include <fcntl.h>
#  include <poll.h>
#  include <unistd.h>

namespace cudaneuro::files
{

const int numberOfSignals = NSIG;

namespace
{

/** A handler can do little more than write to a pipe. */
int requestPipe[2] = { -1, -1 };
void (*noteRequest)(int) = nullptr;

void
OnSignal(int signal)
{
  const int errorNumber = errno;
  noteRequest(signal);
  const char                  byte = 0;
  [[maybe_unused]] const auto written = write(requestPipe[1], &byte, 1);
  errno = errorNumber;
}

/** The handler. It is installed without SA_RESTART, so that a waiting call of the interrupted thread fails at once. */
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

} // namespace

bool
CatchRequests(void (*note)(int signal))
{
  noteRequest = note;
  if (pipe(requestPipe) != 0)
  {
    return false;
  }
  fcntl(requestPipe[0], F_SETFD, FD_CLOEXEC);
  fcntl(requestPipe[1], F_SETFD, FD_CLOEXEC);
  for (const int signal : { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2 })
  {
    Handle(signal);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  return true;
}

bool
WaitForRequest(int milliseconds)
{
  for (;;)
  {
    pollfd    waiting{ requestPipe[0], POLLIN, 0 };
    const int count = poll(&waiting, 1, milliseconds);
    if (count == 0)
    {
      return false;
    }
    char byte = 0;
    if (count > 0 && read(requestPipe[0], &byte, 1) == 1)
    {
      return true;
    }
  }
}

void
EndProcess(int status)
{
  std::_Exit(status);
}

} // namespace cudaneuro::files

#endif
