// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_BuildAtlas_h
#define apps_atlas_BuildAtlas_h

#include "atlas/AtlasJob.h"

/** Reads the images of a job, builds the atlas and writes it.
 * \throws UserError, Interrupted, itk::ExceptionObject */
template <unsigned int VDimension>
void
BuildAtlas(AtlasJob & job);

#endif
