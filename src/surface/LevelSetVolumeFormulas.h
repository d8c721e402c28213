// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_LevelSetVolumeFormulas_h
#define cudaneuro_surface_LevelSetVolumeFormulas_h

#include "core/HostDevice.h"
#include "surface/LevelSetVolume.h"

/** The volume below zero of linear functions on tetrahedra, for both compilers. */
namespace cudaneuro
{

/** The fraction of a tetrahedron that a plane cuts off around one corner: the linear function has the value \p corner
 * there, and values of the other sign, or 0, at the other corners. */
CUDANEURO_HOST_DEVICE double
CornerFraction(double corner, double a, double b, double c)
{
  return corner / (corner - a) * (corner / (corner - b)) * (corner / (corner - c));
}

CUDANEURO_HOST_DEVICE void
Order(double & a, double & b)
{
  const double smaller = b < a ? b : a;
  b = b < a ? a : b;
  a = smaller;
}

/** The fraction of a tetrahedron where the linear function with these values at its corners is below 0. */
CUDANEURO_HOST_DEVICE double
FractionBelowZero(double a, double b, double c, double d)
{
  Order(a, b);
  Order(c, d);
  Order(a, c);
  Order(b, d);
  Order(b, c);
  if (a >= 0.0)
  {
    return 0.0;
  }
  if (d < 0.0)
  {
    return 1.0;
  }
  if (b >= 0.0)
  {
    return CornerFraction(a, b, c, d);
  }
  if (c < 0.0)
  {
    return 1.0 - CornerFraction(d, a, b, c);
  }
  // A wedge between the edge from a to b and the points where the function is 0 on the other edges, at the fractions ac
  // and ad of the edges from a, and bc and bd of those from b. It consists of three tetrahedra.
  const double ac = a / (a - c);
  const double ad = a / (a - d);
  const double bc = b / (b - c);
  const double bd = b / (b - d);
  return ac * ad * (1.0 - bd) + ac * bd * (1.0 - bc) + bc * bd;
}

/** A sum of cells' volumes. Whole cells are counted as integers, so that only other cells are rounded. */
struct VolumePartial
{
  std::int64_t wholeCells;
  double       parts;

  CUDANEURO_HOST_DEVICE static VolumePartial
  Empty()
  {
    return { 0, 0.0 };
  }

  CUDANEURO_HOST_DEVICE void
  Include(const VolumePartial & other)
  {
    wholeCells += other.wholeCells;
    parts += other.parts;
  }

  /** Adds a cell with values \p v at its corners, x fastest. */
  CUDANEURO_HOST_DEVICE void
  AddCell(const double (&v)[8])
  {
    int below = 0;
    for (const double value : v)
    {
      below += value < 0.0 ? 1 : 0;
    }
    if (below == 8)
    {
      ++wholeCells;
    }
    else if (below > 0)
    {
      // The tetrahedra are the six paths along edges from corner 0 to corner 7.
      const double sum = FractionBelowZero(v[0], v[1], v[3], v[7]) + FractionBelowZero(v[0], v[1], v[5], v[7]) +
                         FractionBelowZero(v[0], v[2], v[3], v[7]) + FractionBelowZero(v[0], v[2], v[6], v[7]) +
                         FractionBelowZero(v[0], v[4], v[5], v[7]) + FractionBelowZero(v[0], v[4], v[6], v[7]);
      parts += sum / 6.0;
    }
  }

  double
  Total() const
  {
    return static_cast<double>(wholeCells) + parts;
  }
};

/** The distance of voxel \p i plus its offset. */
CUDANEURO_HOST_DEVICE double
OffsetDistance(const OffsetDistances & field, std::int64_t i)
{
  const bool isMoved = field.mask == nullptr || field.mask[i] != 0;
  return static_cast<double>(field.distances[i]) + (isMoved ? field.offset : 0.0);
}

/** Numbers of cells between voxels. */
CUDANEURO_HOST_DEVICE Extent
CellsOf(const Extent & extent)
{
  return { extent.x - 1, extent.y - 1, extent.z - 1 };
}

} // namespace cudaneuro

#endif
