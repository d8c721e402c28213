// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_transform_TransformCommands_h
#define apps_transform_TransformCommands_h

#include "shared/CommandLine.h"

/** The subcommands of cudaneuro-transform, each with its options and what it does. */

void
AddApplyCommand(CLI::App & program);
void
AddComposeCommand(CLI::App & program);
void
AddInvertCommand(CLI::App & program);
void
AddJacobianCommand(CLI::App & program);
void
AddConvertCommand(CLI::App & program);
void
AddCompareMapsCommand(CLI::App & program);

#endif
