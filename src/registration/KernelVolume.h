// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_KernelVolume_h
#define cudaneuro_registration_KernelVolume_h

#include "registration/step/Velocity.h"

namespace cudaneuro
{

/** Number of voxels that a velocity's kernel reaches: its sum divided by its peak. A force of 1 on that many voxels,
 * all at one place, gives there the velocity of a force of 1 everywhere. The Helmholtz kernel is taken on an infinite
 * grid, without beta. */
double
KernelVolume(const VelocityParameters & parameters, const Extent & extent);

} // namespace cudaneuro

#endif
