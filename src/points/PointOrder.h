// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_points_PointOrder_h
#define cudaneuro_points_PointOrder_h

#include <cstdint>
#include <vector>

namespace cudaneuro
{

/** The order of points along a space-filling curve (Morton's), so that neighbors in the order are neighbors in space.
 * Points at the same place keep their order.
 * \param positions dimension coordinates for each point, finite.
 * \returns the index of the k-th point of the order */
std::vector<std::int32_t>
SpatialOrder(int dimension, const std::vector<double> & positions);

/** The squared distance, in units in which the kernel is 2^(-distance^2), from which on pairs are left out: all of them
 * together are then below the rounding error of one term of distance 0.
 * \param mantissaBits of the floating-point numbers of the sums. */
double
NegligibleSquaredDistance(std::int64_t numberOfPoints, int mantissaBits);

} // namespace cudaneuro

#endif
