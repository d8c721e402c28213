// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_system_Streams_h
#define files_system_Streams_h

#include <cstddef>
#include <string>

namespace cudaneuro::files
{

/** The standard streams, by the system's own calls. */

/** The file that discards all that is written to it. */
extern const char * const nullDevice;

bool
IsStandardErrorATerminal();

/** Keeps the bytes of standard output: Windows would turn each line end into two characters. */
void
KeepBytesOfStandardOutput();

/** Returns standard error, or its descriptor before the redirection. */
int
DescriptorOfStandardError();

/** Writes to a descriptor, not through a stream. Text that cannot be written is lost. */
void
WriteToDescriptor(int descriptor, const std::string & text);

/** The descriptor of standard error before it was redirected to a pipe, and the reading end of the pipe; -1 if it is
 * not redirected. A full pipe drops further text. */
struct RedirectedErrors
{
  int original = -1;
  int captured = -1;
};

/** Redirects standard error. The descriptors are -1 if there is none left. */
RedirectedErrors
RedirectStandardError();

void
RestoreStandardError(const RedirectedErrors & redirected);

/** Reads from a pipe without waiting; \returns the number of bytes. */
std::size_t
ReadFromPipe(int descriptor, char * bytes, std::size_t count);

} // namespace cudaneuro::files

#endif
