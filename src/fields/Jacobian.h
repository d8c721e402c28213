// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_Jacobian_h
#define cudaneuro_fields_Jacobian_h

#include "core/SoAField.h"
#include "cudaneuro/DisplacementField.h"

namespace cudaneuro
{

/** det(I + d field / d index) of a field in voxels, and its statistics. \p output may be null. */
JacobianResult
JacobianDeterminant(Context & context, const Extent & extent, const ConstSoAField & field, float * output);

namespace cpu
{
JacobianResult
JacobianDeterminant(Context & context, const Extent & extent, const ConstSoAField & field, float * output);
}
namespace gpu
{
JacobianResult
JacobianDeterminant(Context & context, const Extent & extent, const ConstSoAField & field, float * output);
}

} // namespace cudaneuro

#endif
