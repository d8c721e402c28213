// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_FieldVolumes_h
#define cudaneuro_fields_FieldVolumes_h

#include "core/SoAField.h"
#include "cudaneuro/DisplacementField.h"

/** Displacement fields of a caller, as operations take them: a volume of float a component, in voxels. */
namespace cudaneuro
{

/** A field on \p geometry in planes, in voxels of \p voxels along its axes (usually the same geometry). */
SoAFieldMemory
ReadField(Context & context, const Geometry & geometry, const Geometry & voxels, const ConstField & field);

/** The reverse: a field in voxels of its own grid to vectors in mm. */
void
WriteField(Context & context, const Geometry & geometry, const ConstSoAField & planes, const Field & field);

} // namespace cudaneuro

#endif
