// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_SyntheticVectors_h
#define cudaneuro_surface_SyntheticVectors_h

#include <array>
#include <cmath>

/** Vectors of the generator of surfaces. */
namespace cudaneuro::synthetic
{

using Vector = std::array<double, 3>;

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

inline Vector
Difference(const Vector & a, const Vector & b)
{
  return { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
}

/** a + factor b */
inline Vector
Sum(const Vector & a, double factor, const Vector & b)
{
  return { a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2] };
}

inline double
Length(const Vector & a)
{
  return std::sqrt(Dot(a, a));
}

} // namespace cudaneuro::synthetic

#endif
