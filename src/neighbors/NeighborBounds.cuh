// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_NeighborBounds_cuh
#define cudaneuro_neighbors_NeighborBounds_cuh

#include "neighbors/Fp16Vectors.cuh"

/** Bounds of the products that a query's neighbors can have.
 *
 * Distances d of vectors and d' of their halves differ by at most the sum of their errors, e_x + e_y <= e_x + E, where
 * E is the largest error of a point. Computed products of x and y, which are halves here, have an error of at most
 *
 *   w(|y|) = A (|x| |y| + |y|^2 / 2),
 *
 * as no partial sum of the terms exceeds the bracket. A near y is hardly longer than x: |y| <= |x| + d'. So a y with a
 * product of at least t has
 *
 *   d'^2 <= |x|^2 - 2 t + 2 w(|x| + d'), which is (1 - A) d'^2 - 4 A |x| d' <= |x|^2 - 2 t + 3 A |x|^2 =: c;
 *
 * solved for d', d' <= (2 A |x| + sqrt(4 A^2 |x|^2 + (1 - A) c)) / (1 - A) =: u. If k points have such products, the k
 * nearest have d <= u + e_x + E and d' <= u + 2 (e_x + E) =: v, and computed products of at least (|x|^2 - v^2) / 2 -
 * w(|x| + v). */
namespace cudaneuro::gpu
{

/** A, the relative error of the matrix units. They add blocks of b products to an accumulator: each of these b + 1
 * numbers is truncated below 2^-23 of the largest magnitude, and so is the sum, which yields (depth / b) (b + 2) 2^-23.
 * Known blocks have 4 to 16 products; the error is largest with 4. Adding products one by one with rounding to nearest
 * is more accurate. A margin of one percent covers sums that are themselves inexact. */
__host__ __device__ constexpr double
AccumulationError(int depth)
{
  return 1.01 * depth * (6.0 / 4.0) * 0x1p-23;
}

/** The minimum computed product of the k nearest points of a query, if k points have computed products of at least
 * \p reached. \p norm and \p error are those of the query, \p largestError is E. */
__host__ __device__ inline double
LeastProduct(double reached, double norm, double error, double largestError, int depth)
{
  // The norm is rounded to single precision, and its half in the tails is accurate to 2^-13.
  const double rounding = norm * 0x1p-23 + 0x1p-12;
  const double length = sqrt(norm * (1 + 0x1p-23));
  const double a = AccumulationError(depth);
  const double c = fmax(norm - 2 * reached + 3 * a * length * length + rounding, 0.0);
  const double u = (2 * a * length + sqrt(4 * a * a * length * length + (1 - a) * c)) / (1 - a);
  const double v = (u + 2 * (error + largestError)) * (1 + 1e-9);
  const double longest = length + v;
  return (norm - v * v - rounding) / 2 - a * longest * (length + longest / 2);
}

} // namespace cudaneuro::gpu

#endif
