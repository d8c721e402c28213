// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_HelmholtzSor_h
#define cudaneuro_solvers_HelmholtzSor_h

#include "core/SoAField.h"
#include "cuda/DeviceGate.h"
#include "solvers/HelmholtzParameters.h"

/** Red-black successive over-relaxation of (-alpha Laplacian + gamma) v = f with v = 0 outside the grid, in place,
 * starting from the given velocity. Each sweep first updates all voxels of even x + y + z, then the others. beta is
 * ignored. */
namespace cudaneuro
{

namespace cpu
{
void
RunSor(Context &                   context,
       const Extent &              extent,
       const HelmholtzParameters & parameters,
       int                         sweeps,
       const ConstSoAField &       force,
       const SoAField &            velocity);
} // namespace cpu

namespace gpu
{
/** Enqueues the sweeps; may be captured in a graph.
 * \param sweeps >= 0
 * \param force,velocity,scratch fields that do not overlap; scratch is overwritten. */
void
EnqueueSor(Context &                   context,
           const Extent &              extent,
           const HelmholtzParameters & parameters,
           int                         sweeps,
           const ConstSoAField &       force,
           const SoAField &            velocity,
           const SoAField &            scratch,
           const DeviceGate &          gate = {});

/** Does the same, but may leave the result in scratch, which saves a copy.
 * \returns whether the result is in scratch, which depends on the number of sweeps only */
bool
EnqueueSorEitherWay(Context &                   context,
                    const Extent &              extent,
                    const HelmholtzParameters & parameters,
                    int                         sweeps,
                    const ConstSoAField &       force,
                    const SoAField &            velocity,
                    const SoAField &            scratch,
                    const DeviceGate &          gate);
} // namespace gpu

} // namespace cudaneuro

#endif
