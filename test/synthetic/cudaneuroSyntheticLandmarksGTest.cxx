// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Synthetic landmarks: Poisson-disk points on a closed surface, maps that do not fold, and the same bits everywhere.

#include "DeviceTest.h"
#include "atlas/checkpoints/Checksum.h"
#include "cudaneuro/SyntheticLandmarks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace
{

using cudaneuro::SyntheticLandmarks;
using cudaneuro::SyntheticLandmarksParameters;
using cudaneuro::SyntheticSurfaceMesh;
using Coordinates = std::vector<double>;
using Vector = std::array<double, 3>;

Vector
PointAt(const Coordinates & points, std::size_t index)
{
  return { points[3 * index], points[3 * index + 1], points[3 * index + 2] };
}

Vector
Difference(const Vector & a, const Vector & b)
{
  return { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
}

double
Dot(const Vector & a, const Vector & b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector
Cross(const Vector & a, const Vector & b)
{
  return { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
}

double
Length(const Vector & a)
{
  return std::sqrt(Dot(a, a));
}

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

struct Distances
{
  double mean = 0.0;
  double maximum = 0.0;
};

Distances
DistancesOf(const Coordinates & a, const Coordinates & b)
{
  Distances         distances;
  const std::size_t count = a.size() / 3;
  for (std::size_t i = 0; i < count; ++i)
  {
    const double distance = Length(Difference(PointAt(a, i), PointAt(b, i)));
    distances.mean += distance / static_cast<double>(count);
    distances.maximum = std::max(distances.maximum, distance);
  }
  return distances;
}

class SyntheticPoints : public ::testing::Test
{
protected:
  SyntheticLandmarks
  Make(const SyntheticLandmarksParameters & parameters = {})
  {
    return SyntheticLandmarks(m_Context, parameters);
  }
  SyntheticLandmarks
  MakeNumber(std::int64_t numberOfPoints)
  {
    SyntheticLandmarksParameters parameters;
    parameters.numberOfPoints = numberOfPoints;
    return this->Make(parameters);
  }

  cudaneuro::Context m_Context{ cudaneuro::Device() };
};

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

/** The search ends at 1e-6 of the mean and the maximum. */
TEST_F(SyntheticPoints, TargetsHaveTheDistancesOfThePaper)
{
  SyntheticLandmarksParameters parameters;
  parameters.noise = 0.0;
  const SyntheticLandmarks landmarks = this->Make(parameters);
  for (int target = 0; target < 34; ++target)
  {
    const Distances distances = DistancesOf(landmarks.GetTemplate(), landmarks.MakeTarget(m_Context, target));
    EXPECT_NEAR(distances.mean, 1.744, 1e-5) << "target " << target;
    EXPECT_NEAR(distances.maximum, 5.780, 1e-4) << "target " << target;
  }
}

/** What cannot be had is approached: one point has no maximum beside its mean. */
TEST_F(SyntheticPoints, DistancesOfOnePoint)
{
  SyntheticLandmarksParameters parameters;
  parameters.numberOfPoints = 1;
  parameters.noise = 0.0;
  const SyntheticLandmarks landmarks = this->Make(parameters);
  const Distances          distances = DistancesOf(landmarks.GetTemplate(), landmarks.MakeTarget(m_Context, 0));
  EXPECT_NEAR(distances.maximum, 1.744, 1e-5);
}

TEST_F(SyntheticPoints, WithoutDistanceTargetsAreTheTemplate)
{
  SyntheticLandmarksParameters parameters;
  parameters.meanDistance = 0.0;
  parameters.noise = 0.0;
  const SyntheticLandmarks landmarks = this->Make(parameters);
  EXPECT_EQ(landmarks.MakeTarget(m_Context, 0), landmarks.GetTemplate());
}

/** What a target has beside its map is noise: mean, standard deviation and tails of a normal distribution. */
TEST_F(SyntheticPoints, NoiseIsNormal)
{
  SyntheticLandmarksParameters parameters;
  parameters.numberOfPoints = 5000;
  parameters.noise = 0.1;
  const SyntheticLandmarks landmarks = this->Make(parameters);
  const Coordinates        moved = landmarks.MovePoints(m_Context, 1, landmarks.GetTemplate());
  const Coordinates        target = landmarks.MakeTarget(m_Context, 1);
  const auto               count = static_cast<double>(moved.size());
  std::array<double, 5>    moments{};
  for (std::size_t i = 0; i < moved.size(); ++i)
  {
    for (int power = 1; power <= 4; ++power)
    {
      moments[power] += std::pow((target[i] - moved[i]) / parameters.noise, power) / count;
    }
  }
  // Five standard deviations of the moments of as many normal numbers: variances 1, 2, 15 and 96 over the count.
  EXPECT_NEAR(moments[1], 0.0, 5.0 * std::sqrt(1.0 / count));
  EXPECT_NEAR(moments[2], 1.0, 5.0 * std::sqrt(2.0 / count));
  EXPECT_NEAR(moments[3], 0.0, 5.0 * std::sqrt(15.0 / count));
  EXPECT_NEAR(moments[4], 3.0, 5.0 * std::sqrt(96.0 / count));
}

/** The determinant of the maps' Jacobian is positive, on a grid through the surface and around it, by differences of
 * 0.001 mm; also where distances are as long as the smoothness. */
TEST_F(SyntheticPoints, MapsDoNotFold)
{
  constexpr double h = 0.001;
  Coordinates      stencils;
  for (int x = -45; x <= 45; x += 3)
  {
    for (int y = -30; y <= 30; y += 3)
    {
      for (int z = -30; z <= 30; z += 3)
      {
        for (int axis = 0; axis < 3; ++axis)
        {
          for (const double step : { -h, h })
          {
            Vector point{ 1.0 * x, 1.0 * y, 1.0 * z };
            point[axis] += step;
            stencils.insert(stencils.end(), point.begin(), point.end());
          }
        }
      }
    }
  }
  for (const double distance : { 1.744, 5.0 })
  {
    SyntheticLandmarksParameters parameters;
    parameters.meanDistance = distance;
    parameters.maximumDistance = 3.314 * distance;
    const SyntheticLandmarks landmarks = this->Make(parameters);
    for (int target = 0; target < 3; ++target)
    {
      const Coordinates moved = landmarks.MovePoints(m_Context, target, stencils);
      double            least = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < moved.size() / 3; i += 6)
      {
        std::array<Vector, 3> columns{};
        for (int axis = 0; axis < 3; ++axis)
        {
          columns[axis] = Difference(PointAt(moved, i + 2 * axis + 1), PointAt(moved, i + 2 * axis));
        }
        least = std::min(least, Dot(columns[0], Cross(columns[1], columns[2])) / (8.0 * h * h * h));
      }
      EXPECT_GT(least, 0.0) << distance << " mm, target " << target;
    }
  }
}

/** Far from the surface nothing moves. */
TEST_F(SyntheticPoints, MapsEndAroundTheSurface)
{
  const Coordinates        corners{ 80.0, 0.0, 0.0, 0.0, -70.0, 0.0, 0.0, 0.0, 60.0, -80.0, 70.0, -60.0 };
  const SyntheticLandmarks landmarks = this->Make();
  EXPECT_EQ(landmarks.MovePoints(m_Context, 0, corners), corners);
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
