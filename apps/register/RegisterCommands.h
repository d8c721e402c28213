// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_RegisterCommands_h
#define apps_register_RegisterCommands_h

#include "processes/Processes.h"
#include "shared/CommandLine.h"

/** The subcommands of cudaneuro-register, each with its options and what it does. Lists of pairs are shared by the
 * processes. */

/** Adds translation, rigid, similarity and affine. */
void
AddLinearCommands(CLI::App & program, Processes & processes);
void
AddUnbiasedCommand(CLI::App & program, Processes & processes);
void
AddGreedyCommand(CLI::App & program, Processes & processes);
void
AddSymmetricCommand(CLI::App & program, Processes & processes);

#endif
