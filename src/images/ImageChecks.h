// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ImageChecks_h
#define cudaneuro_images_ImageChecks_h

#include "cudaneuro/Geometry.h"
#include "cudaneuro/Volume.h"

#include <string>

/** Checks of images that are registered. Each throws InvalidParameterError with the given value and its limit. */
namespace cudaneuro
{

/** Returns the size as text, such as "96 x 96 x 1". */
std::string
SizeText(const Grid & grid);

/** Requires a grid on which displacements are precise and indices fit in 32 bits. */
void
RequireRegistrationGrid(const std::string & name, const Grid & grid);

/** Requires a grid that can be registered, finite entries of the direction and the origin, and a direction that has an
 * inverse. */
void
RequireRegistrationGeometry(const std::string & name, const Geometry & geometry);

/** Requires that both grids, or neither, have only one plane. */
void
RequireSameDimension(const Grid & fixedGrid, const Grid & movingGrid);

} // namespace cudaneuro

#endif
