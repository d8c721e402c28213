// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_SineProductFormulas_h
#define cudaneuro_solvers_SineProductFormulas_h

#include "solvers/HelmholtzFormulas.h"

#include <cstddef>
#include <vector>

/** The sine transform DST-I of n values as a product with the orthogonal matrix that is its own inverse,
 *   S(k, j) = sqrt(2 / (n + 1)) sin(pi (k + 1) (j + 1) / (n + 1)).
 * Row k is symmetric about the middle for even k and antisymmetric for odd k. So with the ceil(n / 2) sums and
 * differences of the values j and n - 1 - j, row 2 m + p is row m of a matrix of half the columns, times the sums for
 * p = 0 and the differences for p = 1. This halves the work. */
namespace cudaneuro
{

/** The number of rows of either parity that a block computes at a time: one of two numbers. */
constexpr int fewProductRows = 64;
constexpr int manyProductRows = 96;
/** A block computes these rows for this many lines, from this many sums and differences at a time. */
constexpr int productLines = 64;
constexpr int productDepth = 16;

constexpr int
RoundedUp(int n, int multiple)
{
  return (n + multiple - 1) / multiple * multiple;
}

/** Returns the number of rows that needs less padding. */
constexpr int
ProductRows(int n)
{
  const int half = (n + 1) / 2;
  return RoundedUp(half, manyProductRows) <= RoundedUp(half, fewProductRows) ? manyProductRows : fewProductRows;
}

/** Return the numbers of rows and columns of the two halved matrices, including the zeros that fill the blocks. */
constexpr int
FoldedRows(int n)
{
  return RoundedUp((n + 1) / 2, ProductRows(n));
}

constexpr int
FoldedColumns(int n)
{
  return RoundedUp((n + 1) / 2, productDepth);
}

/** Returns the two matrices by columns: element (m, j) of parity p is at (p FoldedColumns + j) FoldedRows + m. */
inline std::vector<float>
FoldedSineMatrix(int n)
{
  const int          rows = FoldedRows(n);
  const int          columns = FoldedColumns(n);
  std::vector<float> matrix(2 * static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), 0.0f);
  for (int k = 0; k < n; ++k)
  {
    for (int j = 0; j < (n + 1) / 2; ++j)
    {
      // The angle is reduced exactly, in integers.
      const long long turns = (k + 1LL) * (j + 1LL) % (2LL * (n + 1LL));
      const double sine = std::sqrt(2.0 / (n + 1.0)) * std::sin(helmholtzPi * static_cast<double>(turns) / (n + 1.0));
      // The middle value is its own mirror image, so its sum is twice the value.
      const double weight = 2 * j == n - 1 ? 0.5 : 1.0;
      const auto   at = static_cast<std::size_t>((k % 2) * columns + j) * static_cast<std::size_t>(rows);
      matrix[at + static_cast<std::size_t>(k / 2)] = static_cast<float>(weight * sine);
    }
  }
  return matrix;
}

inline int
LargestPrimeFactor(int n)
{
  int largest = 1;
  for (int factor = 2; factor * factor <= n; ++factor)
  {
    while (n % factor == 0)
    {
      largest = factor;
      n /= factor;
    }
  }
  return n > 1 ? n : largest;
}

/** Returns the picoseconds that a GPU with 4.8 TB/s needs per value and axis. Products take n flops, with padding, at
 * the 33 TFLOP/s measured in tensor cores, but at least the time to read and write the value. A Fourier transform and
 * its kernels move ten floats. For prime factors above 127 cuFFT uses Bluestein's algorithm: 3.7 ms were
 * measured for 18 transforms of 192^3 values. */
inline double
SineProductCost(int n)
{
  const double flops = 2.0 * FoldedRows(n) * FoldedColumns(n) * 2.0 / n;
  const double arithmetic = flops / 33.0;
  return arithmetic > 2.0 ? arithmetic : 2.0;
}

inline double
SineFftCost(int n)
{
  return LargestPrimeFactor(n + 1) > 127 ? 29.0 : 10.0;
}

/** Returns whether products are cheaper for the whole volume. */
inline bool
SineProductsAreCheaper(const Extent & extent)
{
  const int lengths[3] = { extent.x, extent.y, extent.z };
  double    products = 0.0;
  double    transforms = 0.0;
  for (int axis = 0; axis < HelmholtzDimensions(extent); ++axis)
  {
    products += SineProductCost(lengths[axis]);
    transforms += SineFftCost(lengths[axis]);
  }
  return products < transforms;
}

} // namespace cudaneuro

#endif
