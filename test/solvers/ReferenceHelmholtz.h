// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceHelmholtz_h
#define ReferenceHelmholtz_h

#include "core/SoAField.h"
#include "solvers/HelmholtzParameters.h"

#include <array>
#include <vector>

/** The Helmholtz operator and its solution, slowly, in double precision, and from the definitions alone. */
namespace reference
{

using Component = std::vector<double>;
using Components = std::array<Component, 3>;

/** (-alpha Laplacian + gamma) v with v = 0 beyond the grid. */
Component
ApplyHelmholtz(const cudaneuro::Extent &              extent,
               const cudaneuro::HelmholtzParameters & parameters,
               const Component &                      v);

/** (-alpha Laplacian - beta grad div + gamma) v on the periodic grid, with grad and div of central differences. */
Components
ApplyPeriodic(const cudaneuro::Extent &              extent,
              const cudaneuro::HelmholtzParameters & parameters,
              const Components &                     v);

/** A sweep of red-black successive over-relaxation as the textbooks have it. */
void
Sweep(const cudaneuro::Extent &              extent,
      const cudaneuro::HelmholtzParameters & parameters,
      const Component &                      force,
      Component &                            v);

/** Growth of the last of many iterations of Jacobi for f = 0: the largest eigenvalue of its square, as a root. */
double
MeasureJacobiSpectralRadius(const cudaneuro::Extent & extent, const cudaneuro::HelmholtzParameters & parameters);

} // namespace reference

#endif
