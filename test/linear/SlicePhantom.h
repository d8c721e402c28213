// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef SlicePhantom_h
#define SlicePhantom_h

#include "linear/LinearPhantom.h"

#include <cmath>
#include <string>
#include <vector>

/** Slices of a head that is known everywhere in space, on planes of any orientation. */
namespace slicephantom
{

using namespace linearphantom;

/** A number from -1 to 1 that looks random, for each index. */
inline double
Scattered(int index)
{
  return 2.0 * std::fmod(0.5 + 0.6180339887498949 * index + 0.11 * std::sin(12.9 * index), 1.0) - 1.0;
}

struct Blob
{
  Point  center;
  double width;
  double height;
};

inline std::vector<Blob>
MakeBlobs()
{
  std::vector<Blob> blobs;
  for (int i = 0; i < 40; ++i)
  {
    blobs.push_back({ { 46.0 * Scattered(3 * i), 60.0 * Scattered(3 * i + 1), 42.0 * Scattered(3 * i + 2) },
                      7.0 + 3.0 * Scattered(i + 200),
                      60.0 * Scattered(i + 300) });
  }
  return blobs;
}

/** A head of 60 x 75 x 55 mm with a bright skull and 40 blobs; intensities from 0 to about 255. */
inline double
WholeHead(const Point & p)
{
  static const std::vector<Blob> blobs = MakeBlobs();
  const double                   brain = SoftEllipsoid(p, {}, { 54.0, 69.0, 49.0 });
  const double                   skull = 90.0 * (SoftEllipsoid(p, {}, { 60.0, 75.0, 55.0 }) - brain);
  double                         sum = skull + 110.0 * brain;
  for (const Blob & blob : blobs)
  {
    const Point & center = blob.center;
    const double  square = (p[0] - center[0]) * (p[0] - center[0]) + (p[1] - center[1]) * (p[1] - center[1]) +
                          (p[2] - center[2]) * (p[2] - center[2]);
    sum += blob.height * std::exp(-0.5 * square / (blob.width * blob.width)) * brain;
  }
  return std::max(0.0, sum);
}

/** A plane by the map from its coordinates to points of space: z = 0 is the plane. */
struct NamedPlane
{
  std::string name;
  AffineMap   toSpace;
};

/** The axes of a plane that passes \p height mm from the center of the head. */
inline NamedPlane
PlaneOf(const std::string & name, const std::array<double, 9> & axes, double height)
{
  return { name, { axes, Mapped({ axes, {} }, { 3.0, -4.0, height }) } };
}

inline std::array<double, 9>
ObliqueAxes()
{
  return Compose(Rotation(3, 50.0), { { 1.0, 0.0, 0.0, 0.0, 0.8, -0.6, 0.0, 0.6, 0.8 }, {} }).matrix;
}

/** Columns are the axes along a row, along a column, and across. */
inline std::vector<NamedPlane>
AllPlanes()
{
  return { PlaneOf("axial", { 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 }, 0.0),
           PlaneOf("axial, higher", { 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 }, 12.0),
           PlaneOf("sagittal", { 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0 }, 11.0),
           PlaneOf("coronal", { 1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0 }, -9.0),
           PlaneOf("oblique", ObliqueAxes(), 8.0) };
}

/** A grid on a plane, around its origin, whose axes are turned in it. */
inline Geometry
SliceOn(const NamedPlane & plane, std::int64_t size, double spacing, double degrees = 0.0)
{
  Geometry geometry;
  geometry.grid.size = { size, size + 4, 1 };
  geometry.grid.spacing = { spacing, 1.05 * spacing, 3.0 };
  const AffineMap axes = Compose({ plane.toSpace.matrix, {} }, Rotation(2, degrees));
  geometry.direction = axes.matrix;
  const double width = 0.5 * static_cast<double>(size - 1) * spacing;
  const double height = 0.5 * static_cast<double>(size + 3) * 1.05 * spacing;
  geometry.origin = Mapped({ axes.matrix, plane.toSpace.offset }, { -width, -height, 0.0 });
  return geometry;
}

inline Geometry
FixedSlice(const NamedPlane & plane)
{
  return SliceOn(plane, 90, 1.8);
}
/** Wider than the fixed one, turned in the plane, with other voxels. */
inline Geometry
MovingSlice(const NamedPlane & plane)
{
  return SliceOn(plane, 112, 1.7, 11.0);
}

/** A map between points of space that is \p inPlane between coordinates of planes. */
inline AffineMap
Between(const NamedPlane & from, const AffineMap & inPlane, const NamedPlane & to)
{
  return Compose(to.toSpace, Compose(inPlane, Inverse(from.toSpace)));
}

/** The head on the fixed plane as a map from there shows it on a moving grid: moving(map(p)) = fixed(p). */
inline PlacedImage
MovingSliceOf(const Geometry & geometry, const AffineMap & map)
{
  const AffineMap back = Inverse(map);
  return Sample(geometry, [&](const Point & p) { return WholeHead(Mapped(back, p)); });
}

inline std::vector<Point>
CornersOf(const Geometry & geometry)
{
  const auto         x = double(geometry.grid.size[0] - 1);
  const auto         y = double(geometry.grid.size[1] - 1);
  std::vector<Point> corners;
  for (const Point & index : { Point{}, Point{ x, 0.0, 0.0 }, Point{ 0.0, y, 0.0 }, Point{ x, y, 0.0 } })
  {
    corners.push_back(Mapped(IndexToPoint(geometry), index));
  }
  return corners;
}

/** The largest distance between what two maps make of a corner of a slice. */
inline double
CornerDistance(const Geometry & geometry, const AffineMap & a, const AffineMap & b)
{
  double largest = 0.0;
  for (const Point & corner : CornersOf(geometry))
  {
    const Point u = Mapped(a, corner);
    const Point v = Mapped(b, corner);
    largest = std::max(largest, std::hypot(u[0] - v[0], u[1] - v[1], u[2] - v[2]));
  }
  return largest;
}

/** The largest distance from a plane of what a map makes of a corner. */
inline double
DistanceFromPlane(const Geometry & geometry, const AffineMap & map, const NamedPlane & plane)
{
  double largest = 0.0;
  for (const Point & corner : CornersOf(geometry))
  {
    largest = std::max(largest, std::abs(Mapped(Inverse(plane.toSpace), Mapped(map, corner))[2]));
  }
  return largest;
}

} // namespace slicephantom

#endif
