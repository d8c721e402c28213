// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef DistanceTestCases_h
#define DistanceTestCases_h

#include "DeviceTest.h"
#include "TestVolumes.h"
#include "cudaneuro/SignedDistance.h"

#include <array>
#include <functional>
#include <vector>

/** Surfaces of triangles, and slow distances to them in double precision. */
namespace distancetests
{

using Point = std::array<double, 3>;

Point
operator+(const Point & a, const Point & b);
Point
operator-(const Point & a, const Point & b);
Point
operator*(double factor, const Point & a);
double
Dot(const Point & a, const Point & b);
Point
Cross(const Point & a, const Point & b);
double
Length(const Point & a);

struct Mesh
{
  std::vector<Point>                       points;
  std::vector<std::array<std::int32_t, 3>> triangles;

  cudaneuro::ConstTriangles
  View() const;

  /** Adds the triangles of another mesh, which share no points with those that are there. */
  void
  Add(const Mesh & other);

  /** The same surface, with the other sense of rotation. */
  Mesh
  Reversed() const;

  Mesh
  Mapped(const std::function<Point(const Point &)> & map) const;
};

/** All triangles run counterclockwise, seen from outside. An octahedron, each triangle of which is divided into
 * \p divisions^2, on a sphere. */
Mesh
Sphere(const Point & center, double radius, int divisions);
/** Twelve triangles. */
Mesh
Box(const Point & low, const Point & high);
Mesh
Torus(const Point & center, double radius, double tubeRadius, int divisions);

/** The distance to the nearest point of all triangles. */
double
DistanceToMesh(const Mesh & mesh, const Point & point);

/** The sum of the solid angles of all triangles, over that of a sphere (Van Oosterom and Strackee 1983). */
double
WindingNumber(const Mesh & mesh, const Point & point);

/** The center of voxel \p i, in mm. */
Point
VoxelCenter(const cudaneuro::Geometry & geometry, std::int64_t i);

/** Signed distances by DistanceToMesh and WindingNumber, bounded by \p reach. */
std::vector<double>
ReferenceDistance(const Mesh & mesh, const cudaneuro::Geometry & geometry, double reach);

} // namespace distancetests

#endif
