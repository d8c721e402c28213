// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_HelmholtzSorCpu_h
#define cudaneuro_registration_HelmholtzSorCpu_h

#include "HelmholtzParameters.h"
#include "PlanarField.h"

namespace cudaneuro::cpu
{

/** Red-black successive over-relaxation of (-alpha Laplacian + gamma) v = f, v = 0 beyond the grid, in place, starting
 * from the velocity that is there. In each sweep all voxels of even x + y + z are updated, and then the others; beta
 * is not looked at. */
void
RunSor(Context &                   context,
       const Extent &              extent,
       const HelmholtzParameters & parameters,
       int                         sweeps,
       const ConstPlanarField &    force,
       const PlanarField &         velocity);

} // namespace cudaneuro::cpu

#endif
