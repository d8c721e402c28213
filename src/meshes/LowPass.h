// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_LowPass_h
#define cudaneuro_meshes_LowPass_h

#include <vector>

namespace cudaneuro
{

/** The coefficients c of the polynomial sum_i c_i T_i(1 - k / 2) in the eigenvalues k, from 0 to 2, of the umbrella
 * operator, with Chebyshev's polynomials T_i: the ideal low-pass filter under a Hamming window (Taubin, Zhang and
 * Golub 1996). The pass band is wider than asked for by so much that the response there is 1, as if there were no
 * window. They add up to 1. */
std::vector<double>
LowPassCoefficients(double passBand, int steps);

} // namespace cudaneuro

#endif
