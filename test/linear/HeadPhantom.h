// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef HeadPhantom_h
#define HeadPhantom_h

#include "linear/SlicePhantom.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

/** Images of the head of SlicePhantom.h, or parts of it, with noise. */
namespace headphantom
{

using namespace slicephantom;

/** A grid around a point, with the axes of a map. */
inline Geometry
GridAround(const std::array<std::int64_t, 3> & size,
           const Point &                       spacing,
           const AffineMap &                   axes,
           const Point &                       center)
{
  Geometry geometry;
  geometry.grid.size = size;
  geometry.grid.spacing = spacing;
  geometry.direction = axes.matrix;
  Point middle{};
  for (int axis = 0; axis < 3; ++axis)
  {
    middle[axis] = 0.5 * static_cast<double>(size[axis] - 1);
  }
  const Point image = Mapped(IndexToPoint(geometry), middle);
  for (int axis = 0; axis < 3; ++axis)
  {
    geometry.origin[axis] = center[axis] - image[axis];
  }
  return geometry;
}

/** Intensities of space as a map shows them, moving(map(p)) = of(p), with Gaussian noise. */
template <typename TFunction>
PlacedImage
NoisyImage(const Geometry & geometry, const AffineMap & map, double noise, std::uint64_t seed, const TFunction & of)
{
  const AffineMap back = Inverse(map);
  PlacedImage     image = Sample(geometry, [&](const Point & p) { return of(Mapped(back, p)); });
  for (std::size_t i = 0; i < image.values.size(); ++i)
  {
    image.values[i] += static_cast<float>(noise * testvolumes::NormalNoise(seed, i));
  }
  return image;
}

/** The largest distance between what two maps make of a corner of a grid, in mm. */
inline double
LargestError(const Geometry & geometry, const AffineMap & a, const AffineMap & b)
{
  double largest = 0.0;
  for (int corner = 0; corner < 8; ++corner)
  {
    Point index{};
    for (int axis = 0; axis < 3; ++axis)
    {
      index[axis] = (corner >> axis & 1) != 0 ? static_cast<double>(geometry.grid.size[axis] - 1) : 0.0;
    }
    const Point point = Mapped(IndexToPoint(geometry), index);
    const Point u = Mapped(a, point);
    const Point v = Mapped(b, point);
    largest = std::max(largest, std::hypot(u[0] - v[0], u[1] - v[1], u[2] - v[2]));
  }
  return largest;
}

/** The head as a map shows it. */
inline PlacedImage
NoisyHead(const Geometry & geometry, const AffineMap & map, double noise, std::uint64_t seed)
{
  return NoisyImage(geometry, map, noise, seed, WholeHead);
}

} // namespace headphantom

#endif
