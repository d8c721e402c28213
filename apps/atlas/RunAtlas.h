// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_RunAtlas_h
#define apps_atlas_RunAtlas_h

#include "atlas/AtlasJob.h"

/** Runs the iterations, from a checkpoint on where the options say so, with a progress bar, and writes checkpoints.
 * When a signal asks one process to end, all write a checkpoint and end.
 * \throws Interrupted, and what the atlas throws */
cudaneuro::AtlasResult
RunAtlas(AtlasJob & job, const cudaneuro::AtlasParameters & parameters, cudaneuro::DiffeomorphicAtlas & atlas);

#endif
