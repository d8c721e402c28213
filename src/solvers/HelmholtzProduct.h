// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_HelmholtzProduct_h
#define cudaneuro_solvers_HelmholtzProduct_h

#include "solvers/HelmholtzFft.h"

namespace cudaneuro::gpu
{

/** Makes the solver for beta = 0 whose sine transforms are products with their matrices (see SineProductFormulas.h). It
 * does not need cuFFT.
 * \throws OutOfMemoryError */
std::unique_ptr<HelmholtzFft>
MakeHelmholtzProduct(Context & context, const Extent & extent, const HelmholtzParameters & parameters);

} // namespace cudaneuro::gpu

#endif
