// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_HelmholtzParameters_h
#define cudaneuro_solvers_HelmholtzParameters_h

namespace cudaneuro
{

/** Coefficients of (-alpha Laplacian - beta grad div + gamma) v = f in units of voxels (Ha et al., eq. 1, with the
 * signs that make the operator positive). */
struct HelmholtzParameters
{
  double alpha = 1.0;  // > 0
  double beta = 0.0;   // >= 0; must be 0 except for Fourier transforms
  double gamma = 0.02; // > 0
  /** The factor of successive over-relaxation, in (0, 2). See OptimalOmega. */
  double omega = 1.0;
};

} // namespace cudaneuro

#endif
