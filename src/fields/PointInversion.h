// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_PointInversion_h
#define cudaneuro_fields_PointInversion_h

#include "core/SoAField.h"
#include "core/SpaceMatrices.h"

#include <optional>

namespace cudaneuro
{

/** Returns the position p with p + field(p) = target, in indices of the grid, by the method of InvertField, which works
 * at voxels only. The error is at most a thousandth of a voxel. Outside its grid the field's border values are
 * repeated. \param field in voxels, in host memory
 * \returns nothing if the method finds none, because the field folds, or is infinite or NaN, around the position */
std::optional<Vector3d>
InvertAtPoint(const Extent & extent, const ConstSoAField & field, const Vector3d & target);

} // namespace cudaneuro

#endif
