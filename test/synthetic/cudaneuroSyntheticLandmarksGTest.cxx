// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Synthetic landmarks: Poisson-disk points on a closed surface, and the same bits everywhere.

#include "atlas/checkpoints/Checksum.h"
#include "synthetic/SyntheticLandmarksTest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace syntheticlandmarks;

namespace
{

using cudaneuro::SyntheticSurfaceMesh;

/** The corners of a triangle. */
std::array<Vector, 3>
CornersOf(const SyntheticSurfaceMesh & mesh, std::size_t triangle)
{
  std::array<Vector, 3> corners{};
  for (int corner = 0; corner < 3; ++corner)
  {
    corners[corner] = PointAt(mesh.positions, mesh.triangles[3 * triangle + corner]);
  }
  return corners;
}

/** Perpendicular to a triangle, with twice its area as length. */
Vector
NormalOf(const std::array<Vector, 3> & corners)
{
  return Cross(Difference(corners[1], corners[0]), Difference(corners[2], corners[0]));
}

double
AreaOf(const SyntheticSurfaceMesh & mesh)
{
  double area = 0.0;
  for (std::size_t i = 0; i < mesh.triangles.size() / 3; ++i)
  {
    area += 0.5 * Length(NormalOf(CornersOf(mesh, i)));
  }
  return area;
}

struct Nearest
{
  std::size_t index = 0;
  double      distance = std::numeric_limits<double>::infinity();
};

/** The point that is nearest to a position, but for one that does not count. */
Nearest
FindNearest(const Coordinates & points, const Vector & position, std::size_t except)
{
  Nearest nearest;
  double  least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size() / 3; ++i)
  {
    const Vector difference = Difference(PointAt(points, i), position);
    const double square = Dot(difference, difference);
    if (i != except && square < least)
    {
      least = square;
      nearest = { i, std::sqrt(square) };
    }
  }
  return nearest;
}

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

} // namespace

/** Closed, oriented outward, without a hole, and of the size of a medial temporal lobe. */
TEST_F(SyntheticPoints, SurfaceIsClosed)
{
  const SyntheticSurfaceMesh mesh = SyntheticLandmarks::MakeSurface(5);
  const std::size_t          vertices = mesh.positions.size() / 3;
  const std::size_t          triangles = mesh.triangles.size() / 3;
  EXPECT_EQ(triangles, 20u * 1024u);
  std::map<std::pair<std::int64_t, std::int64_t>, int> edges;
  double                                               volume = 0.0;
  for (std::size_t i = 0; i < triangles; ++i)
  {
    for (int corner = 0; corner < 3; ++corner)
    {
      ++edges[{ mesh.triangles[3 * i + corner], mesh.triangles[3 * i + (corner + 1) % 3] }];
    }
    const auto corners = CornersOf(mesh, i);
    volume += Dot(corners[0], NormalOf(corners)) / 6.0;
  }
  for (const auto & [edge, count] : edges)
  {
    EXPECT_EQ(count, 1);
    EXPECT_EQ(edges.count({ edge.second, edge.first }), 1u) << edge.first << " to " << edge.second;
  }
  // Euler's formula for a sphere; each edge was counted once in each direction.
  EXPECT_EQ(vertices + triangles, edges.size() / 2 + 2);
  // The ellipsoid without folds has 23562 mm^3 and 4390 mm^2. Folds of some percent of the radius average out in the
  // volume and enlarge the area.
  EXPECT_NEAR(volume, 23562.0, 1200.0);
  EXPECT_GT(AreaOf(mesh), 1.05 * 4390.0);
  EXPECT_LT(AreaOf(mesh), 1.40 * 4390.0);
}

/** A triangle with edges of e mm is at most e^2 / 8 times the curvature away from the surface: about 0.02 mm where
 * e is 0.5 mm and the radius of curvature 1.5 mm. The folds are 1 to 2 mm deep. */
