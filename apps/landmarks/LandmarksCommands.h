// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_landmarks_LandmarksCommands_h
#define apps_landmarks_LandmarksCommands_h

#include "shared/CommandLine.h"

/** The subcommands of cudaneuro-landmarks, each with its options and what it does. */

void
AddMatchCommand(CLI::App & program);
void
AddWarpCommand(CLI::App & program);
void
AddSynthesizeCommand(CLI::App & program);

#endif
