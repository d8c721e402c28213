// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_CohortRecord_h
#define apps_atlas_CohortRecord_h

#include "atlas/AtlasReport.h"

/** Returns the record of a cohort's inputs: the program's version and options, and the cohort's images with the sizes
 * and times of their files. The report has it for --resume. */
Report::Json
RecordOf(const CLI::App & app, const AtlasOptions & options, const Population & population);

/** Writes the record of inputs and the list of outputs, which are in their places, into the report of an atlas. */
void
NoteRecord(AtlasReport & report, const std::string & cohort, const Report::Json & madeWith);

/** Returns the report in the folder of an atlas, if its outputs are complete and have the same record of inputs, else
 * null. */
Report::Json
ReadCompleteReport(const CLI::App & app, const std::string & folder, const Report::Json & madeWith);

#endif
