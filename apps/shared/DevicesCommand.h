// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_DevicesCommand_h
#define apps_shared_DevicesCommand_h

#include "shared/CommandLine.h"

/** The subcommand of all programs that lists the devices. */
void
AddDevicesCommand(CLI::App & program);

#endif
