// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_HelmholtzSorGpu_cuh
#define cudaneuro_solvers_HelmholtzSorGpu_cuh

#include "core/SoAField.h"
#include "solvers/HelmholtzParameters.h"

#include <cuda_runtime.h>

namespace cudaneuro::gpu
{

/** Enqueues red-black successive over-relaxation of (-alpha Laplacian + gamma) v = f, v = 0 beyond the grid, starting
 * from the velocity that is there. In each sweep all voxels of even x + y + z are updated, and then the others; beta
 * is not looked at. May be captured in a graph; nothing on the host need outlive the call.
 *
 * \param sweeps >= 0
 * \param force,velocity,scratch fields that do not overlap; scratch is overwritten.
 * \param gate a word on the device: nothing happens while it is 0. Null: always.
 * \param largestSquare a word on the device that becomes the larger of itself and the bits of the largest squared
 * length of the velocity's vectors. The caller makes it 0. Null: not wanted. */
void
EnqueueSor(cudaStream_t                stream,
           int                         multiprocessors,
           const Extent &              extent,
           const HelmholtzParameters & parameters,
           int                         sweeps,
           const ConstSoAField &       force,
           const SoAField &            velocity,
           const SoAField &            scratch,
           const int *                 gate,
           unsigned int *              largestSquare);

} // namespace cudaneuro::gpu

#endif
