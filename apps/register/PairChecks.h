// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_PairChecks_h
#define apps_register_PairChecks_h

#include "files/output/NewFolders.h"
#include "register/PairList.h"
#include "shared/Files.h"
#include "shared/ProgramSupport.h"

/** Checks all that can be checked before voxels are read: options without effect, the headers of all files, the
 * parameters of the method for each pair, and the places of all outputs, whose folders are made.
 * \throws UserError that names the option, or all files that cannot be used, and why */
void
CheckPairs(const CLI::App &        app,
           const RegisterMethod &  method,
           const RegisterOptions & options,
           const RegisterPairs &   pairs,
           NewFolders &            folders);

#endif
