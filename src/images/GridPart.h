// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_GridPart_h
#define cudaneuro_images_GridPart_h

#include "cudaneuro/Geometry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace cudaneuro
{

/** Bounds along each axis in indices of a grid, which may lie between its voxels. */
struct IndexBounds
{
  std::array<double, 3> least{ HUGE_VAL, HUGE_VAL, HUGE_VAL };
  std::array<double, 3> largest{ -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };

  void
  Include(const std::array<double, 3> & index)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      least[axis] = std::min(least[axis], index[axis]);
      largest[axis] = std::max(largest[axis], index[axis]);
    }
  }
};

/** Returns the part of a grid that contains the bounds, which may extend beyond the grid; its voxels lie at positions
 * of the grid's voxels. */
inline Geometry
PartOfGrid(const Geometry & geometry, const IndexBounds & bounds)
{
  // A rounding error must not add another voxel.
  constexpr double      tolerance = 1e-3;
  Geometry              part = geometry;
  std::array<double, 3> first{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    first[axis] = std::floor(bounds.least[axis] + tolerance);
    part.grid.size[axis] = static_cast<std::int64_t>(std::ceil(bounds.largest[axis] - tolerance) - first[axis]) + 1;
  }
  part.origin = Compose(IndexToPoint(geometry), { AffineMap().matrix, first }).offset;
  return part;
}

} // namespace cudaneuro

#endif
