// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/MiddleGrid.h"

#include "images/GridPart.h"
#include "cudaneuro/Error.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace cudaneuro
{

namespace
{

using Matrix = std::array<double, 9>;

constexpr AffineMap identity;

/** The maximum absolute difference of the entries. */
double
Distance(const Matrix & a, const Matrix & b)
{
  double largest = 0.0;
  for (std::size_t entry = 0; entry < a.size(); ++entry)
  {
    const double distance = std::abs(a[entry] - b[entry]);
    largest = std::isnan(distance) ? distance : std::max(largest, distance);
  }
  return largest;
}

AffineMap
Linear(const Matrix & matrix)
{
  return { matrix, { 0.0, 0.0, 0.0 } };
}

Matrix
Mean(const Matrix & a, const Matrix & b)
{
  Matrix mean;
  for (std::size_t entry = 0; entry < a.size(); ++entry)
  {
    mean[entry] = 0.5 * (a[entry] + b[entry]);
  }
  return mean;
}

/** Whether the eigenvalues of \p m have positive real parts that are not nearly 0, where the direction of a rotation by
 * 180 degrees would depend on rounding. Criterion of Routh and Hurwitz: the product of the pairwise sums of
 * eigenvalues, trace * (sum of the principal 2 x 2 minors) - determinant, relative to the determinant; it is 8 for the
 * identity. */
bool
IsPrincipal(const Matrix & m)
{
  constexpr double least = 1e-3; // that of a rotation by 179.97 degrees
  const auto       minor = [&](std::size_t a, std::size_t b) {
    return m[3 * a + a] * m[3 * b + b] - m[3 * a + b] * m[3 * b + a];
  };
  const double trace = m[0] + m[4] + m[8];
  const double minors = minor(0, 1) + minor(0, 2) + minor(1, 2);
  const double determinant =
    m[0] * minor(1, 2) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
  return determinant > 0.0 && trace * minors - determinant > least * determinant;
}

/** The principal square root, whose eigenvalues have positive real parts, by the iteration of Denman and Beavers: Y <-
 * (Y + 1 / Z) / 2, Z <- (Z + 1 / Y) / 2, from Y = matrix and Z = 1. It exists where no eigenvalue of \p matrix is 0 or
 * negative.
 * \returns none where the iteration does not converge */
std::optional<Matrix>
SquareRoot(const Matrix & matrix)
{
  constexpr int    mostIterations = 60;
  constexpr double tolerance = 1e-12;
  Matrix           root = matrix;
  Matrix           inverseRoot = identity.matrix;
  for (int iteration = 0; iteration < mostIterations; ++iteration)
  {
    const Matrix square = Compose(Linear(root), Linear(root)).matrix;
    if (Distance(square, matrix) <= tolerance * Distance(matrix, Matrix{}))
    {
      return IsPrincipal(root) ? std::optional<Matrix>(root) : std::nullopt;
    }
    try
    {
      const Matrix next = Mean(root, Inverse(Linear(inverseRoot)).matrix);
      inverseRoot = Mean(inverseRoot, Inverse(Linear(root)).matrix);
      root = next;
    }
    catch (const InvalidParameterError &)
    {
      return {};
    }
  }
  return {};
}

/** Extends \p bounds to contain the voxels of \p geometry, which \p map takes to points of \p lattice. */
void
Include(const Geometry & geometry, const AffineMap & map, const Geometry & lattice, IndexBounds & bounds)
{
  const AffineMap toLattice = Compose(PointToIndex(lattice), Compose(map, IndexToPoint(geometry)));
  for (int corner = 0; corner < 8; ++corner)
  {
    std::array<double, 3> index = toLattice.offset;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      for (std::size_t from = 0; from < 3; ++from)
      {
        const bool isLast = (corner >> from & 1) != 0;
        index[axis] +=
          isLast ? toLattice.matrix[3 * axis + from] * static_cast<double>(geometry.grid.size[from] - 1) : 0.0;
      }
    }
    bounds.Include(index);
  }
}

} // namespace

bool
HasMiddleVoxels(const Geometry & a, const Geometry & b)
{
  const auto key = [](const Geometry & g) {
    const double volume = g.grid.spacing[0] * g.grid.spacing[1] * g.grid.spacing[2];
    return std::make_tuple(-volume, g.grid.spacing, g.direction, g.origin, g.grid.size);
  };
  return key(a) < key(b);
}

AffineMap
HalfOf(const AffineMap & map)
{
  const std::optional<Matrix> root = SquareRoot(map.matrix);
  if (!root)
  {
    throw InvalidParameterError(
      "the initial transform has no half, as it reflects or turns by about 180 degrees; it must be "
      "one that a symmetric registration can do in two equal parts");
  }
  // root (root x + o) + o = map x, so that (root + 1) o is the offset of the map.
  Matrix plusIdentity = *root;
  for (const std::size_t diagonal : { 0, 4, 8 })
  {
    plusIdentity[diagonal] += 1.0;
  }
  const Matrix inverse = Inverse(Linear(plusIdentity)).matrix;
  return { *root, Compose(Linear(inverse), { identity.matrix, map.offset }).offset };
}

std::optional<MiddleGrid>
FindMiddleGrid(const RegistrationImages & images)
{
  const Geometry & fixed = images.fixedGeometry;
  const Geometry & moving = images.movingGeometry;
  const bool isIdentity = images.transform.matrix == identity.matrix && images.transform.offset == identity.offset;
  if (images.transformField.data != nullptr || (isIdentity && IsSameGeometry(fixed, moving)))
  {
    return {};
  }
  MiddleGrid middle{ {}, moving, {} };
  AffineMap  transform = images.transform;
  if (IsFlat(fixed.grid))
  {
    const PlaneFrames planes(fixed, moving);
    middle.moving = planes.MovingOnFixedPlane();
    transform = planes.ToFixedPlane(transform);
  }
  middle.half = HalfOf(transform);
  const Geometry & lattice = HasMiddleVoxels(fixed, moving) ? fixed : middle.moving;
  IndexBounds      bounds;
  Include(fixed, middle.half, lattice, bounds);
  Include(middle.moving, Inverse(middle.half), lattice, bounds);
  middle.geometry = PartOfGrid(lattice, bounds);
  return middle;
}

} // namespace cudaneuro
