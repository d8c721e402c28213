// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_CohortRuns_h
#define apps_atlas_CohortRuns_h

#include "atlas/population/AtlasOptions.h"
#include "processes/Processes.h"

/** Builds the atlas of each cohort of a list, in its own folder, on the devices of all processes: the next free
 * device takes the next cohort. A cohort that fails does not stop the others.
 * \throws UserError that names all errors before work starts, or at the end the cohorts that failed; Interrupted */
void
RunCohorts(const CLI::App & app, const AtlasOptions & options, Processes & processes);

#endif