TEST_F(SyntheticPoints, AreOnTheSurface)
{
  const SyntheticSurfaceMesh mesh = SyntheticLandmarks::MakeSurface(6);
  const SyntheticLandmarks   landmarks = this->Make();
  const Coordinates &        points = landmarks.GetTemplate();
  std::vector<Nearest>       nearest(points.size() / 3);
  for (std::size_t i = 0; i < nearest.size(); ++i)
  {
    nearest[i] = FindNearest(mesh.positions, PointAt(points, i), none);
    EXPECT_LT(nearest[i].distance, 1.0) << "point " << i;
  }
  std::vector<std::vector<std::size_t>> trianglesOf(mesh.positions.size() / 3);
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
  {
    trianglesOf[mesh.triangles[i]].push_back(i / 3);
  }
  for (std::size_t i = 0; i < nearest.size(); ++i)
  {
    double distance = std::numeric_limits<double>::infinity();
    for (const std::size_t triangle : trianglesOf[nearest[i].index])
    {
      const auto   corners = CornersOf(mesh, triangle);
      const Vector normal = NormalOf(corners);
      distance = std::min(distance, std::abs(Dot(normal, Difference(PointAt(points, i), corners[0]))) / Length(normal));
    }
    EXPECT_LT(distance, 0.05) << "point " << i;
  }
}

/** Disks of half the smallest distance do not overlap; darts reach 0.68 and more of the distance of the densest
 * packing. They leave no holes: no place of the surface is farther from a point than 1.5 times the smallest
 * distance, while without an end to the candidates it would be 1 time. The same number of independent points has
 * pairs a fortieth of that distance apart. */
TEST_F(SyntheticPoints, AreAPoissonDiskSample)
{
  const SyntheticSurfaceMesh mesh = SyntheticLandmarks::MakeSurface(5);
  const SyntheticLandmarks   landmarks = this->Make();
  const Coordinates &        points = landmarks.GetTemplate();
  const auto                 count = static_cast<double>(landmarks.GetTemplate().size()) / 3.0;
  const double               densest = std::sqrt(2.0 * AreaOf(mesh) / (std::sqrt(3.0) * count));
  double                     smallest = densest;
  double                     mean = 0.0;
  for (std::size_t i = 0; i < points.size() / 3; ++i)
  {
    const double distance = FindNearest(points, PointAt(points, i), i).distance;
    smallest = std::min(smallest, distance);
    mean += 3.0 * distance / static_cast<double>(points.size());
  }
  EXPECT_GT(smallest, 0.68 * densest);
  EXPECT_GT(mean, 1.3);
  EXPECT_LT(mean, 1.5);
  double largestGap = 0.0;
  for (std::size_t i = 0; i < mesh.positions.size() / 3; ++i)
  {
    largestGap = std::max(largestGap, FindNearest(points, PointAt(mesh.positions, i), none).distance);
  }
  EXPECT_LT(largestGap, 1.5 * smallest);
}

/** The share of points on each side of some planes is the share of the area. Independent points would differ by 0.35
 * % as a standard deviation; disks differ less. */
TEST_F(SyntheticPoints, AreUniformByArea)
{
  const SyntheticSurfaceMesh mesh = SyntheticLandmarks::MakeSurface(6);
  const SyntheticLandmarks   landmarks = this->MakeNumber(20000);
  const Coordinates &        points = landmarks.GetTemplate();
  const double               area = AreaOf(mesh);
  for (const Vector & normal : { Vector{ 1, 0, 0 }, Vector{ 0, 1, 0 }, Vector{ 0, 0, 1 }, Vector{ 0.1, 0.7, -0.7 } })
  {
    for (const double offset : { -8.0, 0.0, 8.0 })
    {
      double shareOfArea = 0.0;
      for (std::size_t i = 0; i < mesh.triangles.size() / 3; ++i)
      {
        const auto corners = CornersOf(mesh, i);
        const auto height = (Dot(normal, corners[0]) + Dot(normal, corners[1]) + Dot(normal, corners[2])) / 3.0;
        shareOfArea += height < offset ? 0.5 * Length(NormalOf(corners)) / area : 0.0;
      }
      double shareOfPoints = 0.0;
      for (std::size_t i = 0; i < points.size() / 3; ++i)
      {
        shareOfPoints += Dot(normal, PointAt(points, i)) < offset ? 3.0 / static_cast<double>(points.size()) : 0.0;
      }
      EXPECT_NEAR(shareOfPoints, shareOfArea, 0.005) << normal[0] << ' ' << normal[1] << ' ' << offset;
    }
  }
}

