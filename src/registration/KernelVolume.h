// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_KernelVolume_h
#define cudaneuro_registration_KernelVolume_h

#include "registration/step/Velocity.h"

namespace cudaneuro
{

/** How many voxels a velocity's kernel reaches: its sum divided by its peak. A force that is 1 at so many voxels
 * together makes a velocity at one of them as large as a force that is 1 everywhere. For the equation of a fluid it is
 * that of an endless grid without beta. */
double
KernelVolume(const VelocityParameters & parameters, const Extent & extent);

} // namespace cudaneuro

#endif
