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

/** Requires coordinates that are finite and not above 1e12 in magnitude, whose squares are finite in all units and
 * types that trajectories are computed in.
 * \param name of the points, for the message.
 * \throws InvalidParameterError naming the point and the coordinate */
void
RequirePositions(const std::string & name, int dimension, const std::vector<double> & positions);

/** \throws InvalidParameterError naming the point and the coordinate */
void
RequireFiniteMomenta(int dimension, std::int64_t numberOfPoints, const double * momenta);

/** Copies points from the host or the context's device. Their values are not checked.
 * \throws InvalidParameterError for points that are absent, of another type than Float or Double, or out of the
 * context's reach */
std::vector<double>
ReadPoints(
  Context & context, const std::string & name, int dimension, std::int64_t numberOfPoints, const ConstPoints & points);

/** Copies values to the host or the context's device; nothing where \p points are absent.
 * \throws InvalidParameterError for another type than Float or Double, and memory out of the context's reach */
void
WritePoints(Context & context, const std::string & name, const std::vector<double> & values, const Points & points);

} // namespace cudaneuro

#endif