TEST_F(SyntheticPoints, AreAsManyAsAskedFor)
{
  for (const std::int64_t count : { 1, 2, 3, 4, 7, 100, 1847, 5000 })
  {
    const SyntheticLandmarks landmarks = this->MakeNumber(count);
    const Coordinates &      points = landmarks.GetTemplate();
    ASSERT_EQ(points.size(), 3u * count);
    for (std::size_t i = 0; count > 1 && i < 3; ++i)
    {
      EXPECT_GT(FindNearest(points, PointAt(points, i % count), i % count).distance, 0.0);
    }
    EXPECT_EQ(landmarks.MakeTarget(m_Context, 0).size(), points.size());
  }
}

/** The same bits on every machine and with every number of threads, and others with another seed or target. */
TEST_F(SyntheticPoints, IsRepeatable)
{
  const auto checksum = [](const Coordinates & values) {
    return cudaneuro::Checksum(values.data(), values.size() * sizeof(double));
  };
  SyntheticLandmarksParameters parameters;
  const SyntheticLandmarks     landmarks = this->Make(parameters);
  const Coordinates            target = landmarks.MakeTarget(m_Context, 1);
  m_Context.SetNumberOfThreads(1);
  EXPECT_EQ(this->Make(parameters).GetTemplate(), landmarks.GetTemplate());
  EXPECT_EQ(landmarks.MakeTarget(m_Context, 1), target);
  // From a run on x86-64.
  EXPECT_EQ(checksum(landmarks.GetTemplate()), 0xc2aec39218d54c11ULL);
  EXPECT_EQ(checksum(target), 0x7a5de971eab50e02ULL);
  EXPECT_EQ(checksum(SyntheticLandmarks::MakeSurface(3).positions), 0x82e5afd281e622aaULL);
  EXPECT_NE(landmarks.MakeTarget(m_Context, 2), target);
  parameters.seed = 2;
  const SyntheticLandmarks others = this->Make(parameters);
  EXPECT_NE(others.GetTemplate(), landmarks.GetTemplate());
  EXPECT_NE(others.MovePoints(m_Context, 1, target), landmarks.MovePoints(m_Context, 1, target));
}

TEST_F(SyntheticPoints, RefusesParameters)
{
  const auto refuse = [this](const char * name, const std::string & value, const auto & set) {
    SyntheticLandmarksParameters parameters;
    set(parameters);
    ExpectInvalidParameter([&] { this->Make(parameters); }, name, value);
  };
  refuse("NumberOfPoints", "0", [](auto & parameters) { parameters.numberOfPoints = 0; });
  refuse("NumberOfPoints", "1000001", [](auto & parameters) { parameters.numberOfPoints = 1000001; });
  refuse("MeanDistance", "-1", [](auto & parameters) { parameters.meanDistance = -1.0; });
  refuse("MeanDistance", "5.5", [](auto & parameters) { parameters.meanDistance = 5.5; });
  refuse("MaximumDistance", "1.5", [](auto & parameters) { parameters.maximumDistance = 1.5; });
  refuse("Smoothness", "0.5", [](auto & parameters) { parameters.smoothness = 0.5; });
  refuse("Noise", "-0.1", [](auto & parameters) { parameters.noise = -0.1; });
  const SyntheticLandmarks landmarks = this->MakeNumber(5);
  ExpectInvalidParameter([&] { landmarks.MakeTarget(m_Context, -1); }, "target", "-1");
  ExpectInvalidParameter([&] { landmarks.MovePoints(m_Context, -2, {}); }, "target", "-2");
  for (const int subdivisions : { -1, 9 })
  {
    ExpectInvalidParameter(
      [&] { SyntheticLandmarks::MakeSurface(subdivisions); }, "subdivisions", std::to_string(subdivisions));
  }
}
