// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Distances to surfaces of triangles, against brute force in double precision.

#include "DistanceTestCases.h"

using namespace distancetests;
using namespace testvolumes;
using cudaneuro::Geometry;
using cudaneuro::SignedDistanceParameters;
using cudaneuro::SignedDistanceResult;

namespace
{

/** Coordinates of triangles are rounded to single precision relative to a voxel nearby, and so are squared distances
 * of some voxels: with surfaces of up to 40 mm that is 40 * 2^-24 = 2e-6 mm and a few such errors together. */
constexpr double tolerance = 1e-5;

class SignedDistance : public DeviceTest
{
protected:
  std::vector<float>
  DistanceTo(const Mesh & mesh, const Geometry & geometry, double reach, SignedDistanceResult * result = nullptr)
  {
    std::vector<float>         values(geometry.grid.NumberOfVoxels());
    const SignedDistanceResult found =
      SignedDistanceOfSurface(this->GetContext(), { reach }, mesh.View(), geometry, View(values));
    if (result)
    {
      *result = found;
    }
    return values;
  }

  /** Expects the distances of brute force, but for the sign of voxels that are on the surface. */
  void
  ExpectBruteForce(const Mesh & mesh, const Geometry & geometry, double reach)
  {
    const std::vector<float>  values = this->DistanceTo(mesh, geometry, reach);
    const std::vector<double> expected = ReferenceDistance(mesh, geometry, reach);
    double                    largest = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      const bool isNear = std::abs(expected[i]) < reach - tolerance;
      ASSERT_TRUE(isNear || std::abs(values[i]) > reach - 2.0 * tolerance) << "voxel " << i;
      const double difference = std::abs(values[i] - expected[i]);
      largest = difference <= largest ? largest : difference;
    }
    EXPECT_LE(largest, tolerance);
  }
};

Geometry
MakeGeometry(const std::array<std::int64_t, 3> & size, const std::array<double, 3> & spacing = { 1.0, 1.0, 1.0 })
{
  Geometry geometry;
  geometry.grid = MakeGrid(size, spacing);
  return geometry;
}

/** Axes that are not those of space, and a spacing of its own along each. */
Geometry
ObliqueGeometry()
{
  Geometry geometry = MakeGeometry({ 29, 25, 14 }, { 0.8, 1.0, 1.7 });
  geometry.origin = { 131.0, -52.5, 1007.25 };
  const double a = 0.4;
  const double b = -0.7;
  geometry.direction = { std::cos(a),
                         -std::sin(a) * std::cos(b),
                         std::sin(a) * std::sin(b),
                         std::sin(a),
                         std::cos(a) * std::cos(b),
                         -std::cos(a) * std::sin(b),
                         0.0,
                         std::sin(b),
                         std::cos(b) };
  return geometry;
}

/** The middle of a grid, in mm. */
Point
Middle(const Geometry & geometry)
{
  return 0.5 * (VoxelCenter(geometry, 0) + VoxelCenter(geometry, geometry.grid.NumberOfVoxels() - 1));
}

/** A ball with a hollow, and beside it another ball. */
Mesh
HollowBallAndBall(const Point & middle)
{
  Mesh mesh = Sphere(middle - Point{ 2.5, 0.0, 0.0 }, 6.0, 6);
  mesh.Add(Sphere(middle - Point{ 2.0, 0.4, 0.3 }, 3.0, 5).Reversed());
  mesh.Add(Sphere(middle + Point{ 6.5, 1.0, 1.3 }, 2.4, 4));
  return mesh;
}

} // namespace

TEST_P(SignedDistance, AgreesWithBruteForce)
{
  const Geometry geometry = MakeGeometry({ 27, 24, 22 });
  const Point    middle = Middle(geometry) + Point{ 0.13, 0.07, -0.21 };
  this->ExpectBruteForce(Sphere(middle, 8.0, 8), geometry, 4.0);
  this->ExpectBruteForce(Torus(middle, 6.7, 2.9, 11), geometry, 3.0);
  this->ExpectBruteForce(HollowBallAndBall(middle), geometry, 50.0);
  this->ExpectBruteForce(Box(middle - Point{ 9.0, 7.0, 0.2 }, middle + Point{ 9.5, 6.0, 0.3 }), geometry, 5.0);
}

TEST_P(SignedDistance, ObliqueGrid)
{
  const Geometry geometry = ObliqueGeometry();
  const Point    middle = Middle(geometry);
  this->ExpectBruteForce(Sphere(middle, 8.0, 3), geometry, 4.0);
  this->ExpectBruteForce(Torus(middle, 5.7, 2.9, 13), geometry, 2.5);
  this->ExpectBruteForce(HollowBallAndBall(middle), geometry, 3.0);
  this->ExpectBruteForce(Box(middle - Point{ 5.0, 4.0, 3.0 }, middle + Point{ 5.0, 4.0, 3.0 }), geometry, 0.3);
}

