// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_PointVectors_h
#define cudaneuro_meshes_PointVectors_h

#include "cudaneuro/SignedDistance.h"

#include <array>
#include <cmath>
#include <cstdint>

/** Points of surfaces in double precision. */
namespace cudaneuro::pointvectors
{

using Vector = std::array<double, 3>;

inline Vector
PointAt(const ConstTriangles & surface, std::int64_t point)
{
  const double * const p = surface.points + 3 * point;
  return { p[0], p[1], p[2] };
}

inline Vector
Difference(const Vector & a, const Vector & b)
{
  return { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
}

inline double
Dot(const Vector & a, const Vector & b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline Vector
Cross(const Vector & a, const Vector & b)
{
  return { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
}

inline double
Length(const Vector & a)
{
  return std::sqrt(Dot(a, a));
}

} // namespace cudaneuro::pointvectors

#endif
