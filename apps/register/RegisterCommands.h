// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_RegisterCommands_h
#define apps_register_RegisterCommands_h

#include <CLI/CLI.hpp>

/** The subcommands of cudaneuro-register, each with its options and what it does. */

/** Adds translation, rigid, similarity and affine. */
void
AddLinearCommands(CLI::App & program);
void
AddUnbiasedCommand(CLI::App & program);
void
AddGreedyCommand(CLI::App & program);
void
AddSymmetricCommand(CLI::App & program);

#endif
