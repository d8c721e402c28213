// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ProgramSupport_h
#define ProgramSupport_h

#include "itkComputeDevice.h"
#include "itkProcessObject.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>

/** What the command-line programs share: options on where to compute, errors, warnings, Ctrl-C, and a stopwatch. */

/** An error that the user can act on; its message becomes one line on standard error. */
class ProgramError : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

/** Parses the command line, which runs the callbacks of the subcommands, and turns what goes wrong into one line on
 * standard error and an exit status: 0 all is well, 1 an error, 2 a command line that cannot be understood, 130 stopped
 * by Ctrl-C (128 and the signal's number). */
int
RunProgram(CLI::App & app, int argc, char ** argv);

/** \throws Interrupted when Ctrl-C was pressed, or a request to terminate came. */
void
ThrowIfInterrupted();
bool
IsInterrupted();

class Interrupted : public std::runtime_error
{
public:
  Interrupted();
};

/** While one exists, a second Ctrl-C does not end the program at once: there is something to clean up. */
class CleanUpScope
{
public:
  CleanUpScope();
  ~CleanUpScope();
  CleanUpScope(const CleanUpScope &) = delete;
  CleanUpScope &
  operator=(const CleanUpScope &) = delete;
};

/** A warning of this program, as one line on standard error. */
void
PrintWarning(const std::string & text);

/** A message as one line, without ITK's prefix of class name and address. */
std::string
OneLine(const std::string & text);

/** Where and how to compute, and how much to say. */
struct ComputeOptions
{
  std::string  device;
  unsigned int numberOfThreads = 0;
  std::size_t  maximumDeviceMemory = 0;
  bool         isQuiet = false;

  itk::ComputeDevice
  GetDevice() const;
};

/** Adds --device, --threads, --max-memory and --quiet. */
void
AddComputeOptions(CLI::App & app, ComputeOptions & options);

/** Warns when the options limit the memory of a GPU and the CPU computes.
 * \throws itk::ExceptionObject when there is no such device */
void
WarnOfUnusedMemoryLimit(const ComputeOptions & options);

/** What there is to say of a filter's state, in up to 20 characters. */
using ProgressNote = std::function<std::string()>;

/** Runs a filter with a progress bar, if the options do not forbid it. Ctrl-C aborts it.
 * \throws Interrupted, itk::ProcessAborted, and what the filter throws */
void
UpdateWithProgress(itk::ProcessObject &   filter,
                   const ComputeOptions & options,
                   const std::string &    label,
                   const ProgressNote &   note = {});

/** The same for a filter of this module, where the options say. */
template <typename TFilter>
void
UpdateFilter(TFilter &              filter,
             const ComputeOptions & options,
             const std::string &    label,
             const ProgressNote &   note = {})
{
  filter.SetComputeDevice(options.GetDevice());
  filter.SetMaximumDeviceMemory(options.maximumDeviceMemory);
  UpdateWithProgress(filter, options, label, note);
}

/** Seconds since it was made. */
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
