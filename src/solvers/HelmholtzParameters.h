// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_HelmholtzParameters_h
#define cudaneuro_solvers_HelmholtzParameters_h

namespace cudaneuro
{

/** Of (-alpha Laplacian - beta grad div + gamma) v = f (Ha et al., eq. 1, with the signs that make it positive), in
 * units of voxels. */
struct HelmholtzParameters
{
  double alpha = 1.0;  // > 0
  double beta = 0.0;   // >= 0; only the Fourier transform takes others than 0
  double gamma = 0.02; // > 0
  /** Of successive over-relaxation; in (0, 2). See OptimalOmega. */
  double omega = 1.0;
};

} // namespace cudaneuro

#endif
