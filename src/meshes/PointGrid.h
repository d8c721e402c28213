// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_PointGrid_h
#define cudaneuro_meshes_PointGrid_h

#include "core/HostDevice.h"
#include "meshes/MeshDenoisingFormulas.h"

#include <algorithm>

namespace cudaneuro
{

/** A grid of cells into which points are sorted, to find nearby points. */
struct PointGrid
{
  Vector3 origin;
  float   perSide; // 1 / side
  int     size[3];

  CUDANEURO_HOST_DEVICE int
  Along(int axis, float coordinate, float begin) const
  {
    const float place = (coordinate - begin) * perSide;
    const float last = static_cast<float>(size[axis] - 1);
    return static_cast<int>(place < 0.0f ? 0.0f : (place > last ? last : place));
  }

  CUDANEURO_HOST_DEVICE int
  CellOf(const Vector3 & point) const
  {
    const int x = this->Along(0, point.x, origin.x);
    const int y = this->Along(1, point.y, origin.y);
    const int z = this->Along(2, point.z, origin.z);
    return (z * size[1] + y) * size[0] + x;
  }

  int
  NumberOfCells() const
  {
    return size[0] * size[1] * size[2];
  }

  /** Calls body(first cell, last cell) for the rows of cells that may have points within the radius, until it returns
   * false. */
  template <typename TBody>
  CUDANEURO_HOST_DEVICE void
  ForEachRowNear(const Vector3 & point, float radius, const TBody & body) const
  {
    const int beginX = this->Along(0, point.x - radius, origin.x);
    const int endX = this->Along(0, point.x + radius, origin.x);
    const int beginY = this->Along(1, point.y - radius, origin.y);
    const int endY = this->Along(1, point.y + radius, origin.y);
    const int beginZ = this->Along(2, point.z - radius, origin.z);
    const int endZ = this->Along(2, point.z + radius, origin.z);
    for (int z = beginZ; z <= endZ; ++z)
    {
      for (int y = beginY; y <= endY; ++y)
      {
        const int row = (z * size[1] + y) * size[0];
        if (!body(row + beginX, row + endX))
        {
          return;
        }
      }
    }
  }
};

/** Cells of half a radius, or larger if these were too many, that cover the box between two corners. */
inline PointGrid
MakePointGrid(const Vector3 & low, const Vector3 & high, float radius)
{
  constexpr float mostAlongAxis = 255.0f;
  const Vector3   extent = high - low;
  const float     side = std::max(0.5f * radius, std::max({ extent.x, extent.y, extent.z }) / mostAlongAxis);
  return { low,
           1.0f / side,
           { static_cast<int>(extent.x / side) + 1,
             static_cast<int>(extent.y / side) + 1,
             static_cast<int>(extent.z / side) + 1 } };
}

CUDANEURO_HOST_DEVICE float
SquaredDistance(const Vector3 & a, const Vector3 & b)
{
  const Vector3 difference = a - b;
  return Dot(difference, difference);
}

/** If a triangle has too many neighbors, its squared radius is multiplied by this factor until they are few enough; if
 * that does not suffice, some are omitted. */
constexpr float shrinkage = 0.64f;
constexpr int   mostAttempts = 24;

} // namespace cudaneuro

#endif
