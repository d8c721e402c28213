// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_TriangleRowsCpu_h
#define cudaneuro_surface_TriangleRowsCpu_h

#include "core/IntegerMath.h"
#include "core/VectorDispatch.h"
#include "core/SoAField.h"
#include "surface/TriangleDistanceFormulas.h"
#include "surface/IndexBox.h"

#include <vector>

namespace cudaneuro::cpu
{

/** Number of planes of voxels that a thread processes at once. */
constexpr int slabPlanes = 4;

/** The interval of x in which a * x + b <= bound for all (a, b) so far. */
struct RowInterval
{
  float low;
  float high;

  void
  Cut(float a, float b, float bound)
  {
    const float end = (bound - b) / a;
    if (a > 0.0f)
    {
      high = std::min(high, end);
    }
    else if (a < 0.0f)
    {
      low = std::max(low, end);
    }
    else if (b > bound)
    {
      high = low - 1.0f;
    }
  }
};

/** The part of a row within reach of a triangle's plane, and not farther beyond one of its edges. \p start is the row's
 * point with x = 0. */
CUDANEURO_ALWAYS_INLINE RowInterval
IntervalNear(const TriangleShape & triangle, const SpaceVector<float> & start, float reach, RowInterval interval)
{
  const SpaceVector<float> fromA = start - triangle.a;
  const SpaceVector<float> fromB = fromA - triangle.ab;
  const float              height = Dot(fromA, triangle.normal);
  interval.Cut(triangle.normal.x, height, reach);
  interval.Cut(-triangle.normal.x, -height, reach);
  interval.Cut(triangle.beyondAb.x, Dot(fromA, triangle.beyondAb), reach);
  interval.Cut(triangle.beyondAc.x, Dot(fromA, triangle.beyondAc), reach);
  interval.Cut(triangle.beyondBc.x, Dot(fromB, triangle.beyondBc), reach);
  return interval;
}

/** Squared distances of the voxels of a grid to triangles or points. */
struct SquaredDistances
{
  Extent             extent{};
  SpaceVector<float> spacing{};
  float              reach = 0.0f;
  float *            values = nullptr;

  /** Lowers the values of a box to those of a triangle, where these are within reach. The triangle's coordinates are in
   * mm from the center of voxel \p origin. */
  CUDANEURO_ALWAYS_INLINE void
  Include(const TriangleShape & shape, const std::array<int, 3> & origin, const IndexBox & box) const
  {
    // Slightly more than the reach, so that rounding errors exclude nothing.
    const float enough = 1.001f * reach;
    for (int z = box.begin[2]; z < box.end[2]; ++z)
    {
      for (int y = box.begin[1]; y < box.end[1]; ++y)
      {
        const SpaceVector<float> start{ 0.0f,
                                        static_cast<float>(y - origin[1]) * spacing.y,
                                        static_cast<float>(z - origin[2]) * spacing.z };
        const RowInterval        all{ static_cast<float>(box.begin[0] - origin[0]) * spacing.x,
                               static_cast<float>(box.end[0] - 1 - origin[0]) * spacing.x };
        const RowInterval        part = IntervalNear(shape, start, enough, all);
        const int                begin = std::max(static_cast<int>(part.low / spacing.x) - 1 + origin[0], box.begin[0]);
        const int                end = std::min(static_cast<int>(part.high / spacing.x) + 2 + origin[0], box.end[0]);
        if (part.low <= part.high)
        {
          float * const row = values + (std::int64_t{ z } * extent.y + y) * extent.x;
          this->IncludeRow(shape, start, origin[0], begin, end, row);
        }
      }
    }
  }

