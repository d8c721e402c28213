// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_JacobianCpu_h
#define cudaneuro_fields_JacobianCpu_h

#include "fields/FieldPrimitives.h"

namespace cudaneuro::cpu
{

/** JacobianDeterminant of fields/FieldPrimitives.h. */
JacobianResult
JacobianDeterminant(Context & context, const Extent & extent, const ConstSoAField & field, float sign, float * output);

} // namespace cudaneuro::cpu

#endif
