// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_system_Requests_h
#define files_system_Requests_h

namespace cudaneuro::files
{

/** Requests that a program end: signals, and what the console of Windows sends. */

/** Has \p note called with the number of each request's signal, from a handler, which can do little. Requests that the
 * program was started to ignore, as by nohup, are left ignored. Writing to what nobody reads, and to what has grown too
 * large, fails from now on instead of ending the program.
 * \returns false where the system has no means left for that */
bool
CatchRequests(void (*note)(int signal));

/** Whether a request came before a time limit in milliseconds; -1 is none. One thread may ask. */
bool
WaitForRequest(int milliseconds);

/** Ends the program at once, whatever its other threads wait for. What standard output has not written yet is lost. */
[[noreturn]] void
EndProcess(int status);

/** More than the largest number of a signal. */
extern const int numberOfSignals;

} // namespace cudaneuro::files

#endif
