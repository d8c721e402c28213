// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_RunRecord_h
#define apps_shared_RunRecord_h

#include "shared/CommandLine.h"
#include "shared/Report.h"

#include <string>
#include <vector>

/** What the results of one task of a list were made with, which stands in its report. By it --resume tells which tasks
 * are complete. */

/** The options of a command line that results depend on: all but those of the list, and of where and how to compute.
 * Which files of a list a task has, its inputs tell. */
Report::Json
OptionsOf(const CLI::App & app);

/** Size and time of last change of files, with all that they consist of. A file that is missing is null. */
Report::Json
StampsOf(const std::vector<std::string> & paths);

/** Whether results are complete and were made with the same.
 * \param app whose options may have had other names when the report was written
 * \param report of an earlier run, in which "made_with" and "results" are records
 * \param results the files that there should be */
bool
IsComplete(const CLI::App &                 app,
           const Report::Json &             report,
           const Report::Json &             madeWith,
           const std::vector<std::string> & results);

#endif
