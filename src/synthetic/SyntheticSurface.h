// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_synthetic_SyntheticSurface_h
#define cudaneuro_synthetic_SyntheticSurface_h

#include <array>
#include <cstdint>

namespace cudaneuro
{

/** A point of the synthetic surface, and the factor by which the map from the unit sphere enlarges areas there. */
struct SurfacePoint
{
  std::array<double, 3> position;
  double                areaFactor;
};

/** The surface as a map of the unit sphere: u goes to B((1 + f(x)) x) with x = (30 u_x, 12.5 u_y, 15 u_z) in mm, where
 * f are the folds, a sum of sines, and B is a bend, which adds 0.006 / mm (x^2 - 300 mm^2) to y. The surface is closed
 * and does not intersect itself, because 1 + f > 0 and B is invertible. */
SurfacePoint
SurfaceAt(const std::array<double, 3> & direction);

/** Half of the extents of a box around the origin that encloses the surface, in mm. */
std::array<double, 3>
HalfExtentOfSurface();

/** Points that are distributed uniformly by area, each a function of its index. */
class SurfaceSampler
{
public:
  explicit SurfaceSampler(std::uint64_t key);

  std::array<double, 3>
  PointAt(std::uint64_t index) const;

  /** The area of the surface in mm^2, to a few thousandths. */
  double
  GetArea() const
  {
    return m_Area;
  }

private:
  std::uint64_t m_Key;
  double        m_Area;
  /** Slightly above the largest areaFactor. */
  double m_LargestFactor;
};

} // namespace cudaneuro

#endif
