// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_SmallMatrix_h
#define cudaneuro_landmarks_SmallMatrix_h

#include "core/HostDevice.h"

/** Matrices of two or three dimensions, by rows, for both compilers. */
namespace cudaneuro
{

template <typename T>
CUDANEURO_HOST_DEVICE T
Determinant(const T (&m)[2][2])
{
  return m[0][0] * m[1][1] - m[0][1] * m[1][0];
}

/** The cofactor of an element: the determinant without row \p row and column \p column, with its sign. Rows and columns
 * are taken in cyclic order. */
template <typename T>
CUDANEURO_HOST_DEVICE T
Cofactor(const T (&m)[3][3], int row, int column)
{
  const int r1 = (row + 1) % 3;
  const int r2 = (row + 2) % 3;
  const int c1 = (column + 1) % 3;
  const int c2 = (column + 2) % 3;
  return m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
}
template <typename T>
CUDANEURO_HOST_DEVICE T
Cofactor(const T (&m)[2][2], int row, int column)
{
  return row == column ? m[1 - row][1 - column] : -m[1 - row][1 - column];
}

template <typename T>
CUDANEURO_HOST_DEVICE T
Determinant(const T (&m)[3][3])
{
  return m[0][0] * Cofactor(m, 0, 0) + m[0][1] * Cofactor(m, 0, 1) + m[0][2] * Cofactor(m, 0, 2);
}

/** \param determinant of the matrix, not 0 */
template <int VDimension, typename T>
CUDANEURO_HOST_DEVICE void
InvertMatrix(const T (&m)[VDimension][VDimension], T determinant, T (&inverse)[VDimension][VDimension])
{
  for (int row = 0; row < VDimension; ++row)
  {
    for (int column = 0; column < VDimension; ++column)
    {
      inverse[row][column] = Cofactor(m, column, row) / determinant;
    }
  }
}

template <int VDimension, typename T>
CUDANEURO_HOST_DEVICE void
SetIdentity(T (&m)[VDimension][VDimension])
{
  for (int row = 0; row < VDimension; ++row)
  {
    for (int column = 0; column < VDimension; ++column)
    {
      m[row][column] = row == column ? T(1) : T(0);
    }
  }
}

/** m = factor m. */
template <int VDimension, typename T>
CUDANEURO_HOST_DEVICE void
MultiplyFromLeft(const T (&factor)[VDimension][VDimension], T (&m)[VDimension][VDimension])
{
  for (int column = 0; column < VDimension; ++column)
  {
    T product[VDimension];
    for (int row = 0; row < VDimension; ++row)
    {
      product[row] = 0;
      for (int k = 0; k < VDimension; ++k)
      {
        product[row] += factor[row][k] * m[k][column];
      }
    }
    for (int row = 0; row < VDimension; ++row)
    {
      m[row][column] = product[row];
    }
  }
}

} // namespace cudaneuro

#endif
