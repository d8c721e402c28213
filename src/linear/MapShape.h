// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_MapShape_h
#define cudaneuro_linear_MapShape_h

#include "core/SpaceMatrices.h"
#include "cudaneuro/LinearRegistration.h"

namespace cudaneuro
{

/** The shape of a map whose matrix is R U, a rotation after stretches along perpendicular axes (the polar
 * decomposition).
 * \param normal the axis whose tilt is measured */
LinearMapShape
ShapeOf(const Matrix3d & matrix, const Vector3d & normal);

/** Whether a map is within the limits of the parameters. */
bool
IsWithinLimits(const LinearMapShape & shape, const LinearRegistrationParameters & parameters);

} // namespace cudaneuro

#endif
