// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_SymmetricEigenvectors_h
#define cudaneuro_core_SymmetricEigenvectors_h

#include "core/SpaceMatrices.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace cudaneuro
{

template <std::size_t VSize>
using SquareMatrix = std::array<std::array<double, VSize>, VSize>;

/** Eigenvalues, the largest first, and for each of them its eigenvector in a row. */
template <std::size_t VSize>
struct Eigensystem
{
  std::array<double, VSize> values{};
  SquareMatrix<VSize>       vectors{};
};

namespace eigenvectors
{

/** Rotates axes \p p and \p q so that the entry of both becomes 0 (Jacobi). */
template <std::size_t VSize>
void
Rotate(std::size_t p, std::size_t q, SquareMatrix<VSize> & matrix, SquareMatrix<VSize> & vectors)
{
  const double entry = matrix[p][q];
  if (entry == 0.0)
  {
    return;
  }
  const double cotangent = (matrix[q][q] - matrix[p][p]) / (2.0 * entry);
  const double tangent = std::copysign(1.0, cotangent) / (std::abs(cotangent) + std::hypot(cotangent, 1.0));
  const double cosine = 1.0 / std::hypot(tangent, 1.0);
  const double sine = tangent * cosine;
  const auto   turn = [&](double & a, double & b) {
    const double first = a;
    a = cosine * first - sine * b;
    b = sine * first + cosine * b;
  };
  for (std::size_t i = 0; i < VSize; ++i)
  {
    turn(matrix[i][p], matrix[i][q]);
  }
  for (std::size_t i = 0; i < VSize; ++i)
  {
    turn(matrix[p][i], matrix[q][i]);
    turn(vectors[p][i], vectors[q][i]);
  }
}

} // namespace eigenvectors

/** Returns a Matrix3d as a SquareMatrix. */
inline SquareMatrix<3>
AsSquareMatrix(const Matrix3d & m)
{
  return { { { m[0], m[1], m[2] }, { m[3], m[4], m[5] }, { m[6], m[7], m[8] } } };
}

/** Computes the eigensystem by Jacobi's method, whose sweeps converge quadratically: a few reach rounding errors. */
template <std::size_t VSize>
Eigensystem<VSize>
EigensystemOf(SquareMatrix<VSize> matrix)
{
  constexpr int      sweeps = 20;
  Eigensystem<VSize> system;
  for (std::size_t i = 0; i < VSize; ++i)
  {
    system.vectors[i][i] = 1.0;
  }
  for (int sweep = 0; sweep < sweeps; ++sweep)
  {
    for (std::size_t p = 0; p < VSize; ++p)
    {
      for (std::size_t q = p + 1; q < VSize; ++q)
      {
        eigenvectors::Rotate(p, q, matrix, system.vectors);
      }
    }
  }
  for (std::size_t i = 0; i < VSize; ++i)
  {
    system.values[i] = matrix[i][i];
  }
  for (std::size_t i = 0; i < VSize; ++i)
  {
    for (std::size_t k = i + 1; k < VSize; ++k)
    {
      if (system.values[k] > system.values[i])
      {
        std::swap(system.values[i], system.values[k]);
        std::swap(system.vectors[i], system.vectors[k]);
      }
    }
  }
  return system;
}

} // namespace cudaneuro

#endif
