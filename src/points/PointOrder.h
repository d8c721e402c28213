// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_points_PointOrder_h
#define cudaneuro_points_PointOrder_h

#include <cstdint>
#include <vector>

namespace cudaneuro
{

/** Number of consecutive points in a group. They are near each other in space, so that sums can test the bounding boxes
 * of groups, and skip distant ones. */
constexpr int pointsPerGroup = 16;

/** An order in which neighbors in memory are neighbors in space: that of a k-d tree, which repeatedly halves the points
 * along the longest side of their bounding box. The halves consist of whole groups, except for the very last group. The
 * order depends only on the positions, and on the points' numbers where positions are equal.
 * \param positions dimension coordinates for each point, finite
 * \returns the index of the k-th point of the order */
std::vector<std::int32_t>
SpatialOrder(int dimension, const std::vector<double> & positions);

/** The squared distance from which on pairs are omitted, in units in which the kernel is 2^(-distance^2): all omitted
 * pairs together are below the rounding error of one term at distance 0.
 * \param mantissaBits of the floating-point numbers of the sums */
double
NegligibleSquaredDistance(std::int64_t numberOfPoints, int mantissaBits);

} // namespace cudaneuro

#endif
