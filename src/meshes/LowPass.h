// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_LowPass_h
#define cudaneuro_meshes_LowPass_h

#include <vector>

namespace cudaneuro
{

/** The coefficients c of the polynomial sum_i c_i T_i(1 - k / 2) in the eigenvalues k, from 0 to 2, of the umbrella
 * operator, with Chebyshev polynomials T_i: the ideal low-pass filter under a Hamming window (Taubin, Zhang and Golub
 * 1996). The pass band is widened until the response at its nominal end is 1, as it would be without a window. The
 * coefficients add up to 1. */
std::vector<double>
LowPassCoefficients(double passBand, int steps);

} // namespace cudaneuro

#endif
