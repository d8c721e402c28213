// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "synthetic/SyntheticShapes.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{
namespace
{

/** Distances below this count as 0, because their directions are rounding errors. */
constexpr double touching = 1e-9;

/** Whether a ray from the point towards +x crosses the side. */
bool
IsCrossed(const PlanePoint & from, const PlanePoint & to, const PlanePoint & point)
{
  if ((from[1] > point[1]) == (to[1] > point[1]))
  {
    return false;
  }
  const double x = from[0] + (point[1] - from[1]) / (to[1] - from[1]) * (to[0] - from[0]);
  return point[0] < x;
}

} // namespace

OutlineView
ViewOfOutline(const Outline & outline, bool isClosed, const PlanePoint & point)
{
  bool              isInside = false;
  double            nearestSquare = 1e300;
  PlanePoint        nearestOffset{};
  PlanePoint        nearestNormal{};
  const std::size_t corners = outline.size();
  for (std::size_t corner = 0; corner < corners; ++corner)
  {
    const PlanePoint & from = outline[corner];
    const PlanePoint & to = outline[(corner + 1) % corners];
    isInside = isInside != IsCrossed(from, to, point);
    if (!isClosed && corner + 1 == corners)
    {
      continue;
    }
    const PlanePoint side{ to[0] - from[0], to[1] - from[1] };
    const double     squaredLength = side[0] * side[0] + side[1] * side[1];
    const double     along = ((point[0] - from[0]) * side[0] + (point[1] - from[1]) * side[1]) / squaredLength;
    const double     t = std::min(std::max(along, 0.0), 1.0);
    const PlanePoint offset{ point[0] - from[0] - t * side[0], point[1] - from[1] - t * side[1] };
    const double     square = offset[0] * offset[0] + offset[1] * offset[1];
    if (square < nearestSquare)
    {
      const double length = std::sqrt(squaredLength);
      nearestSquare = square;
      nearestOffset = offset;
      nearestNormal = { side[1] / length, -side[0] / length };
    }
  }
  const double distance = std::sqrt(nearestSquare);
  const double sign = isInside ? -1.0 : 1.0;
  if (distance > touching)
  {
    nearestNormal = { sign * nearestOffset[0] / distance, sign * nearestOffset[1] / distance };
  }
  return { sign * distance, nearestNormal };
}

} // namespace cudaneuro
