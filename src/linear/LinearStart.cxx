// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearStart.h"

#include "core/SymmetricEigenvectors.h"
#include "linear/LinearTransformParameters.h"

#include <algorithm>
#include <limits>

namespace cudaneuro
{

namespace
{

using Matrix = Matrix3d;
using Vector = Vector3d;

/** Downloads a volume to the host. */
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

/** All maps that take principal axes to principal axes; in a plane, the axis across it is fixed. */
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
  return { Apply(toPoint, first), Multiply(toPoint.matrix, Multiply(second, Transposed(toPoint.matrix))) };
}

Matrix
PrincipalAxesOf(const Matrix & symmetric)
{
  const Eigensystem<3> system = EigensystemOf(AsSquareMatrix(symmetric));
  Matrix               sorted{};
  for (int entry = 0; entry < 9; ++entry)
  {
    sorted[entry] = system.vectors[entry % 3][entry / 3];
  }
  if (Determinant(sorted) < 0.0)
  {
    // The last axis keeps its sign: in 2D, it is the one across the plane.
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
