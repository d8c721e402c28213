// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_CellListsCpu_h
#define cudaneuro_meshes_CellListsCpu_h

#include "meshes/PointGrid.h"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace cudaneuro::cpu
{

/** Vector i of an array of coordinates. */
inline Vector3
At(const std::vector<float> & vectors, std::int64_t i)
{
  const float * const v = vectors.data() + 3 * i;
  return { v[0], v[1], v[2] };
}

/** Points sorted by the cells in which they are. */
struct CellLists
{
  PointGrid                 grid{};
  std::vector<std::int32_t> first;
  std::vector<std::int32_t> members;

  CellLists(const std::vector<float> & points, float radius)
  {
    const auto count = static_cast<std::int64_t>(points.size() / 3);
    Vector3    low = At(points, 0);
    Vector3    high = low;
    for (std::int64_t i = 1; i < count; ++i)
    {
      const Vector3 point = At(points, i);
      low = { std::min(low.x, point.x), std::min(low.y, point.y), std::min(low.z, point.z) };
      high = { std::max(high.x, point.x), std::max(high.y, point.y), std::max(high.z, point.z) };
    }
    grid = MakePointGrid(low, high, radius);
    first.assign(static_cast<std::size_t>(grid.NumberOfCells()) + 1, 0);
    std::vector<std::int32_t> cells(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
    {
      cells[i] = grid.CellOf(At(points, i));
      ++first[cells[i] + 1];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::int32_t> next(first.begin(), first.end() - 1);
    members.resize(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
    {
      members[next[cells[i]]++] = static_cast<std::int32_t>(i);
    }
  }

  /** Calls body(point) for the points within a radius, until it returns false. */
  template <typename TBody>
  void
  ForEachNear(const std::vector<float> & points, const Vector3 & from, float squaredRadius, const TBody & body) const
  {
    grid.ForEachRowNear(from, std::sqrt(squaredRadius), [&](int firstCell, int lastCell) {
      for (std::int32_t i = first[firstCell]; i < first[lastCell + 1]; ++i)
      {
        if (SquaredDistance(from, At(points, members[i])) <= squaredRadius && !body(members[i]))
        {
          return false;
        }
      }
      return true;
    });
  }
};

} // namespace cudaneuro::cpu

#endif
