// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef RegisterCommands_h
#define RegisterCommands_h

#include <CLI/CLI.hpp>

/** The subcommands of cudaneuro-register, each with its options and what it does. */

void
AddUnbiasedCommand(CLI::App & program);
void
AddDiffeomorphicCommand(CLI::App & program);

#endif
