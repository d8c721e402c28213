// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_Signals_h
#define apps_shared_Signals_h

#include "files/base/Interruption.h"
#include "shared/Files.h"

#include <string>

/** Stops a program at Ctrl-C and other requests to end.
 *
 * The first request asks the computation to stop, and the program reports that. If it has not ended within a second, or
 * a second request comes, a separate thread cleans up and ends it, even if other threads are waiting. Requests
 * are SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGXCPU, SIGUSR1 and SIGUSR2, unless they were ignored at the start,
 * as with nohup. SIGPIPE and SIGXFSZ are ignored: the write that caused them fails, and is reported. */

/** Installs the handlers. */
void
HandleSignals();

/** Returns the signal that asked the program to end, or 0. */
int
GetPendingSignal();

/** Prints once that the program was stopped.
 * \return the exit status: 128 + the signal's number */
int
ReportInterruption();

/** While this object exists, only a further request ends a program that was asked to end, and not the wait of a second,
 * which begins with the destructor. It is for a computation that ends by itself, with work that must be completed. */
class PatientScope
{
public:
  PatientScope();
  ~PatientScope();
  PatientScope(const PatientScope &) = delete;
  PatientScope &
  operator=(const PatientScope &) = delete;
};

/** Sets the text of later reports of a signal. An empty text, for one of several processes, prints nothing. */
void
SetInterruptionText(const std::string & text);

/** Restores the usual text. */
void
ResetInterruptionText();

#endif
