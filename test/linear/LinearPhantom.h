// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef LinearPhantom_h
#define LinearPhantom_h

#include "DeviceTest.h"
#include "TestVolumes.h"
#include "cudaneuro/LinearRegistration.h"

#include <algorithm>
#include <cmath>

/** A head that is known everywhere in space, seen through known maps: the tests of linear registration. */
namespace linearphantom
{

using namespace cudaneuro;
using Point = std::array<double, 3>;

/** 1 inside an ellipsoid and 0 outside, with an edge that voxels of 2 mm can show. */
inline double
SoftEllipsoid(const Point & p, const Point & center, const Point & radius)
{
  const double distance =
    std::hypot((p[0] - center[0]) / radius[0], (p[1] - center[1]) / radius[1], (p[2] - center[2]) / radius[2]);
  const double least = std::min({ radius[0], radius[1], radius[2] });
  return 1.0 / (1.0 + std::exp((distance - 1.0) * least / 1.5));
}

/** Intensities from 0 to about 120, without any symmetry and hardly constant anywhere inside, as plateaus make
 * mutual information rough. In 2D, the plane z = 0. */
inline double
Head(const Point & p)
{
  const double texture =
    std::sin(0.45 * p[0] + 0.2 * p[1]) + std::sin(0.4 * p[1] - 0.25 * p[2]) + std::sin(0.5 * p[2] + 0.15 * p[0] + 1.0);
  return (40.0 + 8.0 * texture) * SoftEllipsoid(p, { 0.0, 0.0, 0.0 }, { 24.0, 31.0, 21.0 }) +
         30.0 * SoftEllipsoid(p, { 2.0, -1.0, 1.0 }, { 20.0, 26.0, 17.0 }) -
         45.0 * SoftEllipsoid(p, { -6.0, 8.0, 2.0 }, { 6.0, 9.0, 7.0 }) +
         25.0 * SoftEllipsoid(p, { 9.0, -10.0, -4.0 }, { 7.0, 6.0, 8.0 }) +
         20.0 * SoftEllipsoid(p, { -3.0, -18.0, -3.0 }, { 6.0, 6.0, 9.0 });
}

/** Another contrast: neither increasing nor decreasing. */
inline double
OtherContrast(double intensity)
{
  return 50.0 + 80.0 * std::sin(0.045 * intensity + 0.4);
}

inline Point
Mapped(const AffineMap & map, const Point & p)
{
  Point image = map.offset;
  for (int entry = 0; entry < 9; ++entry)
  {
    image[entry / 3] += map.matrix[entry] * p[entry % 3];
  }
  return image;
}

struct PlacedImage
{
  Geometry           geometry;
  std::vector<float> values;
};

/** Calls \p value for the points of all voxels. */
template <typename TValue>
PlacedImage
Sample(const Geometry & geometry, const TValue & value)
{
  PlacedImage     image{ geometry, {} };
  const AffineMap toPoint = IndexToPoint(geometry);
  const auto &    size = geometry.grid.size;
  for (std::int64_t i = 0; i < geometry.grid.NumberOfVoxels(); ++i)
  {
    const Point index{ double(i % size[0]), double(i / size[0] % size[1]), double(i / (size[0] * size[1])) };
    image.values.push_back(static_cast<float>(value(Mapped(toPoint, index))));
  }
  return image;
}

/** The head, and what a map makes of it: moving(map(p)) = fixed(p). */
inline PlacedImage
FixedHead(const Geometry & geometry)
{
  return Sample(geometry, Head);
}
inline PlacedImage
MovingHead(const Geometry & geometry, const AffineMap & map)
{
  const AffineMap back = Inverse(map);
  return Sample(geometry, [&](const Point & p) { return Head(Mapped(back, p)); });
}

inline PlacedImage
WithOtherContrast(PlacedImage image)
{
  std::transform(
    image.values.begin(), image.values.end(), image.values.begin(), [](float v) { return float(OtherContrast(v)); });
  return image;
}

/** A grid around the origin of space, about \p width wide; the axes are turned. */
inline Geometry
TurnedGeometry(int dimension, const Point & spacing, double width, double angle)
{
  Geometry geometry;
  for (int axis = 0; axis < dimension; ++axis)
  {
    geometry.grid.size[axis] = static_cast<std::int64_t>(width / spacing[axis]) + axis;
    geometry.grid.spacing[axis] = spacing[axis];
  }
  if (dimension == 2)
  {
    geometry.grid.size[2] = 1;
  }
  geometry.direction = { std::cos(angle), -std::sin(angle), 0.0, std::sin(angle), std::cos(angle), 0.0, 0.0, 0.0, 1.0 };
  Point last{};
  for (int axis = 0; axis < 3; ++axis)
  {
    last[axis] = 0.5 * static_cast<double>(geometry.grid.size[axis] - 1);
  }
  const Point center = Mapped(IndexToPoint(geometry), last);
  geometry.origin = { -center[0], -center[1], -center[2] };
  return geometry;
}
inline Geometry
FixedGeometry(int dimension)
{
  return TurnedGeometry(dimension, { 2.0, 2.1, 2.2 }, 84.0, 0.0);
}
/** So wide that it has all of the fixed grid: else the overlap would depend on the scale, and mutual information on
 * the overlap. */
inline Geometry
MovingGeometry(int dimension)
{
  return TurnedGeometry(dimension, { 2.1, 1.9, 2.0 }, 120.0, 0.2);
}

/** A rotation by an angle about an axis: in 2D the third one, in 3D an oblique one. */
inline AffineMap
Rotation(int dimension, double degrees)
{
  const double radians = degrees * 3.14159265358979323846 / 180.0;
  const Point  axis = dimension == 2 ? Point{ 0.0, 0.0, 1.0 } : Point{ 2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0 };
  AffineMap    map;
  for (int row = 0; row < 3; ++row)
  {
    for (int column = 0; column < 3; ++column)
    {
      const double diagonal = row == column ? std::cos(radians) : 0.0;
      const double cross =
        row == column ? 0.0 : ((column - row + 3) % 3 == 1 ? -1.0 : 1.0) * axis[(6 - row - column) % 3];
      map.matrix[3 * row + column] =
        diagonal + (1.0 - std::cos(radians)) * axis[row] * axis[column] + std::sin(radians) * cross;
    }
  }
  return map;
}

/** A map of a type, with a rotation of \p degrees where it has one. */
inline AffineMap
KnownMap(LinearTransformType type, int dimension, double degrees)
{
  AffineMap map;
  if (type != LinearTransformType::Translation)
  {
    map = Rotation(dimension, degrees);
  }
  const int axes = dimension;
  for (int row = 0; row < axes; ++row)
  {
    for (int column = 0; column < axes; ++column)
    {
      if (type == LinearTransformType::Similarity)
      {
        map.matrix[3 * row + column] *= 1.07;
      }
      if (type == LinearTransformType::Affine)
      {
        map.matrix[3 * row + column] += 0.02 * ((2 * row + column) % 3) - 0.03;
      }
    }
  }
  map.offset = { 4.0, -3.0, dimension == 2 ? 0.0 : 2.5 };
  return map;
}

/** Mean distance between what two maps make of the corners of the head. */
inline double
MeanDistance(const AffineMap & a, const AffineMap & b, int dimension)
{
  double    sum = 0.0;
  const int corners = dimension == 2 ? 4 : 8;
  for (int corner = 0; corner < corners; ++corner)
  {
    const Point p{ (corner & 1) != 0 ? 20.0 : -20.0,
                   (corner & 2) != 0 ? 25.0 : -25.0,
                   dimension == 2 ? 0.0 : ((corner & 4) != 0 ? 18.0 : -18.0) };
    const Point u = Mapped(a, p);
    const Point v = Mapped(b, p);
    sum += std::hypot(u[0] - v[0], u[1] - v[1], u[2] - v[2]) / corners;
  }
  return sum;
}

inline LinearMetricImages
Images(const PlacedImage & fixed, const PlacedImage & moving)
{
  LinearMetricImages images;
  images.fixedGeometry = fixed.geometry;
  images.fixedImage = ConstView(fixed.values);
  images.movingGeometry = moving.geometry;
  images.movingImage = ConstView(moving.values);
  return images;
}

inline bool
HasSameBits(const AffineMap & a, const AffineMap & b)
{
  return a.matrix == b.matrix && a.offset == b.offset;
}

} // namespace linearphantom

#endif
