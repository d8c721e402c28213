// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_HelmholtzSorGpu_h
#define cudaneuro_solvers_HelmholtzSorGpu_h

#include "core/SoAField.h"
#include "solvers/HelmholtzParameters.h"

namespace cudaneuro::gpu
{

/** EnqueueSor of HelmholtzSorGpu.cuh on the compute stream, with memory of its own as scratch. */
void
RunSor(Context &                   context,
       const Extent &              extent,
       const HelmholtzParameters & parameters,
       int                         sweeps,
       const ConstSoAField &       force,
       const SoAField &            velocity,
       const int *                 gate = nullptr,
       unsigned int *              largestSquare = nullptr);

} // namespace cudaneuro::gpu

#endif
