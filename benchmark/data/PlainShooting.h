// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef PlainShooting_h
#define PlainShooting_h

#include "cudaneuro/GeodesicShooting.h"

#include <vector>

namespace cudaneuro::benchmark
{

/** The loss of geodesic shooting and its gradient by Euler steps, in float, in plain C++: loops over all pairs of
 * points with std::exp, on one thread. The vectorized implementation is compared with it.
 * \param templatePoints, target, momenta three numbers a point.
 * \param gradient receives the derivatives by the momenta.
 * \returns the loss */
double
PlainLossAndGradient(const GeodesicShootingParameters & parameters,
                     const std::vector<double> &        templatePoints,
                     const std::vector<double> &        target,
                     const std::vector<double> &        momenta,
                     std::vector<double> &              gradient);

} // namespace cudaneuro::benchmark

#endif
