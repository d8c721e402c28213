// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_RunRecord_h
#define apps_shared_RunRecord_h

#include "shared/CommandLine.h"
#include "shared/Report.h"

#include <string>
#include <vector>

/** Options and files with which the results of one task of a list were made. --resume reads them from the task's report
 * to find out whether the task is complete. */

/** Returns the options that results depend on: all but those of the list, and of where and how to compute. */
Report::Json
OptionsOf(const CLI::App & app);

/** Returns size and modification time of files, with all files that they consist of; null for a missing file. */
Report::Json
StampsOf(const std::vector<std::string> & paths);

/** Returns whether results are complete and were made with the same options and inputs.
 * \param app the command; the report may have older names of its options
 * \param report of an earlier run, in which "made_with" and "results" are records
 * \param results the files that there should be */
bool
IsComplete(const CLI::App &                 app,
           const Report::Json &             report,
           const Report::Json &             madeWith,
           const std::vector<std::string> & results);

#endif
