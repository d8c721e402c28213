// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_ZeroLevelFormulas_h
#define cudaneuro_surface_ZeroLevelFormulas_h

#include "core/HostDevice.h"
#include "core/SoAField.h"
#include "surface/TriangleDistanceFormulas.h"

#include <cmath>
#include <cstdint>

/** The zero level in a cell of a grid, for both compilers.
 *
 * Triangles: the cell between eight voxel centers is divided into six tetrahedra along its diagonal (Kuhn 1960). As all
 * cells are divided in the same way, neighbors agree on the diagonals of their faces. In each tetrahedron the field is
 * the linear function through its values at the four corners, whose zero level is a triangle or a plane quadrilateral:
 * there are no gaps, and no ambiguous cases.
 *
 * Midpoints: those of edges between a corner inside and one outside.
 *
 * Corners are numbers from 0 to 7, whose bits are the coordinates x (1), y (2) and z (4). */
namespace cudaneuro
{

constexpr int tetrahedraPerCell = 6;
/** Whether a value is inside, which values below 0 are. */
CUDANEURO_HOST_DEVICE bool
IsInside(float value)
{
  return value < 0.0f;
}

/** The field of a label, compared in double precision, which represents the values of all pixel types. */
template <typename TPixel>
CUDANEURO_HOST_DEVICE float
LevelOf(TPixel pixel, double label)
{
  return static_cast<double>(pixel) == label ? -1.0f : 1.0f;
}

/** The corners of a tetrahedron, those inside first. */
struct SortedTetrahedron
{
  /** Four bits per corner. */
  unsigned int corners = 0;
  int          numberInside = 0;

  /** \p values are those of the cell's corners. The tetrahedron's corners form a path from corner 0 along one axis
   * after the other to corner 7, and \p tetrahedron selects one of the six orders of the axes. */
  CUDANEURO_HOST_DEVICE
  SortedTetrahedron(const float * values, int tetrahedron)
  {
    const int firstAxis = tetrahedron / 2;
    const int secondAxis = (firstAxis + 1 + tetrahedron % 2) % 3;
    int       numberOutside = 0;
    for (int i = 0; i < 4; ++i)
    {
      const unsigned int upToSecond = i < 2 ? 1U << firstAxis : 1U << firstAxis | 1U << secondAxis;
      const unsigned int corner = i == 0 ? 0U : (i == 3 ? 7U : upToSecond);
      const bool         isInside = IsInside(values[corner]);
      const int          place = isInside ? numberInside : 3 - numberOutside;
      numberInside += isInside ? 1 : 0;
      numberOutside += isInside ? 0 : 1;
      corners |= corner << 4 * place;
    }
  }

  CUDANEURO_HOST_DEVICE unsigned int
  Corner(int place) const
  {
    return corners >> 4 * place & 7U;
  }

  CUDANEURO_HOST_DEVICE int
  NumberOfTriangles() const
  {
    return numberInside == 2 ? 2 : (numberInside == 1 || numberInside == 3 ? 1 : 0);
  }
};

CUDANEURO_HOST_DEVICE SpaceVector<double>
                      CornerPosition(unsigned int corner, const SpaceVector<double> & spacing)
{
  return { corner & 1U ? spacing.x : 0.0, corner & 2U ? spacing.y : 0.0, corner & 4U ? spacing.z : 0.0 };
}

/** The zero of the field on the edge from a corner inside to one outside. */
CUDANEURO_HOST_DEVICE SpaceVector<double>
ZeroOnEdge(const float * values, const SpaceVector<double> & spacing, unsigned int inside, unsigned int outside)
{
  const double              valueInside = values[inside];
  const double              fraction = valueInside / (valueInside - static_cast<double>(values[outside]));
  const SpaceVector<double> from = CornerPosition(inside, spacing);
  const SpaceVector<double> to = CornerPosition(outside, spacing);
  return from - fraction * (from - to);
}

/** Corner \p corner of triangle \p triangle of the zero level in a tetrahedron, in mm from corner 0 of the cell. */
CUDANEURO_HOST_DEVICE SpaceVector<double>
                      ZeroLevelCorner(const float *               values,
                                      const SpaceVector<double> & spacing,
                                      const SortedTetrahedron &   tetrahedron,
                                      int                         triangle,
                                      int                         corner)
{
  // Places of the corners at the ends of the edge. Two inside and two outside yield the quadrilateral 02 03 13 12.
  int inside = tetrahedron.numberInside == 1 ? 0 : corner;
  int outside = tetrahedron.numberInside == 1 ? 1 + corner : 3;
  if (tetrahedron.numberInside == 2)
  {
    const int place = corner == 0 ? 0 : corner + triangle;
    inside = place < 2 ? 0 : 1;
    outside = place == 0 || place == 3 ? 2 : 3;
  }
  return ZeroOnEdge(values, spacing, tetrahedron.Corner(inside), tetrahedron.Corner(outside));
}

/** Triangles of linear interpolation. */
struct ZeroLevelTriangles
{
  using Shape = TriangleShape;
  static constexpr int perCell = 2 * tetrahedraPerCell;

