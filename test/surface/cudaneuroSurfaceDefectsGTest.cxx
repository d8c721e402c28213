// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What keeps a surface from having an inside is counted, and refused.

#include "DistanceTestCases.h"

#include <limits>

using namespace distancetests;
using namespace testvolumes;
using cudaneuro::FindDefects;
using cudaneuro::Geometry;
using cudaneuro::SurfaceDefects;

namespace
{

Mesh
Tetrahedron()
{
  Mesh mesh;
  mesh.points = { { 2.0, 2.0, 2.0 }, { 6.0, 2.0, 2.0 }, { 2.0, 6.0, 2.0 }, { 2.0, 2.0, 6.0 } };
  mesh.triangles = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } };
  return mesh;
}

void
ExpectDefects(const Mesh & mesh,
              std::int64_t open,
              std::int64_t shared,
              std::int64_t flipped,
              std::int64_t degenerate,
              std::int64_t odd = 0)
{
  const SurfaceDefects defects = FindDefects(mesh.View());
  EXPECT_EQ(defects.openEdges, open);
  EXPECT_EQ(defects.sharedEdges, shared);
  EXPECT_EQ(defects.flippedEdges, flipped);
  EXPECT_EQ(defects.degenerateTriangles, degenerate);
  EXPECT_EQ(defects.oddEdges, odd);
  EXPECT_EQ(defects.IsClosed(), open == 0 && flipped == 0 && odd == 0);
}

} // namespace

TEST(SurfaceDefects, OfClosedSurfaces)
{
  ExpectDefects(Tetrahedron(), 0, 0, 0, 0);
  ExpectDefects(Sphere({ 0.0, 0.0, 0.0 }, 5.0, 7), 0, 0, 0, 0);
  ExpectDefects(Torus({ 0.0, 0.0, 0.0 }, 5.0, 2.0, 9), 0, 0, 0, 0);
  ExpectDefects(Box({ 0.0, 0.0, 0.0 }, { 1.0, 2.0, 3.0 }).Reversed(), 0, 0, 0, 0);
}

TEST(SurfaceDefects, OfHolesAndFlippedTriangles)
{
  Mesh open = Sphere({ 0.0, 0.0, 0.0 }, 5.0, 7);
  open.triangles.erase(open.triangles.begin() + 20);
  ExpectDefects(open, 3, 0, 0, 0);
  Mesh flipped = Sphere({ 0.0, 0.0, 0.0 }, 5.0, 7);
  std::swap(flipped.triangles[20][0], flipped.triangles[20][1]);
  ExpectDefects(flipped, 0, 0, 3, 0);
}

/** Two tetrahedra that have an edge in common, where four triangles meet, and one triangle more. */
TEST(SurfaceDefects, OfSharedEdges)
{
  Mesh mesh = Tetrahedron();
  mesh.points.push_back({ 2.0, -2.0, 2.0 });
  mesh.points.push_back({ 2.0, 2.0, -2.0 });
  for (const auto & triangle : Tetrahedron().triangles)
  {
    const std::array<std::int32_t, 4> corners{ 0, 1, 4, 5 };
    mesh.triangles.push_back({ corners[triangle[0]], corners[triangle[1]], corners[triangle[2]] });
  }
  ExpectDefects(mesh, 0, 1, 0, 0);
  mesh.points.push_back({ 9.0, 9.0, 9.0 });
  mesh.triangles.push_back({ 0, 1, 6 });
  ExpectDefects(mesh, 2, 1, 0, 0, 1);
}

/** Two tetrahedra with a wall between them: three triangles meet at its edges, whichever way it is turned. */
TEST(SurfaceDefects, OfAWall)
{
  Mesh mesh = Tetrahedron();
  mesh.points.push_back({ 6.0, 6.0, 6.0 });
  for (const std::array<std::int32_t, 3> & triangle :
       { std::array<std::int32_t, 3>{ 2, 1, 4 }, { 1, 3, 4 }, { 3, 2, 4 } })
  {
    mesh.triangles.push_back(triangle);
  }
  ExpectDefects(mesh, 0, 3, 0, 0, 3);
}

