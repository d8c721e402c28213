// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/ErrorStream.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <mutex>

#include <fcntl.h>
#include <unistd.h>

namespace cudaneuro::files
{

namespace
{

/** The state of the redirection of standard error to a pipe. */
struct Redirection
{
  std::mutex mutex;
  int        users = 0;
  // The real standard error, and the reading end of the pipe; -1 where nothing is redirected. A full pipe drops what is
  // written.
  int original = -1;
  int captured = -1;
};

Redirection &
GetRedirection()
{
  static Redirection redirection;
  return redirection;
}

/** By the system's call: MetaIO flushes all streams of the process, and the buffer of dprintf, which has no lock, is
 * then written twice. What cannot be written is lost. */
void
WriteAll(int descriptor, const std::string & text)
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

} // namespace

void
WriteErrorText(const std::string & text)
{
  Redirection &                     redirection = GetRedirection();
  const std::lock_guard<std::mutex> lock(redirection.mutex);
  std::fflush(stderr);
  WriteAll(redirection.captured < 0 ? STDERR_FILENO : redirection.original, text);
}

void
WriteErrorLine(const std::string & line)
{
  WriteErrorText(line + '\n');
}

ErrorStreamCapture::ErrorStreamCapture()
{
  Redirection &                     redirection = GetRedirection();
  const std::lock_guard<std::mutex> lock(redirection.mutex);
  if (redirection.users++ > 0)
  {
    return;
  }
  // Without a descriptor for each, nothing is redirected.
  std::fflush(stderr);
  redirection.original = dup(STDERR_FILENO);
  const bool         isClosed = redirection.original < 0 && errno == EBADF;
  std::array<int, 2> ends{ -1, -1 };
  if ((redirection.original < 0 && !isClosed) || pipe(ends.data()) != 0)
  {
    close(redirection.original);
    redirection.original = -1;
    return;
  }
  for (const int end : ends)
  {
    fcntl(end, F_SETFL, O_NONBLOCK);
    fcntl(end, F_SETFD, FD_CLOEXEC);
  }
  dup2(ends[1], STDERR_FILENO);
  close(ends[1]);
  redirection.captured = ends[0];
}

ErrorStreamCapture::~ErrorStreamCapture()
{
  Redirection &                     redirection = GetRedirection();
  const std::lock_guard<std::mutex> lock(redirection.mutex);
  if (--redirection.users > 0 || redirection.captured < 0)
  {
    return;
  }
  std::fflush(stderr);
  if (redirection.original >= 0)
  {
    dup2(redirection.original, STDERR_FILENO);
    close(redirection.original);
  }
  else
  {
    close(STDERR_FILENO); // It was closed before.
  }
  close(redirection.captured);
  redirection.original = -1;
  redirection.captured = -1;
  // A full pipe is an error of the stream.
  std::cerr.clear();
}

std::string
ErrorStreamCapture::TakeText() const
{
  Redirection &                     redirection = GetRedirection();
  const std::lock_guard<std::mutex> lock(redirection.mutex);
  std::fflush(stderr);
  std::string            text;
  std::array<char, 4096> block{};
  for (ssize_t got = 0;
       redirection.captured >= 0 && (got = read(redirection.captured, block.data(), block.size())) > 0;)
  {
    text.append(block.data(), static_cast<std::size_t>(got));
  }
  return text;
}

} // namespace cudaneuro::files
