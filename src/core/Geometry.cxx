// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/Geometry.h"
#include "core/IntegerMath.h"

#include "core/ParameterChecks.h"
#include "core/SpaceMatrices.h"
#include "cudaneuro/Error.h"
#include "cudaneuro/ImageOperations.h"

#include <cmath>

namespace cudaneuro
{
namespace
{

using Matrix = Matrix3d;
using Vector = Vector3d;

/** Returns the determinant of the 2 x 2 matrix without row \p row and column \p column, with the sign of their place:
 * rows and columns are taken in cyclic order. */
double
Cofactor(const Matrix & m, int row, int column)
{
  const int r1 = (row + 1) % 3;
  const int r2 = (row + 2) % 3;
  const int c1 = (column + 1) % 3;
  const int c2 = (column + 2) % 3;
  return m[3 * r1 + c1] * m[3 * r2 + c2] - m[3 * r1 + c2] * m[3 * r2 + c1];
}

/** Returns the product of the columns' lengths, which is the largest magnitude of a determinant with these. */
double
ProductOfColumnLengths(const Matrix & m)
{
  double product = 1.0;
  for (int column = 0; column < 3; ++column)
  {
    product *= std::sqrt(m[column] * m[column] + m[3 + column] * m[3 + column] + m[6 + column] * m[6 + column]);
  }
  return product;
}

Matrix
Inverse(const Matrix & m)
{
  const double     determinant = m[0] * Cofactor(m, 0, 0) + m[1] * Cofactor(m, 0, 1) + m[2] * Cofactor(m, 0, 2);
  constexpr double smallest = 1e-12;
  if (!(std::abs(determinant) > smallest * ProductOfColumnLengths(m)) || !std::isfinite(1.0 / determinant))
  {
    throw InvalidParameterError("the determinant of the matrix is " + std::to_string(determinant) +
                                "; it must be that of a map with an inverse");
  }
  Matrix inverse;
  for (int row = 0; row < 3; ++row)
  {
    for (int column = 0; column < 3; ++column)
    {
      inverse[3 * row + column] = Cofactor(m, column, row) / determinant;
    }
  }
  return inverse;
}

} // namespace

AffineMap
Compose(const AffineMap & outer, const AffineMap & inner)
{
  AffineMap map{ Multiply(outer.matrix, inner.matrix), Multiply(outer.matrix, inner.offset) };
  for (int axis = 0; axis < 3; ++axis)
  {
    map.offset[axis] += outer.offset[axis];
  }
  return map;
}

AffineMap
Inverse(const AffineMap & map)
{
  AffineMap inverse;
  inverse.matrix = Inverse(map.matrix);
  inverse.offset = Multiply(inverse.matrix, map.offset);
  for (double & offset : inverse.offset)
  {
    offset = -offset;
  }
  return inverse;
}

AffineMap
IndexToPoint(const Geometry & geometry)
{
  AffineMap map{ geometry.direction, geometry.origin };
  for (int entry = 0; entry < 9; ++entry)
  {
    map.matrix[entry] *= geometry.grid.spacing[entry % 3];
  }
  return map;
}

AffineMap
PointToIndex(const Geometry & geometry)
{
  return Inverse(IndexToPoint(geometry));
}

bool
IsSameGeometry(const Geometry & a, const Geometry & b)
{
  constexpr double tolerance = 1e-6;
  bool             isSame = a.grid.size == b.grid.size;
  for (int axis = 0; axis < 3; ++axis)
  {
    // The comparisons are also false for NaN.
    const double limit = tolerance * a.grid.spacing[axis];
    isSame = isSame && std::abs(a.grid.spacing[axis] - b.grid.spacing[axis]) <= limit;
    isSame = isSame && std::abs(a.origin[axis] - b.origin[axis]) <= limit;
  }
  for (int entry = 0; entry < 9; ++entry)
  {
    isSame = isSame && std::abs(a.direction[entry] - b.direction[entry]) <= tolerance;
  }
  return isSame;
}

Geometry
ShrunkGeometry(const Geometry & geometry, const std::array<int, 3> & factors)
{
  Geometry shrunk = geometry;
  Vector   firstIndex{};
  for (int axis = 0; axis < 3; ++axis)
  {
    RequireAtLeast(("factors[" + std::to_string(axis) + "]").c_str(), factors[axis], 1);
    if (geometry.grid.size[axis] > 1)
    {
      const std::int64_t factor = factors[axis];
      shrunk.grid.size[axis] = DivideUp(geometry.grid.size[axis], factor);
      shrunk.grid.spacing[axis] = geometry.grid.spacing[axis] * static_cast<double>(factor);
      firstIndex[axis] = 0.5 * static_cast<double>(factor - 1);
    }
  }
  const AffineMap map = IndexToPoint(geometry);
  const Vector    shift = Multiply(map.matrix, firstIndex);
  for (int axis = 0; axis < 3; ++axis)
  {
    shrunk.origin[axis] = map.offset[axis] + shift[axis];
  }
  return shrunk;
}

} // namespace cudaneuro
