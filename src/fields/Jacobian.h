// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_Jacobian_h
#define cudaneuro_fields_Jacobian_h

#include "cudaneuro/DisplacementField.h"
#include "core/Dispatch.h"
#include "core/SoAField.h"

namespace cudaneuro
{

/** Computes det(I + d field / d index) of a field in voxels, and its statistics. \p output may be null. */
CUDANEURO_DISPATCHED(JacobianResult JacobianDeterminant(
  Context & context, const Extent & extent, const ConstSoAField & field, float * output));

} // namespace cudaneuro

#endif