/** A grid whose axes run the other way than those of space: the surface is seen in a mirror. */
TEST_P(SignedDistance, ReflectedGrid)
{
  Geometry geometry = MakeGeometry({ 20, 21, 22 });
  geometry.origin = { 19.0, 0.0, 21.0 };
  geometry.direction = { -1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0 };
  this->ExpectBruteForce(Torus(Middle(geometry), 5.7, 2.9, 11), geometry, 4.0);
  geometry.direction = { 0.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0, -1.0, 0.0 };
  this->ExpectBruteForce(Torus(Middle(geometry), 5.7, 2.9, 11), geometry, 4.0);
}

/** Faces, edges and corners of a box through voxel centers, from which its distance is known. */
TEST_P(SignedDistance, BoxThroughVoxelCenters)
{
  const Geometry           geometry = MakeGeometry({ 16, 17, 18 });
  const Point              low{ 3.0, 4.0, 5.0 };
  const Point              high{ 11.0, 12.0, 9.0 };
  SignedDistanceResult     result;
  const std::vector<float> values = this->DistanceTo(Box(low, high), geometry, 3.0, &result);
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    const Point center = VoxelCenter(geometry, static_cast<std::int64_t>(i));
    double      inside = HUGE_VAL;
    Point       outside{};
    for (int axis = 0; axis < 3; ++axis)
    {
      inside = std::min({ inside, center[axis] - low[axis], high[axis] - center[axis] });
      outside[axis] = std::max({ 0.0, low[axis] - center[axis], center[axis] - high[axis] });
    }
    const double distance = inside > 0.0 ? -inside : Length(outside);
    ASSERT_NEAR(values[i], std::clamp(distance, -3.0, 3.0), tolerance) << "voxel " << i;
  }
  EXPECT_EQ(result.ambiguousVoxels, 0);
}

/** Tetrahedra whose corners are voxel centers, so that rows run through corners and along edges and faces. */
TEST_P(SignedDistance, CornersAtVoxelCenters)
{
  const Geometry geometry = MakeGeometry({ 10, 9, 8 });
  for (std::uint64_t seed = 0; seed < 40; ++seed)
  {
    Mesh mesh;
    for (int corner = 0; corner < 4; ++corner)
    {
      const auto coordinate = [&](int axis, int size) {
        return std::floor(size * UniformNoise(seed, static_cast<std::uint64_t>(3 * corner + axis)));
      };
      mesh.points.push_back({ coordinate(0, 10), coordinate(1, 9), coordinate(2, 8) });
    }
    mesh.triangles = { { 0, 1, 2 }, { 0, 2, 3 }, { 0, 3, 1 }, { 1, 3, 2 } };
    const std::vector<float> values = this->DistanceTo(mesh, geometry, 20.0);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      const Point  center = VoxelCenter(geometry, static_cast<std::int64_t>(i));
      const double distance = DistanceToMesh(mesh, center);
      ASSERT_NEAR(std::abs(values[i]), distance, tolerance) << "seed " << seed << ", voxel " << i;
      if (distance > 1e-9)
      {
        ASSERT_EQ(values[i]<0.0f, std::abs(WindingNumber(mesh, center))> 0.5) << "seed " << seed << ", voxel " << i;
      }
    }
  }
}

TEST_P(SignedDistance, OrientationDoesNotMatter)
{
  const Geometry           geometry = MakeGeometry({ 27, 24, 22 });
  const Mesh               mesh = HollowBallAndBall(Middle(geometry));
  SignedDistanceResult     result;
  const std::vector<float> values = this->DistanceTo(mesh, geometry, 4.0);
  const std::vector<float> reversed = this->DistanceTo(mesh.Reversed(), geometry, 4.0, &result);
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    // The corners come in another order, and are rounded otherwise.
    ASSERT_NEAR(values[i], reversed[i], tolerance);
    ASSERT_EQ(std::signbit(values[i]), std::signbit(reversed[i]));
  }
  EXPECT_EQ(result.ambiguousVoxels, 0);
}

/** Voxels with a winding number other than that of most voxels inside, which are counted by brute force here. */
TEST_P(SignedDistance, AmbiguousVoxels)
{
  const Geometry geometry = MakeGeometry({ 27, 24, 22 });
  const Point    middle = Middle(geometry) + Point{ 0.13, 0.07, -0.21 };
  Mesh           overlapping = Sphere(middle - Point{ 4.0, 0.0, 0.0 }, 6.0, 8);
  overlapping.Add(Sphere(middle + Point{ 4.0, 0.0, 0.0 }, 5.0, 8));
  Mesh mixed = Sphere(middle - Point{ 5.0, 0.0, 0.0 }, 5.0, 8).Reversed();
  mixed.Add(Sphere(middle + Point{ 6.0, 0.0, 0.0 }, 4.0, 8));
  for (const auto & [mesh, usual] : { std::make_pair(overlapping, 1.0), std::make_pair(mixed, -1.0) })
  {
    SignedDistanceResult     result;
    const std::vector<float> values = this->DistanceTo(mesh, geometry, 3.0, &result);
    std::int64_t             expected = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      const double winding = WindingNumber(mesh, VoxelCenter(geometry, static_cast<std::int64_t>(i)));
      EXPECT_EQ(values[i]<0.0f, std::abs(winding)> 0.5);
      expected += std::abs(winding) > 0.5 && std::abs(winding - usual) > 0.5 ? 1 : 0;
    }
    EXPECT_GT(expected, 0);
    EXPECT_EQ(result.ambiguousVoxels, expected);
  }
}

