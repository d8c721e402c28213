// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/system/Streams.h"

#if !defined(_WIN32)

#  include <algorithm>
#  include <array>
#  include <cerrno>

#  include <fcntl.h>
#  include <unistd.h>

namespace cudaneuro::files
{

const char * const nullDevice = "/dev/null";

bool
IsStandardErrorATerminal()
{
  return isatty(STDERR_FILENO) != 0;
}

void
KeepBytesOfStandardOutput()
{}

int
DescriptorOfStandardError()
{
  return STDERR_FILENO;
}

void
WriteToDescriptor(int descriptor, const std::string & text)
{
  for (std::size_t done = 0; done < text.size();)
  {
    const ssize_t written = write(descriptor, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR)
    {
      return;
    }
    done += static_cast<std::size_t>(std::max<ssize_t>(written, 0));
  }
}

RedirectedErrors
RedirectStandardError()
{
  RedirectedErrors   redirected{ dup(STDERR_FILENO), -1 };
  const bool         isClosed = redirected.original < 0 && errno == EBADF;
  std::array<int, 2> ends{ -1, -1 };
  if ((redirected.original < 0 && !isClosed) || pipe(ends.data()) != 0)
  {
    close(redirected.original);
    return {};
  }
  for (const int end : ends)
  {
    fcntl(end, F_SETFL, O_NONBLOCK);
    fcntl(end, F_SETFD, FD_CLOEXEC);
  }
  dup2(ends[1], STDERR_FILENO);
  close(ends[1]);
  redirected.captured = ends[0];
  return redirected;
}

void
RestoreStandardError(const RedirectedErrors & redirected)
{
  if (redirected.original >= 0)
  {
    dup2(redirected.original, STDERR_FILENO);
    close(redirected.original);
  }
  else
  {
    close(STDERR_FILENO); // it was closed before
  }
  close(redirected.captured);
}

std::size_t
ReadFromPipe(int descriptor, char * bytes, std::size_t count)
{
  return static_cast<std::size_t>(std::max<ssize_t>(read(descriptor, bytes, count), 0));
}

} // namespace cudaneuro::files

#endif
