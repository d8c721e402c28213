// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_LinearChecks_h
#define cudaneuro_linear_LinearChecks_h

#include "cudaneuro/LinearRegistration.h"

/** Checks of the arguments of a linear registration. Each throws InvalidParameterError with the given value and its limit. */
namespace cudaneuro
{

/** Requires a map that is finite, has an inverse, and in 2D leaves the third axis alone. */
void
RequireInitialTransform(const AffineMap & transform, bool isFlat);

} // namespace cudaneuro

#endif
