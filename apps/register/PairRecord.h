// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_PairRecord_h
#define apps_register_PairRecord_h

#include "register/PairList.h"

/** What a pair's results were made with: the program's version, method and options, and the sizes and times of the
 * files that it read. Stands in its report, where --resume finds it. */
Report::Json
RecordInputs(const CLI::App & app, const RegisterMethod & method, const RegisterPair & pair);

/** Notes in the report of a pair what its results were made with, and which files they are, which are all in their
 * places. */
void
NoteRecord(RegisterReport & report, const RegisterPair & pair, const Report::Json & madeWith);

/** The report of a pair whose outputs are complete and were made with the same; null where they are not. Options of
 * the report may have older names. */
Report::Json
ReadCompleteReport(const CLI::App & app, const RegisterPair & pair, const Report::Json & madeWith);

/** Removes the report of an earlier run, so that a pair that fails or is stopped does not look complete.
 * \throws UserError that names the file */
void
RemoveReport(const RegisterPair & pair);

#endif