  /** Sets \p shape to the triangle with number \p i, in mm from corner 0.
   * \returns whether the zero level has it */
  static CUDANEURO_HOST_DEVICE bool
  Make(const float * values, const SpaceVector<double> & spacing, int i, TriangleShape & shape)
  {
    const SortedTetrahedron tetrahedron(values, i / 2);
    const int               triangle = i % 2;
    if (triangle >= tetrahedron.NumberOfTriangles())
    {
      return false;
    }
    shape = MakeTriangleShape(ZeroLevelCorner(values, spacing, tetrahedron, triangle, 0),
                              ZeroLevelCorner(values, spacing, tetrahedron, triangle, 1),
                              ZeroLevelCorner(values, spacing, tetrahedron, triangle, 2));
    return true;
  }
};

/** Zeros of three of a cell's edges. They are points of the triangles of linear interpolation, from which most voxels
 * get a distance that is only slightly larger than that to the triangles. */
struct ZeroLevelPoints
{
  using Shape = PointShape;
  static constexpr int perCell = 3;

  /** Sets \p shape to the zero of the edge along axis \p i from corner 0, in mm from that corner.
   * \returns whether the edge has a zero */
  static CUDANEURO_HOST_DEVICE bool
  Make(const float * values, const SpaceVector<double> & spacing, int i, PointShape & shape)
  {
    const unsigned int end = 1U << i;
    if (IsInside(values[0]) == IsInside(values[end]))
    {
      return false;
    }
    const unsigned int inside = IsInside(values[0]) ? 0U : end;
    shape.position = ToFloat(ZeroOnEdge(values, spacing, inside, end - inside));
    return true;
  }
};

/** Midpoints of edges. */
struct ZeroLevelMidpoints
{
  using Shape = PointShape;
  static constexpr int perCell = 12;

  /** Sets \p shape to the midpoint of the edge with number \p i, in mm from corner 0.
   * \returns whether the zero level crosses the edge */
  static CUDANEURO_HOST_DEVICE bool
  Make(const float * values, const SpaceVector<double> & spacing, int i, PointShape & shape)
  {
    const int          axis = i / 4;
    const unsigned int along = 1U << axis;
    const unsigned int from = (i & 1 ? 1U << (axis + 1) % 3 : 0U) | (i & 2 ? 1U << (axis + 2) % 3 : 0U);
    if (IsInside(values[from]) == IsInside(values[from | along]))
    {
      return false;
    }
    const SpaceVector<double> end = CornerPosition(from | along, spacing);
    const SpaceVector<double> start = CornerPosition(from, spacing);
    shape.position = ToFloat(end - 0.5 * (end - start));
    return true;
  }
};

/** The parameters for computing signed distances from squared ones. */
struct DistanceFinish
{
  Extent extent{};
  float  reach = 0.0f;
  /** The largest spacing of the axes. */
  double largestSpacing = 0.0;
  /** Whether the field must stay 0 where linear interpolation between neighbors along the axes is 0. */
  bool          keepsZeros = false;
  const float * field = nullptr;
  const float * squared = nullptr;
};

CUDANEURO_HOST_DEVICE float
SignedDistanceAt(const DistanceFinish & finish, std::int64_t voxel)
{
  const float distance = DistanceWithin(finish.reach, finish.squared[voxel]);
  return IsInside(finish.field[voxel]) ? -distance : distance;
}

/** The value of the distances of a voxel and its neighbors, interpolated linearly, where that of the field is 0: it is
 * not 0, because triangles are chords. */
struct ErrorAtZeros
{
  double sum = 0.0;
  int    count = 0;

  CUDANEURO_HOST_DEVICE void
  Include(const DistanceFinish & finish, std::int64_t voxel, std::int64_t neighbor)
  {
    const double value = finish.field[voxel];
    const double valueThere = finish.field[neighbor];
    if (IsInside(finish.field[voxel]) != IsInside(finish.field[neighbor]) &&
        finish.squared[neighbor] < finish.reach * finish.reach)
    {
      const double fraction = value / (value - valueThere);
      const double distance = SignedDistanceAt(finish, voxel);
      sum += distance + fraction * (SignedDistanceAt(finish, neighbor) - distance);
      ++count;
    }
  }
};

/** The signed distance of a voxel; with \c keepsZeros, minus the mean error at the zeros around it. Otherwise the zero
 * level would move inward, toward its chords, whenever distances are recomputed. */
CUDANEURO_HOST_DEVICE float
FinishedDistance(const DistanceFinish & finish, int x, int y, int z)
{
  const Extent &     extent = finish.extent;
  const std::int64_t planeVoxels = std::int64_t{ extent.x } * extent.y;
  const std::int64_t voxel = z * planeVoxels + std::int64_t{ y } * extent.x + x;
  const float        distance = SignedDistanceAt(finish, voxel);
  // Neighbors on the other side are at most one spacing away.
  const bool mayHaveZeros = std::fabs(distance) < finish.reach && std::fabs(distance) <= 1.001 * finish.largestSpacing;
  if (!finish.keepsZeros || !mayHaveZeros)
  {
    return distance;
  }
  ErrorAtZeros       error;
  const int          coordinates[3] = { x, y, z };
  const int          sizes[3] = { extent.x, extent.y, extent.z };
  const std::int64_t steps[3] = { 1, extent.x, planeVoxels };
  for (int axis = 0; axis < 3; ++axis)
  {
    if (coordinates[axis] > 0)
    {
      error.Include(finish, voxel, voxel - steps[axis]);
    }
    if (coordinates[axis] + 1 < sizes[axis])
    {
      error.Include(finish, voxel, voxel + steps[axis]);
    }
  }
  const float corrected = error.count > 0 ? static_cast<float>(distance - error.sum / error.count) : distance;
  return IsInside(corrected) == IsInside(distance) ? corrected : distance;
}

} // namespace cudaneuro

#endif
