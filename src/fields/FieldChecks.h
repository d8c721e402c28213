// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_FieldChecks_h
#define cudaneuro_fields_FieldChecks_h

#include "core/ParameterChecks.h"
#include "cudaneuro/DisplacementField.h"

/** Each throws InvalidParameterError with the parameter's name, its value and the limit, or does nothing. */
namespace cudaneuro
{

/** A grid, a finite origin, and a finite direction that has an inverse. */
void
RequireGeometry(const char * name, const Geometry & geometry);

/** Finite. */
void
RequireTransform(const char * name, const AffineMap & map);

/** There is a field that this context reaches, of 3 components, or of 2 where the grid is one plane. */
void
RequireField(const char * name, const Context & context, const Grid & grid, const ConstField & field);

inline void
RequireField(const char * name, const Context & context, const Grid & grid, const Field & field)
{
  RequireField(name, context, grid, ConstField{ field.data, field.components, field.space });
}

} // namespace cudaneuro

#endif
