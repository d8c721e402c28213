// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_GridOverlap_h
#define cudaneuro_linear_GridOverlap_h

#include "core/SoAField.h"
#include "cudaneuro/Geometry.h"

namespace cudaneuro
{

/** The fraction of a grid's voxels that a map of indices takes onto another grid. On large grids it is estimated from
 * 16 x 16 evenly spaced rows. */
double
GridOverlap(const AffineMap & indexMap, const Extent & from, const Extent & to);

} // namespace cudaneuro

#endif
