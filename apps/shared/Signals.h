// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_Signals_h
#define apps_shared_Signals_h

#include "files/base/Interruption.h"
#include "shared/Files.h"

#include <string>

/** How Ctrl-C and other requests to end stop a program.
 *
 * The first one asks the computation to stop, which the program reports. Where it has not ended within a second, or a
 * second request comes, a thread of its own cleans up and ends it, whatever the other threads are waiting for. Requests
 * are SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGXCPU, SIGUSR1 and SIGUSR2, unless the program was started with them
 * ignored, as by nohup. SIGPIPE and SIGXFSZ are ignored: the write that caused them fails, and is reported. */

/** Installs the handlers. */
void
HandleSignals();

/** The signal that asked the program to end, or 0. */
int
GetPendingSignal();

/** Prints once that the program was stopped.
 * \return the exit status: 128 and the signal's number */
int
ReportInterruption();

/** While this object exists, a program that was asked to end is not ended after a second, but by the next request only:
 * for a computation that ends by itself, with work that must not be cut. The second begins when it is gone. */
class PatientScope
{
public:
  PatientScope();
  ~PatientScope();
  PatientScope(const PatientScope &) = delete;
  PatientScope &
  operator=(const PatientScope &) = delete;
};

/** Makes later reports of a signal say this text instead; nothing where it is empty, for one of several processes. */
void
SetInterruptionText(const std::string & text);

/** Makes later reports of a signal say the usual again. */
void
ResetInterruptionText();

#endif
