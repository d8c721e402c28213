// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_MappedRowCpu_h
#define cudaneuro_metrics_MappedRowCpu_h

#include "metrics/MetricEvaluator.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cudaneuro::cpu
{

/** The positions in the moving image of the voxels of a row of the fixed image. They are on a line, so the positions on
 * the moving grid are those of the voxels in [begin, end). */
struct MappedRow
{
  /** The position of the row's voxel 0. */
  double position[3] = {};
  double step[3] = {};
  int    begin = 0;
  int    end = 0;

  double
  At(int axis, int x) const
  {
    return step[axis] * x + position[axis];
  }

  /** Excludes the voxels whose positions along an axis are below \p lower, or not below \p upper. */
  void
  Clip(int axis, double lower, double upper)
  {
    const auto isInside = [&](int x) { return this->At(axis, x) >= lower && this->At(axis, x) < upper; };
    if (step[axis] != 0.0)
    {
      const double atLower = (lower - position[axis]) / step[axis];
      const double atUpper = (upper - position[axis]) / step[axis];
      const auto   bounded = [&](double x) {
        return std::min(std::max(x, static_cast<double>(begin)), static_cast<double>(end));
      };
      // The range is one voxel wider on either side, because the quotients are rounded.
      begin = std::max(begin, static_cast<int>(bounded(std::min(atLower, atUpper))) - 1);
      end = std::min(end, static_cast<int>(bounded(std::max(atLower, atUpper))) + 2);
    }
    while (begin < end && !isInside(begin))
    {
      ++begin;
    }
    while (begin < end && !isInside(end - 1))
    {
      --end;
    }
  }
};

/** Returns row (y, z), of \p length voxels, mapped to a grid, with the range for which IsInside of ComparisonFormulas.h
 * is true. \param reach how far the grid extends beyond its outermost centers */
inline MappedRow
MapRow(const AffineMap & map,
       int               y,
       int               z,
       int               length,
       const Extent &    to,
       const GridSides & extended = {},
       double            reach = 0.5)
{
  constexpr double infinity = std::numeric_limits<double>::infinity();
  MappedRow        row;
  row.end = length;
  const int lengths[3] = { to.x, to.y, to.z };
  for (int axis = 0; axis < 3; ++axis)
  {
    const double * const m = map.matrix.data() + 3 * axis;
    row.step[axis] = m[0];
    row.position[axis] = m[1] * y + (m[2] * z + map.offset[axis]);
    row.Clip(
      axis, extended.lower[axis] ? -infinity : -reach, extended.upper[axis] ? infinity : lengths[axis] - 1.0 + reach);
  }
  return row;
}

} // namespace cudaneuro::cpu

#endif
