// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/ComputeOptions.h"

#include "files/base/WatchedUpdate.h"
#include "shared/CommandOptions.h"
#include "shared/Files.h"
#include "shared/Messages.h"
#include "shared/ProgressBar.h"
#include "shared/Signals.h"

#include <CLI/CLI.hpp>

#include <algorithm>

itk::ComputeDevice
ComputeOptions::GetDevice() const
{
  return device.empty() ? itk::ComputeDevice::GetDefault() : itk::ComputeDevice::FromName(device);
}

void
AddDeviceOption(CLI::App & app, std::string & device, const std::string & group)
{
  app
    .add_option("-d,--device",
                device,
                "auto (a GPU if there is one), cpu, or cuda:N.\n"
                "Default: the environment variable CUDANEURO_DEVICE, or else auto")
    ->option_text("NAME")
    ->group(group);
}

void
AddComputeOptions(CLI::App & app, ComputeOptions & options)
{
  const std::string group = "Computing";
  AddDeviceOption(app, options.device, group);
  app.add_option("-t,--threads", options.numberOfThreads, "Number of CPU threads, at least 1. Default: all cores")
    ->check(AtLeast(1))
    ->option_text("N")
    ->group(group);
  AddMemorySize(app,
                "--max-memory",
                options.maximumDeviceMemory,
                "Most GPU memory to compute with, in bytes, or with a unit: KB,\n"
                "MB, GB or TB, of 1024 each, as 500MB; images and results that\n"
                "stay on the GPU are not counted. Denoising and comparing work\n"
                "on parts of an image to stay below; a registration that needs\n"
                "more fails. Default: all that is free")
    ->group(group);
  app.add_flag("-q,--quiet", options.isQuiet, "No progress bar and no summary")->group(group);
}

void
WarnOfUnusedMemoryLimit(const ComputeOptions & options)
{
  WarnOfUnusedMemoryLimit(options, { options.GetDevice() });
}

void
WarnOfUnusedMemoryLimit(const ComputeOptions & options, const std::vector<itk::ComputeDevice> & devices)
{
  const auto isCuda = [](const itk::ComputeDevice & device) { return device.IsCuda(); };
  if (options.maximumDeviceMemory > 0 && std::none_of(devices.begin(), devices.end(), isCuda))
  {
    PrintWarning("--max-memory has no effect: it limits GPU memory, and the CPU computes");
  }
}

void
UpdateWithProgress(itk::ProcessObject &   filter,
                   const ComputeOptions & options,
                   const std::string &    label,
                   const ProgressNote &   note)
{
  ThrowIfInterrupted();
  ProgressBar bar(label, options.isQuiet);
  UpdateWatched(filter, options.numberOfThreads, [&](double fraction) { bar.Show(fraction, note ? note() : ""); });
}