/** A slit in an edge that is filled with a triangle without area, and triangles that are an edge or a point. */
TEST(SurfaceDefects, OfDegenerateTriangles)
{
  Mesh mesh = Tetrahedron();
  mesh.points.push_back({ 4.0, 2.0, 2.0 });
  mesh.triangles[0] = { 0, 2, 4 };
  mesh.triangles.push_back({ 4, 2, 1 });
  ExpectDefects(mesh, 3, 0, 0, 0);
  mesh.triangles.push_back({ 0, 4, 1 });
  ExpectDefects(mesh, 0, 0, 0, 1);
  mesh.triangles.push_back({ 2, 3, 3 });
  mesh.triangles.push_back({ 1, 1, 1 });
  ExpectDefects(mesh, 0, 0, 0, 3);
}

namespace
{

class SurfaceErrors : public DeviceTest
{
protected:
  /** Expects that the surface is refused with a message that has \p part. */
  void
  ExpectRefused(const Mesh & mesh, const Geometry & geometry, double reach, const std::string & part)
  {
    std::vector<float> values(static_cast<std::size_t>(geometry.grid.NumberOfVoxels()), 77.0f);
    ::ExpectRefused(
      [&] { SignedDistanceOfSurface(this->GetContext(), { reach }, mesh.View(), geometry, View(values)); }, part);
    EXPECT_EQ(values, std::vector<float>(values.size(), 77.0f));
  }
};

Geometry
MakeGeometry()
{
  Geometry geometry;
  geometry.grid = MakeGrid({ 9, 8, 7 });
  return geometry;
}

} // namespace

TEST_P(SurfaceErrors, OfSurfaces)
{
  const Geometry geometry = MakeGeometry();
  Mesh           open = Tetrahedron();
  open.triangles.pop_back();
  this->ExpectRefused(open, geometry, 2.0, "openEdges is 3");
  Mesh flipped = Tetrahedron();
  std::swap(flipped.triangles[1][0], flipped.triangles[1][1]);
  this->ExpectRefused(flipped, geometry, 2.0, "flippedEdges is 3");
  Mesh more = Tetrahedron();
  more.triangles.push_back(more.triangles[0]);
  this->ExpectRefused(more, geometry, 2.0, "oddEdges is 3");
  Mesh empty = Tetrahedron();
  empty.triangles.clear();
  this->ExpectRefused(empty, geometry, 2.0, "numberOfTriangles is 0");
  Mesh notFinite = Tetrahedron();
  notFinite.points[2][1] = std::numeric_limits<double>::quiet_NaN();
  this->ExpectRefused(notFinite, geometry, 2.0, "points[2][1] is nan");
  Mesh noPoint = Tetrahedron();
  noPoint.triangles[3][0] = 4;
  this->ExpectRefused(noPoint, geometry, 2.0, "triangles[3][0] is 4");
  noPoint.triangles[3][0] = -1;
  this->ExpectRefused(noPoint, geometry, 2.0, "triangles[3][0] is -1");
}

TEST_P(SurfaceErrors, OfGrids)
{
  Geometry   geometry = MakeGeometry();
  const Mesh mesh = Tetrahedron();
  for (const double reach : { 0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), HUGE_VAL })
  {
    this->ExpectRefused(mesh, geometry, reach, "Reach is");
  }
  const auto shifted = [&mesh](double shift) {
    return mesh.Mapped([shift](const Point & point) { return point + Point{ 0.0, 0.0, shift }; });
  };
  this->ExpectRefused(shifted(0.5), geometry, 2.0, "axis 2 of the grid, in voxels, is from 2.5");
  this->ExpectRefused(shifted(-2.5), geometry, 2.0, "is from -0.5");
  this->ExpectRefused(shifted(50.0), geometry, 2.0, "must be inside the grid, from 0 to 6");
  geometry.direction[1] = 0.1;
  this->ExpectRefused(mesh, geometry, 2.0, "columns 0 and 1 of geometry.direction is 0.1");
  geometry.direction[1] = 0.0;
  geometry.direction[8] = 1.01;
  this->ExpectRefused(mesh, geometry, 2.0, "columns 2 and 2 of geometry.direction is 1.0201");
}

CUDANEURO_TEST_ON_ALL_DEVICES(SurfaceErrors);
