// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_CheckpointNote_h
#define apps_atlas_CheckpointNote_h

#include "atlas/AtlasJob.h"

/** What the program notes in a checkpoint beside the state of the atlas: the alignment, so that a run that goes on
 * has the same maps, and what it follows from, so that no other run takes it up. */

/** The note of a run, after its alignment. It reads all files that the alignment follows from. */
std::string
WriteNote(const AtlasJob & job);

/** Requires that the checkpoint is of a run whose alignment follows from the same options and files.
 * \throws UserError that names what is different, Interrupted, itk::ExceptionObject */
void
RequireSameAlignment(const AtlasJob & job);

/** The alignment of the checkpoint.
 * \throws UserError, itk::ExceptionObject */
Alignment
ReadAlignment(const AtlasJob & job);

#endif
