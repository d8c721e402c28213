// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_maps_Background_h
#define files_maps_Background_h

#include "itkCommonEnums.h"

namespace cudaneuro::files
{

/** Checks of --background, which is what voxels get where a map leads out of the image. */

/** \throws UserError for a number that is no label */
void
RequireLabelBackground(double background);

/** \throws UserError for a number that the type of the output has not */
void
RequireBackgroundOf(itk::IOComponentEnum type, double background);

} // namespace cudaneuro::files

#endif
