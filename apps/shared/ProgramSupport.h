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

/** Functions that all programs share. */

/** Parses the command line, which runs the callbacks, and turns errors into one line on standard error and an
 * exit status: 0 success, 1 an error, 2 a command line that cannot be understood, 128 + the signal's number if
 * a signal stopped the program. Returns only 0. Adds --version, and the exit statuses to the help.
 * \param fail called with a status other than 0, after cleaning up. */
int
RunProgram(CLI::App & app, int argc, char ** argv, const std::function<void(int)> & fail = {});

/** Runs a function. An error of the library becomes a UserError that begins with what could not be done, such as
 * "denoise head.nii", and names options instead of the library's parameters. */
void
Try(const std::string & what, const std::function<void()> & function);

/** Measures seconds since its construction. */
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
