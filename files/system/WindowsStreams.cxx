// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/system/Streams.h"

#if defined(_WIN32)

#  include "files/system/Windows.h"

#  include <algorithm>
#  include <cstdio>

#  include <fcntl.h>
#  include <io.h>

namespace cudaneuro::files
{

const char * const nullDevice = "NUL";

namespace
{

constexpr int standardError = 2;

} // namespace

bool
IsStandardErrorATerminal()
{
  return _isatty(standardError) != 0;
}

void
KeepBytesOfStandardOutput()
{
  _setmode(_fileno(stdout), _O_BINARY);
}

int
DescriptorOfStandardError()
{
  return standardError;
}

void
WriteToDescriptor(int descriptor, const std::string & text)
{
  // The console accepts at most some tens of thousands of bytes at once.
  constexpr std::size_t most = 16384;
  for (std::size_t done = 0; done < text.size();)
  {
    const auto count = static_cast<unsigned int>(std::min(most, text.size() - done));
    const int  written = _write(descriptor, text.data() + done, count);
    if (written <= 0)
    {
      return;
    }
    done += static_cast<std::size_t>(written);
  }
}

RedirectedErrors
RedirectStandardError()
{
  constexpr unsigned int roomOfPipe = 1 << 20;
  RedirectedErrors       redirected{ _dup(standardError), -1 };
  int                    ends[2] = { -1, -1 };
  if (redirected.original < 0 || _pipe(ends, roomOfPipe, _O_BINARY | _O_NOINHERIT) != 0)
  {
    if (redirected.original >= 0)
    {
      _close(redirected.original);
    }
    return {};
  }
  // A writer to a full pipe would wait for a reader that waits for the writer.
  DWORD mode = PIPE_NOWAIT;
  SetNamedPipeHandleState(reinterpret_cast<HANDLE>(_get_osfhandle(ends[1])), &mode, nullptr, nullptr);
  _dup2(ends[1], standardError);
  _close(ends[1]);
  redirected.captured = ends[0];
  return redirected;
}

void
RestoreStandardError(const RedirectedErrors & redirected)
{
  _dup2(redirected.original, standardError);
  _close(redirected.original);
  _close(redirected.captured);
}

std::size_t
ReadFromPipe(int descriptor, char * bytes, std::size_t count)
{
  DWORD      there = 0;
  const auto handle = reinterpret_cast<HANDLE>(_get_osfhandle(descriptor));
  if (!PeekNamedPipe(handle, nullptr, 0, nullptr, &there, nullptr) || there == 0)
  {
    return 0;
  }
  const auto wanted = static_cast<unsigned int>(std::min<std::size_t>(there, count));
  return static_cast<std::size_t>(std::max(_read(descriptor, bytes, wanted), 0));
}

} // namespace cudaneuro::files

#endif
