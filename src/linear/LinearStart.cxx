// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearStart.h"

#include "linear/LinearTransformParameters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace cudaneuro
{

namespace
{

using Matrix = std::array<double, 9>;
using Vector = std::array<double, 3>;

/** A volume on the host. */
template <typename TPixel>
std::vector<TPixel>
Download(Context & context, const Grid & grid, const ConstVolume & volume)
{
  std::vector<TPixel> values;
  if (volume.data != nullptr)
  {
    values.resize(static_cast<std::size_t>(grid.NumberOfVoxels()));
    CopyVolume(context, grid, volume, { values.data(), PixelTypeOf<TPixel>::value, MemorySpace::Host });
  }
  return values;
}

/** Calls visitor(index, mass) for all voxels with a mass, in order. */
template <typename TVisitor>
void
ForMass(const Grid &                       grid,
        const std::vector<float> &         image,
        const std::vector<unsigned char> & mask,
        const TVisitor &                   visitor)
{
  const auto isInside = [&](std::size_t i) { return mask.empty() || mask[i] != 0; };
  float      least = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < image.size(); ++i)
  {
    least = isInside(i) ? std::min(least, image[i]) : least;
  }
  std::size_t i = 0;
  for (std::int64_t z = 0; z < grid.size[2]; ++z)
  {
    for (std::int64_t y = 0; y < grid.size[1]; ++y)
    {
      for (std::int64_t x = 0; x < grid.size[0]; ++x, ++i)
      {
        if (isInside(i))
        {
          visitor(Vector{ double(x), double(y), double(z) }, double(image[i]) - double(least));
        }
      }
    }
  }
}

/** Makes the entries of a row and column 0 by a rotation (Jacobi's method). */
void
RotateEntryAway(Matrix & symmetric, Matrix & vectors, int p, int q)
{
  const double entry = symmetric[3 * p + q];
  if (entry == 0.0)
  {
    return;
  }
  // At most 45 degrees, so that sweeps converge.
  const double difference = symmetric[4 * q] - symmetric[4 * p];
  const double angle = 0.5 * std::atan2(difference < 0.0 ? -2.0 * entry : 2.0 * entry, std::abs(difference));
  Matrix       rotation{ 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 };
  rotation[4 * p] = rotation[4 * q] = std::cos(angle);
  rotation[3 * p + q] = std::sin(angle);
  rotation[3 * q + p] = -std::sin(angle);
  Matrix transposed = rotation;
  std::swap(transposed[3 * p + q], transposed[3 * q + p]);
  symmetric = Compose({ transposed, {} }, Compose({ symmetric, {} }, { rotation, {} })).matrix;
  vectors = Compose({ vectors, {} }, { rotation, {} }).matrix;
}

AffineMap
Translated(AffineMap map, const Vector & fixedPoint, const Vector & movingPoint)
{
  const Vector image = Apply(map, fixedPoint);
  for (int axis = 0; axis < 3; ++axis)
  {
    map.offset[axis] += movingPoint[axis] - image[axis];
  }
  return map;
}

/** All maps that take principal axes to principal axes; in a plane, the axis across it stays. */
std::vector<AffineMap>
AlignAxes(const MassMoments & fixed, const MassMoments & moving, bool isFlat)
{
  const Matrix           from = PrincipalAxesOf(fixed.covariance);
  const Matrix           to = PrincipalAxesOf(moving.covariance);
  std::vector<AffineMap> maps;
  const int              signs[4][3] = { { 1, 1, 1 }, { -1, -1, 1 }, { 1, -1, -1 }, { -1, 1, -1 } };
  for (int k = 0; k < (isFlat ? 2 : 4); ++k)
  {
    Matrix rotation{};
    for (int entry = 0; entry < 9; ++entry)
    {
      for (int axis = 0; axis < 3; ++axis)
      {
        rotation[entry] += signs[k][axis] * to[3 * (entry / 3) + axis] * from[3 * (entry % 3) + axis];
      }
    }
    maps.push_back(MapAbout(rotation, fixed.center, moving.center));
  }
  return maps;
}

} // namespace

MassMoments
ComputeMassMoments(Context & context, const Geometry & geometry, const ConstVolume & image, const ConstVolume & mask)
{
  const auto values = Download<float>(context, geometry.grid, image);
  const auto inside = Download<unsigned char>(context, geometry.grid, mask);
  double     mass = 0.0;
  Vector     first{};
  Matrix     second{};
  ForMass(geometry.grid, values, inside, [&](const Vector & index, double m) {
    mass += m;
    for (int axis = 0; axis < 3; ++axis)
    {
      first[axis] += m * index[axis];
    }
    for (int entry = 0; entry < 9; ++entry)
    {
      second[entry] += m * index[entry / 3] * index[entry % 3];
    }
  });
  for (double & f : first)
  {
    f /= mass;
  }
  for (int entry = 0; entry < 9; ++entry)
  {
    second[entry] = second[entry] / mass - first[entry / 3] * first[entry % 3];
  }
  const AffineMap toPoint = IndexToPoint(geometry);
  Matrix          transposed{};
  for (int entry = 0; entry < 9; ++entry)
  {
    transposed[entry] = toPoint.matrix[entry % 3 * 3 + entry / 3];
  }
  return { Apply(toPoint, first), Compose({ toPoint.matrix, {} }, Compose({ second, {} }, { transposed, {} })).matrix };
}

Matrix
PrincipalAxesOf(const Matrix & symmetric)
{
  Matrix left = symmetric;
  Matrix vectors{ 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 };
  // Convergence is quadratic: six sweeps are more than enough for three rows.
  for (int sweep = 0; sweep < 6; ++sweep)
  {
    RotateEntryAway(left, vectors, 0, 1);
    RotateEntryAway(left, vectors, 0, 2);
    RotateEntryAway(left, vectors, 1, 2);
  }
  std::array<int, 3> order{ 0, 1, 2 };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return left[4 * a] > left[4 * b]; });
  Matrix sorted{};
  for (int entry = 0; entry < 9; ++entry)
  {
    sorted[entry] = vectors[3 * (entry / 3) + order[entry % 3]];
  }
  if (Determinant(sorted) < 0.0)
  {
    // The last axis is left alone: in 2D, it is the one across the plane.
    for (int row = 0; row < 3; ++row)
    {
      sorted[3 * row + 1] = -sorted[3 * row + 1];
    }
  }
  return sorted;
}

LinearStarts
MakeLinearStarts(Context &                  context,
                 LinearStart                start,
                 const LinearMetricImages & images,
                 const LinearMetricImages & coarse,
                 const AffineMap &          initialTransform)
{
  const GridCorners fixedCorners(images.fixedGeometry);
  const Vector &    center = fixedCorners.GetCenter();
  if (start == LinearStart::InitialTransform)
  {
    return { { initialTransform }, center };
  }
  if (start == LinearStart::GridCenters)
  {
    return { { Translated(initialTransform, center, GridCorners(images.movingGeometry).GetCenter()) }, center };
  }
  const MassMoments fixed = ComputeMassMoments(context, coarse.fixedGeometry, coarse.fixedImage, coarse.fixedMask);
  const MassMoments moving = ComputeMassMoments(context, coarse.movingGeometry, coarse.movingImage, coarse.movingMask);
  if (start == LinearStart::CentersOfMass)
  {
    return { { Translated(initialTransform, fixed.center, moving.center) }, fixed.center };
  }
  return { AlignAxes(fixed, moving, fixedCorners.IsFlat()), fixed.center };
}

} // namespace cudaneuro
