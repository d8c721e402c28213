// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_GridOverlap_h
#define cudaneuro_linear_GridOverlap_h

#include "core/SoAField.h"
#include "cudaneuro/Geometry.h"

namespace cudaneuro
{

/** The fraction of a grid's voxels that a map of indices takes onto another grid; of 16 x 16 rows, evenly spaced, of
 * a grid that has more. */
double
GridOverlap(const AffineMap & indexMap, const Extent & from, const Extent & to);

} // namespace cudaneuro

#endif
