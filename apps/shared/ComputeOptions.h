// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_ComputeOptions_h
#define apps_shared_ComputeOptions_h

#include "itkComputeDevice.h"
#include "itkProcessObject.h"
#include "shared/CommandLine.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

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

/** Adds --device, which all programs have. */
void
AddDeviceOption(CLI::App & app, std::string & device, const std::string & group);

/** Adds --device, --threads, --max-memory and --quiet. */
void
AddComputeOptions(CLI::App & app, ComputeOptions & options);

/** Warns when the options limit the memory of a GPU and the CPU computes.
 * \throws itk::ExceptionObject when there is no such device */
void
WarnOfUnusedMemoryLimit(const ComputeOptions & options);

/** The same where several devices compute. */
void
WarnOfUnusedMemoryLimit(const ComputeOptions & options, const std::vector<itk::ComputeDevice> & devices);

/** Describes a filter's state in up to 20 characters. */
using ProgressNote = std::function<std::string()>;

/** Runs a filter, with a progress bar unless the options forbid it. Ctrl-C aborts the filter.
 * \throws Interrupted, itk::ProcessAborted, and what the filter throws */
void
UpdateWithProgress(itk::ProcessObject &   filter,
                   const ComputeOptions & options,
                   const std::string &    label,
                   const ProgressNote &   note = {});

/** Runs a filter of this module on the device, and within the memory, of the options. */
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

#endif
