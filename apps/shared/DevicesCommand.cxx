// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/DevicesCommand.h"

#include "itkComputeDevice.h"
#include "files/base/StandardStreams.h"
#include "shared/Files.h"

#include <CLI/CLI.hpp>

void
AddDevicesCommand(CLI::App & program)
{
  CLI::App * const app = program.add_subcommand("devices", "List the devices that can compute.");
  app->callback([] { WriteToStandardOutput(itk::ComputeDevice::ListDevices()); });
}
