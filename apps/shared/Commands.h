// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_Commands_h
#define apps_shared_Commands_h

#include "shared/CommandLine.h"

/** The subcommands of cudaneuro-denoise, each with its options and what it does. */

void
AddBilateralCommand(CLI::App & program);
void
AddDiffusionCommand(CLI::App & program);
void
AddAdaptiveNonLocalMeansCommand(CLI::App & program);
void
AddNonLocalMeansCommand(CLI::App & program);
void
AddNoiseMapCommand(CLI::App & program);
void
AddCompareCommand(CLI::App & program);

#endif
