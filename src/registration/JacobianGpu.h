// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_JacobianGpu_h
#define cudaneuro_registration_JacobianGpu_h

#include "RegistrationPrimitives.h"

namespace cudaneuro::gpu
{

/** JacobianDeterminant of RegistrationPrimitives.h. */
JacobianResult
JacobianDeterminant(
  Context & context, const Extent & extent, const ConstPlanarField & field, float sign, float * output);

} // namespace cudaneuro::gpu

#endif
