// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DevicesCommand.h"

#include "itkComputeDevice.h"

#include <iostream>

void
AddDevicesCommand(CLI::App & program)
{
  CLI::App * const app = program.add_subcommand("devices", "List the devices that can compute.");
  app->callback([] { std::cout << itk::ComputeDevice::ListDevices() << std::flush; });
}
