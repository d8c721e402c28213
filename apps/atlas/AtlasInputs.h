// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_AtlasInputs_h
#define apps_atlas_AtlasInputs_h

#include "atlas/AtlasJob.h"
#include "itkImageBase.h"

/** Reads this process's images, several at once, and gives each to the atlas and forgets it.
 * \param grid that of the template
 * \throws ProgramError that names all files that cannot be read, Interrupted, and what the atlas throws */
template <unsigned int VDimension>
void
ReadImages(AtlasJob & job, const itk::ImageBase<VDimension> & grid, cudaneuro::DiffeomorphicAtlas & atlas);

#endif
