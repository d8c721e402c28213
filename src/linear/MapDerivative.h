// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_MapDerivative_h
#define cudaneuro_linear_MapDerivative_h

#include "cudaneuro/Geometry.h"

#include <array>

namespace cudaneuro
{

/** Derivatives of a number by the entries of an affine map. */
struct MapDerivative
{
  /** Derivatives by the matrix, stored by rows, and by the offset. */
  std::array<double, 9> matrix{};
  std::array<double, 3> offset{};
};

/** The derivatives by a map T(x) = M x + o of a number whose derivatives D and d by the matrix and the offset of the
 * map outer(T(inner(x))) are given. With the matrix O of outer, whose offset is irrelevant, and inner(x) = J x + j,
 * they are
 *   O^T (D J^T + d j^T) by M, and O^T d by o. */
inline MapDerivative
ThroughComposition(const MapDerivative & ofComposition, const std::array<double, 9> & outer, const AffineMap & inner)
{
  std::array<double, 9> product{};
  for (int row = 0; row < 3; ++row)
  {
    for (int column = 0; column < 3; ++column)
    {
      double sum = ofComposition.offset[row] * inner.offset[column];
      for (int k = 0; k < 3; ++k)
      {
        sum += ofComposition.matrix[3 * row + k] * inner.matrix[3 * column + k];
      }
      product[3 * row + column] = sum;
    }
  }
  MapDerivative derivative;
  for (int row = 0; row < 3; ++row)
  {
    for (int k = 0; k < 3; ++k)
    {
      const double factor = outer[3 * k + row];
      derivative.offset[row] += factor * ofComposition.offset[k];
      for (int column = 0; column < 3; ++column)
      {
        derivative.matrix[3 * row + column] += factor * product[3 * k + column];
      }
    }
  }
  return derivative;
}

/** The derivatives by a map T of a number whose derivatives by the inverse S of T are given: when T changes by dT, S
 * changes by -B dT(S(y)), with the matrix B of S. */
inline MapDerivative
ThroughInverse(const MapDerivative & ofInverse, const AffineMap & inverse)
{
  std::array<double, 9> outer = inverse.matrix;
  for (double & entry : outer)
  {
    entry = -entry;
  }
  return ThroughComposition(ofInverse, outer, inverse);
}

} // namespace cudaneuro

#endif