  /** Lowers the values of a box to those of \p count shapes in the cell between voxel \p cell and the next ones, in mm
   * from the center of \p cell. Rows whose voxels all have values below the distance of the cell are skipped. */
  template <typename TShape>
  CUDANEURO_ALWAYS_INLINE void
  IncludeCell(const TShape * shapes, int count, const std::array<int, 3> & cell, const IndexBox & box) const
  {
    for (int z = box.begin[2]; z < box.end[2]; ++z)
    {
      const float startZ = static_cast<float>(z - cell[2]) * spacing.z;
      for (int y = box.begin[1]; y < box.end[1]; ++y)
      {
        const float   startY = static_cast<float>(y - cell[1]) * spacing.y;
        const float   squaredBound = SquaredBeyond(startY, spacing.y) + SquaredBeyond(startZ, spacing.z);
        float * const row = values + (std::int64_t{ z } * extent.y + y) * extent.x;
        if (this->IsNear(squaredBound, cell[0], box, row))
        {
          for (int i = 0; i < count; ++i)
          {
            this->IncludeRow(shapes[i], { 0.0f, startY, startZ }, cell[0], box.begin[0], box.end[0], row);
          }
        }
      }
    }
  }

private:
  /** Whether the cell may be nearer to a voxel of a row than its value so far. \p squaredBound is the row's squared
   * distance to the cell, along y and z. */
  CUDANEURO_ALWAYS_INLINE bool
  IsNear(float squaredBound, int cellX, const IndexBox & box, const float * row) const
  {
    int numberNear = 0;
    for (int x = box.begin[0]; x < box.end[0]; ++x)
    {
      const float bound = squaredBound + SquaredBeyond(static_cast<float>(x - cellX) * spacing.x, spacing.x);
      // The factor keeps rounding errors from excluding a voxel.
      numberNear += 0.999f * bound < row[x] ? 1 : 0;
    }
    return numberNear > 0;
  }

  template <typename TShape>
  CUDANEURO_ALWAYS_INLINE void
  IncludeRow(const TShape & shape, const SpaceVector<float> & start, int originX, int begin, int end, float * row) const
  {
    const float spacingX = spacing.x;
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (int x = begin; x < end; ++x)
    {
      const float squared = SquaredDistance(shape, { static_cast<float>(x - originX) * spacingX, start.y, start.z });
      row[x] = squared < row[x] ? squared : row[x];
    }
  }
};

/** Parts of a surface, listed for the slabs of planes near them: part i is in the list of each slab that has a plane of
 * [begin(i), end(i)). */
class SlabLists
{
public:
  template <typename TRange>
  SlabLists(int numberOfPlanes, std::int64_t numberOfParts, const TRange & range)
    : m_Begin(static_cast<std::size_t>(DivideUp(numberOfPlanes, slabPlanes)) + 1)
  {
    const auto forEach = [&](const auto & body) {
      for (std::int64_t part = 0; part < numberOfParts; ++part)
      {
        const auto [begin, end] = range(part);
        for (int slab = begin / slabPlanes; slab * slabPlanes < end; ++slab)
        {
          body(slab, part);
        }
      }
    };
    forEach([this](int slab, std::int64_t) { ++m_Begin[slab + 1]; });
    for (std::size_t slab = 1; slab < m_Begin.size(); ++slab)
    {
      m_Begin[slab] += m_Begin[slab - 1];
    }
    m_Parts.resize(static_cast<std::size_t>(m_Begin.back()));
    std::vector<std::int64_t> next = m_Begin;
    forEach([this, &next](int slab, std::int64_t part) { m_Parts[next[slab]++] = part; });
  }

  std::int64_t
  NumberOfSlabs() const
  {
    return static_cast<std::int64_t>(m_Begin.size()) - 1;
  }

  /** Calls body(part) for the parts of a slab. */
  template <typename TBody>
  CUDANEURO_ALWAYS_INLINE void
  ForEachPart(std::int64_t slab, const TBody & body) const
  {
    for (std::int64_t i = m_Begin[slab]; i < m_Begin[slab + 1]; ++i)
    {
      body(m_Parts[i]);
    }
  }

private:
  std::vector<std::int64_t> m_Begin;
  std::vector<std::int64_t> m_Parts;
};

} // namespace cudaneuro::cpu

#endif
