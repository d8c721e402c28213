// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_FieldInPlane_h
#define cudaneuro_registration_FieldInPlane_h

#include "cudaneuro/DisplacementField.h"
#include "fields/FieldVolumes.h"

#include <string>

namespace cudaneuro
{

/** ReadField in voxels of the field's own grid; on a slice, sets the rounding errors along the normal to 0.
 * \param name of the field, for messages
 * \throws InvalidParameterError for a slice whose field leaves its plane by more than a thousandth of a voxel */
SoAFieldMemory
ReadFieldInPlane(Context & context, const std::string & name, const Geometry & geometry, const ConstField & field);

} // namespace cudaneuro

#endif