/** Spikes and triangles without area, which happen in meshes of scanners. */
TEST_P(SignedDistance, DegenerateTriangles)
{
  const Geometry geometry = MakeGeometry({ 20, 21, 22 });
  Mesh           mesh = Box({ 4.2, 5.1, 6.3 }, { 14.7, 15.2, 16.4 });
  // A point on an edge of one of its two triangles, which a triangle without area ties to the other.
  mesh.points.push_back(0.3 * mesh.points[0] + 0.7 * mesh.points[1]);
  mesh.triangles[1] = { 0, 3, 8 };
  mesh.triangles.push_back({ 8, 3, 1 });
  mesh.triangles.push_back({ 0, 8, 1 });
  // A spike that is an edge.
  mesh.points.push_back({ 17.0, 18.0, 19.0 });
  mesh.triangles.push_back({ 7, 9, 9 });
  // A spike that is thin.
  mesh.points.push_back({ 2.0, 2.1, 2.2 });
  mesh.Add(Box({ 0.0, 0.0, 0.0 }, { 1.0, 1.0, 1.0 }).Mapped([](const Point & p) {
    return Point{ 2.0 + 15.0 * p[0] + 1e-9 * p[1], 2.0 + 1e-9 * p[2], 2.0 + p[0] + 1e-9 * p[1] };
  }));
  this->ExpectBruteForce(mesh, geometry, 4.0);
}

TEST_P(SignedDistance, AllPixelTypes)
{
  const Geometry           geometry = MakeGeometry({ 20, 21, 22 });
  const Mesh               mesh = Torus(Middle(geometry), 5.7, 2.9, 11);
  const std::vector<float> expected = this->DistanceTo(mesh, geometry, 4.0);
  std::vector<double>      doubles(expected.size());
  SignedDistanceOfSurface(this->GetContext(), { 4.0 }, mesh.View(), geometry, View(doubles));
  EXPECT_EQ(doubles, std::vector<double>(expected.begin(), expected.end()));
  std::vector<short> shorts(expected.size());
  SignedDistanceOfSurface(this->GetContext(), { 4.0 }, mesh.View(), geometry, View(shorts));
  for (std::size_t i = 0; i < shorts.size(); ++i)
  {
    ASSERT_EQ(shorts[i], std::nearbyint(expected[i]));
  }
  const cudaneuro::DeviceMemory memory = AllocateDeviceMemory(this->GetParam(), expected.size() * sizeof(float));
  const auto         space = this->GetParam().IsCuda() ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
  std::vector<float> copy(expected.size());
  SignedDistanceOfSurface(
    this->GetContext(), { 4.0 }, mesh.View(), geometry, { memory.Data(), cudaneuro::PixelType::Float, space });
  CopyVolume(this->GetContext(), geometry.grid, { memory.Data(), cudaneuro::PixelType::Float, space }, View(copy));
  EXPECT_EQ(copy, expected);
}

/** Large triangles are cut into chunks on a GPU. */
TEST_P(SignedDistance, IsTheSameOnTheCpu)
{
  const Geometry geometry = MakeGeometry({ 70, 65, 60 }, { 1.0, 1.1, 0.9 });
  const Point    middle = Middle(geometry) + Point{ 0.13, 0.07, -0.21 };
  for (const Mesh & mesh : { Sphere(middle, 20.0, 30), Sphere(middle, 25.0, 1), HollowBallAndBall(middle) })
  {
    SignedDistanceResult     result;
    const std::vector<float> values = this->DistanceTo(mesh, geometry, 7.0, &result);
    EXPECT_EQ(values, this->DistanceTo(mesh, geometry, 7.0)) << "twice";
    cudaneuro::Context         cpu{ cudaneuro::Device{} };
    std::vector<float>         expected(values.size());
    const SignedDistanceResult onCpu = SignedDistanceOfSurface(cpu, { 7.0 }, mesh.View(), geometry, View(expected));
    EXPECT_EQ(result.ambiguousVoxels, onCpu.ambiguousVoxels);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      ASSERT_NEAR(values[i], expected[i], tolerance);
      ASSERT_EQ(std::signbit(values[i]), std::signbit(expected[i]));
    }
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(SignedDistance);
