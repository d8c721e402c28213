// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_points_PointArrays_h
#define cudaneuro_points_PointArrays_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Points.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cudaneuro
{

/** Requires finite coordinates of at most 1e12 in magnitude, whose squares are finite in all units and types in which
 * trajectories are computed.
 * \param name of the points, for the message
 * \throws InvalidParameterError naming the point and the coordinate */
void
RequirePositions(const std::string & name, int dimension, const std::vector<double> & positions);

/** \throws InvalidParameterError naming the point and the coordinate */
void
RequireFiniteMomenta(int dimension, std::int64_t numberOfPoints, const double * momenta);

/** Copies points from the host or the context's device. Their values are not checked.
 * \throws InvalidParameterError for points that are absent, of another type than Float or Double, or in memory that the
 * context cannot reach */
std::vector<double>
ReadPoints(
  Context & context, const std::string & name, int dimension, std::int64_t numberOfPoints, const ConstPoints & points);

/** Copies values to the host or the context's device; does nothing if \p points are absent.
 * \throws InvalidParameterError for another type than Float or Double, and memory that the context cannot reach */
void
WritePoints(Context & context, const std::string & name, const std::vector<double> & values, const Points & points);

} // namespace cudaneuro

#endif
