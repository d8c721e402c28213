// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_ProgramSupport_h
#define apps_shared_ProgramSupport_h

#include "itkMacro.h"
#include "shared/CommandLine.h"
#include "shared/ComputeOptions.h"
#include "shared/Messages.h"
#include "shared/Signals.h"

#include <chrono>
#include <functional>
#include <string>

/** What the command-line programs share. */

/** Parses the command line, which runs the callbacks, and turns what goes wrong into one line on standard error and an
 * exit status: 0 all is well, 1 an error, 2 a command line that cannot be understood, 128 and the signal's number when
 * a signal stopped it. It does not return unless that is 0. Adds --version, and the exit statuses to the help.
 * \param fail called with a status other than 0 when all is cleaned up. */
int
RunProgram(CLI::App & app, int argc, char ** argv, const std::function<void(int)> & fail = {});

/** Runs a function. What the library says against it becomes a UserError that begins with what could not be done, as
 * "denoise head.nii", and names options rather than the library's parameters. */
void
Try(const std::string & what, const std::function<void()> & function);

/** Measures seconds from its construction on. */
class Stopwatch
{
public:
  double
  GetSeconds() const
  {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_Start).count();
  }

private:
  std::chrono::steady_clock::time_point m_Start = std::chrono::steady_clock::now();
};

#endif
