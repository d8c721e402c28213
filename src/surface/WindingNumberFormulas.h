// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_WindingNumberFormulas_h
#define cudaneuro_surface_WindingNumberFormulas_h

#include "core/HostDevice.h"
#include "surface/TriangleDistanceFormulas.h"

#include <cmath>
#include <cstdint>

/** Crossings of a grid's rows with triangles, for both compilers.
 *
 * A row is a line along x through voxel centers. The winding number of a closed surface about a voxel is the sum of the
 * crossings of its row before it, each 1 or -1. It is right for each row if the triangles around a point or an edge on
 * the row agree which one of them is crossed. Therefore y and z are integers, for which the side of an edge on which a
 * row lies is known exactly; and rows are moved by an infinitesimal distance along y, and a still smaller one along z,
 * so that they cross no edges and points. */
namespace cudaneuro
{

/** A corner of a triangle: x in voxels, y and z in 2^-bits of a voxel. */
struct WindingCorner
{
  double       x;
  std::int64_t y;
  std::int64_t z;
};

/** Bits of the coordinates y and z, so that sums of products of their differences, as in an area, do not overflow 64
 * bits. */
constexpr int windingCoordinateBits = 30;

/** Number of bits for the fraction of a voxel, for a grid of \p longest voxels along y or z. */
inline int
WindingFractionBits(int longest)
{
  int bits = windingCoordinateBits;
  while (longest > 1 && bits > 0)
  {
    longest = longest / 2 + longest % 2;
    --bits;
  }
  return bits;
}

CUDANEURO_HOST_DEVICE WindingCorner
MakeWindingCorner(const SpaceVector<double> & point, const SpaceVector<double> & spacing, int fractionBits)
{
  const auto scale = static_cast<double>(std::int64_t{ 1 } << fractionBits);
  return { point.x / spacing.x,
           static_cast<std::int64_t>(std::floor(point.y / spacing.y * scale + 0.5)),
           static_cast<std::int64_t>(std::floor(point.z / spacing.z * scale + 0.5)) };
}

/** The rows that may cross a triangle. */
struct RowRange
{
  int beginY;
  int endY;
  int beginZ;
  int endZ;
};

CUDANEURO_HOST_DEVICE RowRange
RowsOf(const WindingCorner & a, const WindingCorner & b, const WindingCorner & c, int fractionBits)
{
  const auto lowest = [](std::int64_t u, std::int64_t v, std::int64_t w) {
    const std::int64_t lower = u < v ? u : v;
    return lower < w ? lower : w;
  };
  const auto firstFrom = [fractionBits](std::int64_t coordinate) {
    return static_cast<int>((coordinate + (std::int64_t{ 1 } << fractionBits) - 1) >> fractionBits);
  };
  const auto endAfter = [fractionBits](std::int64_t coordinate) {
    return static_cast<int>(coordinate >> fractionBits) + 1;
  };
  return { firstFrom(lowest(a.y, b.y, c.y)),
           endAfter(-lowest(-a.y, -b.y, -c.y)),
           firstFrom(lowest(a.z, b.z, c.z)),
           endAfter(-lowest(-a.z, -b.z, -c.z)) };
}

/** Twice the signed area of the triangle of an edge from \p u to \p v and the row, seen along x. */
CUDANEURO_HOST_DEVICE std::int64_t
                      AreaWithRow(const WindingCorner & u, const WindingCorner & v, std::int64_t y, std::int64_t z)
{
  return (v.y - u.y) * (z - u.z) - (v.z - u.z) * (y - u.y);
}

/** The sign of that area for the row after its infinitesimal displacement. \p u and \p v must be
 * different. */
CUDANEURO_HOST_DEVICE int
SideOfEdge(std::int64_t area, const WindingCorner & u, const WindingCorner & v)
{
  if (area != 0)
  {
    return area > 0 ? 1 : -1;
  }
  if (v.z != u.z)
  {
    return v.z < u.z ? 1 : -1;
  }
  return v.y > u.y ? 1 : -1;
}

/** The contribution of a triangle's crossing to the winding numbers of the voxels behind it: 1, -1, or 0 if there
 * is no crossing. Without a crossing, \p voxel is not changed; otherwise it is set to the first of these
 * voxels. */
CUDANEURO_HOST_DEVICE int
WindingOfCrossing(const WindingCorner & a,
                  const WindingCorner & b,
                  const WindingCorner & c,
                  std::int64_t          y,
                  std::int64_t          z,
                  int &                 voxel)
{
  const std::int64_t ofA = AreaWithRow(b, c, y, z);
  const std::int64_t ofB = AreaWithRow(c, a, y, z);
  const std::int64_t ofC = AreaWithRow(a, b, y, z);
  const std::int64_t area = ofA + ofB + ofC;
  if (area == 0)
  {
    return 0;
  }
  const int direction = area > 0 ? 1 : -1;
  if (SideOfEdge(ofA, b, c) != direction || SideOfEdge(ofB, c, a) != direction || SideOfEdge(ofC, a, b) != direction)
  {
    return 0;
  }
  const double x = (static_cast<double>(ofA) * a.x + static_cast<double>(ofB) * b.x + static_cast<double>(ofC) * c.x) /
                   static_cast<double>(area);
  // Rounding makes parts of a surface that touch at a voxel do so in spite of rounding errors.
  constexpr double perVoxel = 1048576.0;
  voxel = static_cast<int>(std::ceil(std::floor(x * perVoxel + 0.5) / perVoxel));
  return -direction;
}

} // namespace cudaneuro

#endif
