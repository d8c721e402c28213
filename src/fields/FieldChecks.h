// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_FieldChecks_h
#define cudaneuro_fields_FieldChecks_h

#include "core/ParameterChecks.h"
#include "cudaneuro/DisplacementField.h"

/** Checks of parameters. Each throws InvalidParameterError with the parameter's name, its value and the limit. */
namespace cudaneuro
{

/** Requires a valid grid, a finite origin, and a finite direction that has an inverse. */
void
RequireGeometry(const char * name, const Geometry & geometry);

/** Requires finite entries. */
void
RequireTransform(const char * name, const AffineMap & map);

/** Requires a field that this context can access, with 3 components, or 2 if the grid is one plane. */
void
RequireField(const char * name, const Context & context, const Grid & grid, const ConstField & field);

inline void
RequireField(const char * name, const Context & context, const Grid & grid, const Field & field)
{
  RequireField(name, context, grid, ConstField{ field.data, field.components, field.space });
}

} // namespace cudaneuro

#endif
