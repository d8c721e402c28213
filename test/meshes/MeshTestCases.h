// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef MeshTestCases_h
#define MeshTestCases_h

#include "core/CounterRandom.h"
#include "cudaneuro/SignedDistance.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

/** Meshes whose edges are about 1 long, with noise along known normals. */
namespace meshtests
{

using Vector = std::array<double, 3>;
using Triangle = std::array<std::int32_t, 3>;

struct TestMesh
{
  std::vector<Vector>   points;
  std::vector<Triangle> triangles;

  cudaneuro::ConstTriangles
  View() const
  {
    return { points.data()->data(),
             static_cast<std::int64_t>(points.size()),
             triangles.data()->data(),
             static_cast<std::int64_t>(triangles.size()) };
  }

  /** The same triangles with other points. */
  TestMesh
  Mapped(const std::function<Vector(const Vector &)> & map) const
  {
    TestMesh mapped = *this;
    for (Vector & point : mapped.points)
    {
      point = map(point);
    }
    return mapped;
  }
};

/** A sheet of columns x rows vertices; map(u, v) says where they are. Inner vertices are not in rows: they are moved
 * at random by up to 0.2 along u and v. Where the sheet is a tube, the last column is joined with the first. */
inline TestMesh
Sheet(int columns, int rows, bool isTube, const std::function<Vector(double, double)> & map)
{
  TestMesh mesh;
  for (int row = 0; row < rows; ++row)
  {
    for (int column = 0; column < columns; ++column)
    {
      const auto   number = static_cast<std::uint64_t>(row * columns + column);
      const bool   isInner = row > 0 && row + 1 < rows && (isTube || (column > 0 && column + 1 < columns));
      const double reach = isInner ? 0.4 : 0.0;
      const double u = column + 0.5 * (row % 2) + reach * (cudaneuro::RandomUniform(5, 2 * number) - 0.5);
      const double v = 0.866 * row + reach * (cudaneuro::RandomUniform(5, 2 * number + 1) - 0.5);
      mesh.points.push_back(map(u, v));
    }
  }
  const int cells = isTube ? columns : columns - 1;
  for (int row = 0; row + 1 < rows; ++row)
  {
    for (int column = 0; column < cells; ++column)
    {
      const std::int32_t a = row * columns + column;
      const std::int32_t b = row * columns + (column + 1) % columns;
      const std::int32_t c = a + columns;
      const std::int32_t d = b + columns;
      if (row % 2 == 0)
      {
        mesh.triangles.push_back({ a, b, c });
        mesh.triangles.push_back({ b, d, c });
      }
      else
      {
        mesh.triangles.push_back({ a, b, d });
        mesh.triangles.push_back({ a, d, c });
      }
    }
  }
  return mesh;
}

/** Open, with z = 0. */
inline TestMesh
Plane(int columns, int rows)
{
  return Sheet(columns, rows, false, [](double u, double v) { return Vector{ u, v, 0.0 }; });
}

/** Open at both ends, around the z axis. */
inline TestMesh
Cylinder(int columns, int rows)
{
  const double radius = columns / 6.283185307179586;
  return Sheet(columns, rows, true, [radius](double u, double v) {
    return Vector{ radius * std::cos(u / radius), radius * std::sin(u / radius), v };
  });
}

/** Moves points along the normals that \p normalAt tells, by normal deviates. */
inline TestMesh
WithNoise(const TestMesh & mesh, double noise, const std::function<Vector(const Vector &)> & normalAt)
{
  TestMesh noisy = mesh;
  for (std::size_t i = 0; i < mesh.points.size(); ++i)
  {
    const Vector normal = normalAt(mesh.points[i]);
    const double move = noise * cudaneuro::RandomNormal(7, i);
    for (int axis = 0; axis < 3; ++axis)
    {
      noisy.points[i][axis] += move * normal[axis];
    }
  }
  return noisy;
}

} // namespace meshtests

#endif
