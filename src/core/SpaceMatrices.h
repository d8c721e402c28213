// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_SpaceMatrices_h
#define cudaneuro_core_SpaceMatrices_h

#include "cudaneuro/Geometry.h"

#include <array>
#include <cmath>

/** Vectors and matrices of three dimensions; matrices are stored by rows. */
namespace cudaneuro
{

using Vector3d = std::array<double, 3>;
using Matrix3d = std::array<double, 9>;

inline double
Dot(const Vector3d & a, const Vector3d & b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline Vector3d
Cross(const Vector3d & a, const Vector3d & b)
{
  return { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
}

inline Vector3d
Difference(const Vector3d & a, const Vector3d & b)
{
  return { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
}

/** Returns a + factor b. */
inline Vector3d
Sum(const Vector3d & a, double factor, const Vector3d & b)
{
  return { a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2] };
}

inline Vector3d
Scaled(double factor, const Vector3d & a)
{
  return { factor * a[0], factor * a[1], factor * a[2] };
}

inline double
Length(const Vector3d & a)
{
  return std::sqrt(Dot(a, a));
}

inline Matrix3d
Multiply(const Matrix3d & a, const Matrix3d & b)
{
  Matrix3d product{};
  for (int row = 0; row < 3; ++row)
  {
    for (int column = 0; column < 3; ++column)
    {
      for (int k = 0; k < 3; ++k)
      {
        product[3 * row + column] += a[3 * row + k] * b[3 * k + column];
      }
    }
  }
  return product;
}

inline Vector3d
Multiply(const Matrix3d & matrix, const Vector3d & vector)
{
  Vector3d product{};
  for (int row = 0; row < 3; ++row)
  {
    for (int k = 0; k < 3; ++k)
    {
      product[row] += matrix[3 * row + k] * vector[k];
    }
  }
  return product;
}

inline Matrix3d
Transposed(const Matrix3d & m)
{
  return { m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8] };
}

/** Returns the matrix K with K v = vector x v. */
inline Matrix3d
CrossProductMatrix(const Vector3d & v)
{
  return { 0.0, -v[2], v[1], v[2], 0.0, -v[0], -v[1], v[0], 0.0 };
}

/** Returns the mapped point. */
inline Vector3d
Apply(const AffineMap & map, const Vector3d & point)
{
  Vector3d image = map.offset;
  for (int entry = 0; entry < 9; ++entry)
  {
    image[entry / 3] += map.matrix[entry] * point[entry % 3];
  }
  return image;
}

} // namespace cudaneuro

#endif
