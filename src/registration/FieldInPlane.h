// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_FieldInPlane_h
#define cudaneuro_registration_FieldInPlane_h

#include "cudaneuro/DisplacementField.h"
#include "fields/FieldVolumes.h"

#include <string>

namespace cudaneuro
{

/** As ReadField in voxels of its own grid; on a slice, without what rounding leaves along the normal.
 * \param name of the field
 * \throws InvalidParameterError for a slice whose field leaves its plane by more than a thousandth of a voxel */
SoAFieldMemory
ReadFieldInPlane(Context & context, const std::string & name, const Geometry & geometry, const ConstField & field);

} // namespace cudaneuro

#endif
