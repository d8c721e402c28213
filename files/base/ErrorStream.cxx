// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/ErrorStream.h"

#include "files/system/Streams.h"

#include <array>
#include <cstdio>
#include <iostream>
#include <mutex>

namespace cudaneuro::files
{

namespace
{

/** The state of the redirection of standard error to a pipe. */
struct Redirection
{
  std::mutex       mutex;
  int              users = 0;
  RedirectedErrors streams;
};

Redirection &
GetRedirection()
{
  static Redirection redirection;
  return redirection;
}

int
DescriptorFor(const RedirectedErrors & streams)
{
  return streams.captured < 0 ? DescriptorOfStandardError() : streams.original;
}

} // namespace

void
WriteErrorText(const std::string & text)
{
  Redirection &                     redirection = GetRedirection();
  const std::lock_guard<std::mutex> lock(redirection.mutex);
  std::fflush(stderr);
  // A system call, because MetaIO flushes all streams of the process, which would write dprintf's buffer, which has no
  // lock, twice.
  WriteToDescriptor(DescriptorFor(redirection.streams), text);
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
  std::fflush(stderr);
  redirection.streams = RedirectStandardError();
}

ErrorStreamCapture::~ErrorStreamCapture()
{
  Redirection &                     redirection = GetRedirection();
  const std::lock_guard<std::mutex> lock(redirection.mutex);
  if (--redirection.users > 0 || redirection.streams.captured < 0)
  {
    return;
  }
  std::fflush(stderr);
  RestoreStandardError(redirection.streams);
  redirection.streams = {};
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
  const int              captured = redirection.streams.captured;
  for (std::size_t got = 0; captured >= 0 && (got = ReadFromPipe(captured, block.data(), block.size())) > 0;)
  {
    text.append(block.data(), got);
  }
  return text;
}

} // namespace cudaneuro::files
