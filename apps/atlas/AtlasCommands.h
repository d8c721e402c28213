// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_AtlasCommands_h
#define apps_atlas_AtlasCommands_h

#include "processes/Processes.h"
#include "shared/CommandLine.h"

/** The subcommands of cudaneuro-atlas, each with its options and what it does. */

void
AddBuildCommand(CLI::App & program, Processes & processes);
void
AddSynthesizeCommand(CLI::App & program, Processes & processes);

#endif
