// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_VelocityConstants_h
#define cudaneuro_registration_VelocityConstants_h

#include "cudaneuro/Registration.h"
#include "solvers/HelmholtzFormulas.h"

namespace cudaneuro
{

/** Gaussians of the iterations are cut where they are below this fraction of their peak: what is left out is below what a
 * step is known to. */
constexpr double velocityCut = 1e-3;

inline HelmholtzParameters
HelmholtzOf(const RegistrationParameters & parameters, const Extent & extent)
{
  HelmholtzParameters helmholtz;
  helmholtz.alpha = parameters.alpha;
  helmholtz.beta = parameters.beta;
  helmholtz.gamma = parameters.gamma;
  helmholtz.omega = OptimalOmega(extent, helmholtz);
  return helmholtz;
}

} // namespace cudaneuro

#endif
