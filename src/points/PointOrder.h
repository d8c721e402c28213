// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_points_PointOrder_h
#define cudaneuro_points_PointOrder_h

#include <cstdint>
#include <vector>

namespace cudaneuro
{

/** Points that stand side by side in the spatial order, and are near each other in space: sums look at the bounding
 * boxes of groups, and pass over those that are far away. */
constexpr int pointsPerGroup = 16;

/** An order in which neighbors are neighbors in space: that of a k-d tree, which halves the points along the longest
 * side of their bounding box, again and again. The halves consist of whole groups, but for the last group of all. The
 * order depends on the positions alone, and on the points' numbers where positions are equal.
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
