// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_HelmholtzSorCpu_h
#define cudaneuro_solvers_HelmholtzSorCpu_h

#include "core/SoAField.h"
#include "solvers/HelmholtzParameters.h"

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
       const ConstSoAField &       force,
       const SoAField &            velocity);

} // namespace cudaneuro::cpu

#endif
