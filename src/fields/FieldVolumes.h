// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_FieldVolumes_h
#define cudaneuro_fields_FieldVolumes_h

#include "core/SoAField.h"
#include "cudaneuro/DisplacementField.h"

/** Conversion of the displacement fields of callers to the form that operations use, one volume of float per component
 * in voxels, and back. */
namespace cudaneuro
{

/** Returns a grid that has a voxel for each component of a field. */
inline Grid
GridOfComponents(Grid grid, unsigned int components)
{
  grid.size[0] *= components;
  return grid;
}

/** Reads a field on \p geometry. The result is in voxels of \p voxels, usually the same geometry. */
SoAFieldMemory
ReadField(Context & context, const Geometry & geometry, const Geometry & voxels, const ConstField & field);

/** Writes a field, which is given in voxels of its own grid, as vectors in mm. */
void
WriteField(Context & context, const Geometry & geometry, const ConstSoAField & planes, const Field & field);

} // namespace cudaneuro

#endif
