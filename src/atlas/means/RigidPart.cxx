// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/means/RigidPart.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

namespace
{

/** The orthogonal factor of the polar decomposition of a matrix near the identity, by Newton's iteration X <- (X +
 * X^-T) / 2 (Higham 1986). */
AffineMap
OrthogonalFactor(AffineMap matrix)
{
  constexpr int iterations = 20; // it converges quadratically
  for (int iteration = 0; iteration < iterations; ++iteration)
  {
    const AffineMap inverse = Inverse(matrix);
    for (int row = 0; row < 3; ++row)
    {
      for (int column = 0; column < 3; ++column)
      {
        double & entry = matrix.matrix[3 * row + column];
        entry = 0.5 * (entry + inverse.matrix[3 * column + row]);
      }
    }
  }
  return matrix;
}

} // namespace

RigidPart
RigidPartOf(const FieldMoments & moments, const Geometry & geometry)
{
  const Grid & grid = geometry.grid;
  const auto   voxels = static_cast<double>(grid.NumberOfVoxels());
  // With p = S x, x an index from the center, and q = p + S d, the rotation is the orthogonal factor of sum q p^T = S
  // (sum x x^T + sum d x^T) S; it is divided by its diagonal, which keeps it near the identity.
  AffineMap product;
  double    squares[3];
  for (int axis = 0; axis < 3; ++axis)
  {
    const auto n = static_cast<double>(grid.size[axis]);
    squares[axis] = voxels * (n * n - 1.0) / 12.0;
  }
  const double largest = *std::max_element(squares, squares + 3);
  for (int row = 0; row < 3; ++row)
  {
    for (int column = 0; column < 3; ++column)
    {
      const double sum = moments.product[3 * row + column] + (row == column ? squares[row] : 0.0);
      product.matrix[3 * row + column] = grid.spacing[row] * grid.spacing[column] * sum / largest;
    }
  }
  if (grid.size[2] == 1)
  {
    product.matrix[8] = 1.0;
  }
  const AffineMap  rotation = OrthogonalFactor(product);
  RigidPart        part;
  const double     cosine = 0.5 * (rotation.matrix[0] + rotation.matrix[4] + rotation.matrix[8] - 1.0);
  const double     sines[3] = { rotation.matrix[7] - rotation.matrix[5],
                                rotation.matrix[2] - rotation.matrix[6],
                                rotation.matrix[3] - rotation.matrix[1] };
  const double     sine = 0.5 * std::sqrt(sines[0] * sines[0] + sines[1] * sines[1] + sines[2] * sines[2]);
  constexpr double degrees = 57.29577951308232;
  part.rotationDegrees = degrees * std::atan2(sine, cosine);
  double mean[3];
  double center[3];
  for (int axis = 0; axis < 3; ++axis)
  {
    mean[axis] = moments.sum[axis] / voxels;
    center[axis] = 0.5 * (static_cast<double>(grid.size[axis]) - 1.0);
  }
  for (int row = 0; row < 3; ++row)
  {
    part.onIndices.offset[row] = center[row] + mean[row];
    for (int column = 0; column < 3; ++column)
    {
      const double entry = rotation.matrix[3 * row + column] * grid.spacing[column] / grid.spacing[row];
      part.onIndices.matrix[3 * row + column] = entry;
      part.onIndices.offset[row] -= entry * center[column];
      part.translation[row] += geometry.direction[3 * row + column] * grid.spacing[column] * mean[column];
    }
  }
  return part;
}

} // namespace cudaneuro
