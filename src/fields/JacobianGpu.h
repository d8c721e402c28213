// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_JacobianGpu_h
#define cudaneuro_fields_JacobianGpu_h

#include "fields/FieldPrimitives.h"

namespace cudaneuro::gpu
{

/** JacobianDeterminant of fields/FieldPrimitives.h. */
JacobianResult
JacobianDeterminant(Context & context, const Extent & extent, const ConstSoAField & field, float sign, float * output);

} // namespace cudaneuro::gpu

#endif
