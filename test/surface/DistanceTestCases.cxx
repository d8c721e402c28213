// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DistanceTestCases.h"

#include <algorithm>
#include <map>

namespace distancetests
{

Point
operator+(const Point & a, const Point & b)
{
  return { a[0] + b[0], a[1] + b[1], a[2] + b[2] };
}

Point
operator-(const Point & a, const Point & b)
{
  return { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
}

Point
operator*(double factor, const Point & a)
{
  return { factor * a[0], factor * a[1], factor * a[2] };
}

double
Dot(const Point & a, const Point & b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Point
Cross(const Point & a, const Point & b)
{
  return { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
}

double
Length(const Point & a)
{
  return std::sqrt(Dot(a, a));
}

cudaneuro::ConstTriangles
Mesh::View() const
{
  return { points.empty() ? nullptr : points.front().data(),
           static_cast<std::int64_t>(points.size()),
           triangles.empty() ? nullptr : triangles.front().data(),
           static_cast<std::int64_t>(triangles.size()) };
}

void
Mesh::Add(const Mesh & other)
{
  const auto shift = static_cast<std::int32_t>(points.size());
  points.insert(points.end(), other.points.begin(), other.points.end());
  for (const auto & triangle : other.triangles)
  {
    triangles.push_back({ triangle[0] + shift, triangle[1] + shift, triangle[2] + shift });
  }
}

Mesh
Mesh::Reversed() const
{
  Mesh reversed = *this;
  for (auto & triangle : reversed.triangles)
  {
    std::swap(triangle[1], triangle[2]);
  }
  return reversed;
}

Mesh
Mesh::Mapped(const std::function<Point(const Point &)> & map) const
{
  Mesh mapped = *this;
  std::transform(points.begin(), points.end(), mapped.points.begin(), map);
  return mapped;
}

Mesh
Sphere(const Point & center, double radius, int divisions)
{
  // Points of the octahedron |x| + |y| + |z| = divisions, which are integers and so are shared exactly.
  Mesh                                       mesh;
  std::map<std::array<int, 3>, std::int32_t> known;
  const auto                                 pointAt = [&](const std::array<int, 3> & corner) {
    const auto [place, isNew] = known.insert({ corner, static_cast<std::int32_t>(mesh.points.size()) });
    if (isNew)
    {
      const Point direction{ static_cast<double>(corner[0]),
                             static_cast<double>(corner[1]),
                             static_cast<double>(corner[2]) };
      mesh.points.push_back(center + (radius / Length(direction)) * direction);
    }
    return place->second;
  };
  for (int octant = 0; octant < 8; ++octant)
  {
    const int  sx = octant & 1 ? -1 : 1;
    const int  sy = octant & 2 ? -1 : 1;
    const int  sz = octant & 4 ? -1 : 1;
    const auto add = [&](std::array<int, 2> a, std::array<int, 2> b, std::array<int, 2> c) {
      const auto corner = [&](const std::array<int, 2> & ij) {
        return pointAt({ sx * ij[0], sy * ij[1], sz * (divisions - ij[0] - ij[1]) });
      };
      const bool isReflected = sx * sy * sz < 0;
      mesh.triangles.push_back({ corner(a), corner(isReflected ? c : b), corner(isReflected ? b : c) });
    };
    for (int i = 0; i < divisions; ++i)
    {
      for (int j = 0; i + j < divisions; ++j)
      {
        add({ i, j }, { i + 1, j }, { i, j + 1 });
        if (i + j + 1 < divisions)
        {
          add({ i + 1, j }, { i + 1, j + 1 }, { i, j + 1 });
        }
      }
    }
  }
  return mesh;
}

Mesh
Box(const Point & low, const Point & high)
{
  Mesh mesh;
  for (int corner = 0; corner < 8; ++corner)
  {
    mesh.points.push_back(
      { corner & 1 ? high[0] : low[0], corner & 2 ? high[1] : low[1], corner & 4 ? high[2] : low[2] });
  }
  mesh.triangles = { { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 7 }, { 4, 7, 6 }, { 0, 1, 5 }, { 0, 5, 4 },
                     { 2, 6, 7 }, { 2, 7, 3 }, { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };
  return mesh;
}

Mesh
Torus(const Point & center, double radius, double tubeRadius, int divisions)
{
  constexpr double twoPi = 6.283185307179586;
  Mesh             mesh;
  for (int i = 0; i < divisions; ++i)
  {
    for (int j = 0; j < divisions; ++j)
    {
      const double around = twoPi * i / divisions;
      const double tube = twoPi * j / divisions;
      const double fromAxis = radius + tubeRadius * std::cos(tube);
      mesh.points.push_back(
        center + Point{ fromAxis * std::cos(around), fromAxis * std::sin(around), tubeRadius * std::sin(tube) });
      const int  nextI = (i + 1) % divisions;
      const int  nextJ = (j + 1) % divisions;
      const auto at = [divisions](int k, int l) { return k * divisions + l; };
      mesh.triangles.push_back({ at(i, j), at(nextI, j), at(nextI, nextJ) });
      mesh.triangles.push_back({ at(i, j), at(nextI, nextJ), at(i, nextJ) });
    }
  }
  return mesh;
}

namespace
{

double
DistanceToSegment(const Point & a, const Point & b, const Point & point)
{
  const Point  edge = b - a;
  const double squaredLength = Dot(edge, edge);
  const double along = squaredLength > 0.0 ? Dot(point - a, edge) / squaredLength : 0.0;
  return Length(point - a - std::clamp(along, 0.0, 1.0) * edge);
}

/** By the coordinates s and t of the foot a + s ab + t ac of the perpendicular. */
double
DistanceToTriangle(const Point & a, const Point & b, const Point & c, const Point & point)
{
  const Point  ab = b - a;
  const Point  ac = c - a;
  const Point  ap = point - a;
  const double determinant = Dot(ab, ab) * Dot(ac, ac) - Dot(ab, ac) * Dot(ab, ac);
  const double s = (Dot(ac, ac) * Dot(ap, ab) - Dot(ab, ac) * Dot(ap, ac)) / determinant;
  const double t = (Dot(ab, ab) * Dot(ap, ac) - Dot(ab, ac) * Dot(ap, ab)) / determinant;
  if (determinant > 0.0 && s > 0.0 && t > 0.0 && s + t < 1.0)
  {
    return Length(ap - s * ab - t * ac);
  }
  return std::min({ DistanceToSegment(a, b, point), DistanceToSegment(b, c, point), DistanceToSegment(c, a, point) });
}

} // namespace

double
DistanceToMesh(const Mesh & mesh, const Point & point)
{
  double least = HUGE_VAL;
  for (const auto & triangle : mesh.triangles)
  {
    least = std::min(
      least, DistanceToTriangle(mesh.points[triangle[0]], mesh.points[triangle[1]], mesh.points[triangle[2]], point));
  }
  return least;
}

double
WindingNumber(const Mesh & mesh, const Point & point)
{
  constexpr double fourPi = 12.566370614359172;
  double           sum = 0.0;
  for (const auto & triangle : mesh.triangles)
  {
    const Point  a = mesh.points[triangle[0]] - point;
    const Point  b = mesh.points[triangle[1]] - point;
    const Point  c = mesh.points[triangle[2]] - point;
    const double below =
      Length(a) * Length(b) * Length(c) + Dot(a, b) * Length(c) + Dot(b, c) * Length(a) + Dot(c, a) * Length(b);
    sum += 2.0 * std::atan2(Dot(a, Cross(b, c)), below);
  }
  return sum / fourPi;
}

Point
VoxelCenter(const cudaneuro::Geometry & geometry, std::int64_t i)
{
  const auto & size = geometry.grid.size;
  const Point  index{ static_cast<double>(i % size[0]),
                     static_cast<double>(i / size[0] % size[1]),
                     static_cast<double>(i / size[0] / size[1]) };
  Point        center = geometry.origin;
  for (int axis = 0; axis < 3; ++axis)
  {
    for (int column = 0; column < 3; ++column)
    {
      center[axis] += geometry.direction[3 * axis + column] * geometry.grid.spacing[column] * index[column];
    }
  }
  return center;
}

std::vector<double>
ReferenceDistance(const Mesh & mesh, const cudaneuro::Geometry & geometry, double reach)
{
  std::vector<double> values;
  for (std::int64_t i = 0; i < geometry.grid.NumberOfVoxels(); ++i)
  {
    const Point  center = VoxelCenter(geometry, i);
    const double distance = std::min(DistanceToMesh(mesh, center), reach);
    values.push_back(std::abs(WindingNumber(mesh, center)) > 0.5 ? -distance : distance);
  }
  return values;
}

} // namespace distancetests
