// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_maps_Background_h
#define files_maps_Background_h

#include "files/images/OpenedImage.h"
#include "itkCommonEnums.h"

#include <string>

namespace cudaneuro::files
{

/** The background: what voxels get where a map leads out of the image. */

/** \throws UserError for a number that is no label */
void
RequireLabelBackground(double background);

/** \throws UserError for a number that the type of the output has not */
void
RequireBackgroundOf(itk::IOComponentEnum type, double background);

/** Warns that a result is nothing but background. */
void
WarnOfBackground(const std::string & output, const OpenedImage & reference, const OpenedImage & input);

} // namespace cudaneuro::files

#endif
