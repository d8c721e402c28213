// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_surface_SurfaceCommands_h
#define apps_surface_SurfaceCommands_h

#include "shared/CommandLine.h"

/** The subcommands of cudaneuro-surface, each with its options and what it does. */

void
AddDenoiseCommand(CLI::App & program);
void
AddCompareCommand(CLI::App & program);
void
AddSynthesizeCommand(CLI::App & program);

#endif
