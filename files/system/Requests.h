// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_system_Requests_h
#define files_system_Requests_h

namespace cudaneuro::files
{

/** Requests to end a program: signals, and events of the Windows console. */

/** Makes a handler, which can do little, call \p note with the number of each request's signal. Requests that were
 * ignored at the start, as with nohup, stay ignored. From now on, writing to a closed pipe, or beyond the limit of a
 * file's size, fails instead of ending the program.
 * \returns false if the system has no resources left */
bool
CatchRequests(void (*note)(int signal));

/** Returns whether a request came within a number of milliseconds; -1 waits without limit. One thread may call it. */
bool
WaitForRequest(int milliseconds);

/** Ends the program at once, even if other threads are waiting. The unwritten rest of standard output is lost. */
[[noreturn]] void
EndProcess(int status);

/** A number above all numbers of signals. */
extern const int numberOfSignals;

} // namespace cudaneuro::files

#endif
