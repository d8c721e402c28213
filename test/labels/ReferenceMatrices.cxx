// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/ReferenceMatrices.h"

#include <cmath>
#include <cstddef>

namespace reference
{
namespace
{

/** Jacobi's rotations: turns rows and columns p and q of \p a so that a[p][q] is 0. */
void
Rotate(Matrix & a, Matrix & vectors, std::size_t p, std::size_t q)
{
  const double angle = 0.5 * std::atan2(2.0 * a[p][q], a[q][q] - a[p][p]);
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const auto   turn = [c, s](double & x, double & y) {
    const double before = x;
    x = c * before - s * y;
    y = s * before + c * y;
  };
  for (std::size_t k = 0; k < a.size(); ++k)
  {
    turn(a[k][p], a[k][q]);
    turn(vectors[k][p], vectors[k][q]);
  }
  for (std::size_t k = 0; k < a.size(); ++k)
  {
    turn(a[p][k], a[q][k]);
  }
}

} // namespace

Matrix
Product(const Matrix & a, const Matrix & b)
{
  Matrix product(a.size(), Numbers(b.front().size(), 0.0));
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    for (std::size_t k = 0; k < b.size(); ++k)
    {
      for (std::size_t j = 0; a[i][k] != 0.0 && j < b[k].size(); ++j)
      {
        product[i][j] += a[i][k] * b[k][j];
      }
    }
  }
  return product;
}

Matrix
Transposed(const Matrix & a)
{
  Matrix result(a.front().size(), Numbers(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    for (std::size_t j = 0; j < a[i].size(); ++j)
    {
      result[j][i] = a[i][j];
    }
  }
  return result;
}

Numbers
Product(const Matrix & a, const Numbers & x)
{
  Numbers product(a.size(), 0.0);
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    for (std::size_t j = 0; j < x.size(); ++j)
    {
      product[i] += a[i][j] * x[j];
    }
  }
  return product;
}

Numbers
EigenvaluesOf(Matrix a, Matrix & vectors)
{
  constexpr int    sweeps = 12;
  constexpr double negligible = 1e-14;
  vectors.assign(a.size(), Numbers(a.size(), 0.0));
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    vectors[i][i] = 1.0;
  }
  for (int sweep = 0; sweep < sweeps; ++sweep)
  {
    for (std::size_t p = 0; p < a.size(); ++p)
    {
      for (std::size_t q = p + 1; q < a.size(); ++q)
      {
        if (std::abs(a[p][q]) > negligible)
        {
          Rotate(a, vectors, p, q);
        }
      }
    }
  }
  Numbers values;
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    values.push_back(a[i][i]);
  }
  return values;
}

Matrix
Cholesky(Matrix a)
{
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    for (std::size_t j = 0; j <= i; ++j)
    {
      for (std::size_t k = 0; k < j; ++k)
      {
        a[i][j] -= a[i][k] * a[j][k];
      }
      a[i][j] = i == j ? std::sqrt(a[i][i]) : a[i][j] / a[j][j];
    }
  }
  return a;
}

Numbers
Solved(const Matrix & factor, Numbers x)
{
  const std::size_t n = x.size();
  for (std::size_t i = 0; i < n; ++i)
  {
    for (std::size_t j = 0; j < i; ++j)
    {
      x[i] -= factor[i][j] * x[j];
    }
    x[i] /= factor[i][i];
  }
  // Along rows, which lie in one piece.
  for (std::size_t i = n; i-- > 0;)
  {
    x[i] /= factor[i][i];
    for (std::size_t j = 0; j < i; ++j)
    {
      x[j] -= factor[i][j] * x[i];
    }
  }
  return x;
}

} // namespace reference
