// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_PointInversion_h
#define cudaneuro_fields_PointInversion_h

#include "core/SoAField.h"
#include "core/SpaceMatrices.h"

#include <optional>

namespace cudaneuro
{

/** The position p with p + field(p) = target, in indices of the grid, by the method of InvertField, which finds it at voxels alone. It comes to
 * a thousandth of a voxel or nearer. Beyond its grid's edge the field is repeated.
 * \param field in voxels, in host memory
 * \returns nothing where the method finds none, because the field folds, or is infinite or NaN, around it */
std::optional<Vector3d>
InvertAtPoint(const Extent & extent, const ConstSoAField & field, const Vector3d & target);

} // namespace cudaneuro

#endif
