// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_system_Streams_h
#define files_system_Streams_h

#include <cstddef>
#include <string>

namespace cudaneuro::files
{

/** The standard streams, by the system's own calls. */

/** A file that takes all that is written to it. */
extern const char * const nullDevice;

bool
IsStandardErrorATerminal();

/** What is written to standard output is not changed on its way: Windows would make two characters of each end of a
 * line. */
void
KeepBytesOfStandardOutput();

/** Standard error, or where it went before it was redirected. */
int
DescriptorOfStandardError();

/** Writes to a descriptor, not through a stream. What cannot be written is lost. */
void
WriteToDescriptor(int descriptor, const std::string & text);

/** Where standard error went before it was redirected to a pipe, and the reading end of that; -1 where nothing is
 * redirected. A full pipe drops what is written. */
struct RedirectedErrors
{
  int original = -1;
  int captured = -1;
};

/** Redirects standard error, or returns nothing where there is no descriptor for that. */
RedirectedErrors
RedirectStandardError();

void
RestoreStandardError(const RedirectedErrors & redirected);

/** Reads what has been written to a pipe, without waiting; \returns the number of bytes. */
std::size_t
ReadFromPipe(int descriptor, char * bytes, std::size_t count);

} // namespace cudaneuro::files

#endif
