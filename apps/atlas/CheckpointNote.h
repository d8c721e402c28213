// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_CheckpointNote_h
#define apps_atlas_CheckpointNote_h

#include "atlas/AtlasJob.h"

/** The program's note in a checkpoint: the alignment, so that a resumed run has the same maps, and its inputs, so that
 * no other run resumes from it. */

/** Returns the note of a run after its alignment. Reads all input files of the alignment. */
std::string
WriteNote(const AtlasJob & job);

/** Requires that the checkpoint is of a run with the same options and input files of the alignment.
 * \throws UserError that names the difference, Interrupted, itk::ExceptionObject */
void
RequireSameAlignment(const AtlasJob & job);

/** Returns the alignment of the checkpoint.
 * \throws UserError, itk::ExceptionObject */
Alignment
ReadAlignment(const AtlasJob & job);

#endif
