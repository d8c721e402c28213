// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_CohortRecord_h
#define apps_atlas_CohortRecord_h

#include "atlas/AtlasReport.h"

/** What the atlas of a cohort was made with: the program's version and options, and the cohort's images with the sizes
 * and times of their files. Stands in its report, where --resume finds it. */
Report::Json
RecordOf(const CLI::App & app, const AtlasOptions & options, const Population & population);

/** Notes in the report of an atlas, whose outputs are in their places, what it was made with and which files they
 * are. */
void
NoteRecord(AtlasReport & report, const std::string & cohort, const Report::Json & madeWith);

/** The report in the folder of an atlas whose outputs are complete and were made with the same; null where they are
 * not. */
Report::Json
ReadCompleteReport(const CLI::App & app, const std::string & folder, const Report::Json & madeWith);

#endif
