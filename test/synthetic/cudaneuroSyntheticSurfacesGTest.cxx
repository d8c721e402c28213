// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Synthetic surfaces: exact distances, closed meshes that keep edges, noise, measures of errors, and the same bits
// everywhere.

#include "DeviceTest.h"
#include "atlas/checkpoints/Checksum.h"
#include "core/CounterRandom.h"
#include "cudaneuro/SyntheticSurfaces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>

namespace
{

using cudaneuro::SurfaceErrors;
using cudaneuro::SurfaceNoise;
using cudaneuro::SurfaceNoiseParameters;
using cudaneuro::SurfaceView;
using cudaneuro::SyntheticMesh;
using cudaneuro::SyntheticShape;
using cudaneuro::SyntheticSurface;
using Vector = std::array<double, 3>;

constexpr double pi = 3.14159265358979323846;
constexpr double size = 12.0;

/** Volumes of shapes of size 1, from textbooks. That of Folds has no formula. */
double
VolumeOf(SyntheticShape shape)
{
  switch (shape)
  {
    case SyntheticShape::Box:
      return 8.0;
    case SyntheticShape::TiltedBox:
      return 6.4;
    case SyntheticShape::Blocks:
    case SyntheticShape::TiltedBlocks:
      return 0.7 * (4.0 + 1.0);
    case SyntheticShape::Cylinder:
      return pi * 0.64 * 2.0;
    case SyntheticShape::Cone:
      return pi / 3.0 * 1.6 * (1.0 + 0.3 + 0.09);
    case SyntheticShape::Wedge:
      return 0.5 * 2.0 * 1.1 * 1.4;
    case SyntheticShape::Bracket:
      return (1.6 * 0.6 + 0.6 * 1.0 + 0.5 * 0.3 * 0.3) * 1.2;
    case SyntheticShape::Shaft:
      return pi * (0.81 * 0.4 + 0.1 * (0.81 + 0.405 + 0.2025) + 0.2025 * 0.6 + 0.64 * 0.35 +
                   0.35 / 3.0 * (0.64 + 0.4 + 0.25));
    case SyntheticShape::Nut:
      return (1.5 * std::sqrt(3.0) - pi * 0.25) * 0.9;
    case SyntheticShape::Sphere:
      return 4.0 / 3.0 * pi;
    case SyntheticShape::Torus:
      return 2.0 * pi * pi * 0.7 * 0.09;
    case SyntheticShape::Folds:
      break;
  }
  return 0.0;
}

std::string
NameOf(SyntheticShape shape)
{
  std::ostringstream name;
  name << shape;
  return name.str();
}

Vector
PointAt(const SyntheticMesh & mesh, std::size_t index)
{
  return { mesh.points[3 * index], mesh.points[3 * index + 1], mesh.points[3 * index + 2] };
}

double
DistanceBetween(const Vector & a, const Vector & b)
{
  return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

class SyntheticSurfaces : public ::testing::Test
{
protected:
  SyntheticMesh
  MeshOf(SyntheticShape shape, double edgeLength = 1.0)
  {
    return SyntheticSurface(shape, size).MakeMesh(m_Context, edgeLength);
  }

  cudaneuro::Context m_Context{ cudaneuro::Device{} };
};

} // namespace

TEST_F(SyntheticSurfaces, DistancesAreThoseToTheNearestPoint)
{
  for (const SyntheticShape shape : cudaneuro::ValuesOf<SyntheticShape>())
  {
    SCOPED_TRACE(NameOf(shape));
    const SyntheticSurface surface(shape, size);
    const SyntheticMesh    mesh = this->MeshOf(shape);
    const std::size_t      vertices = mesh.points.size() / 3;
    // Distances to Folds are exact near the surface only.
    const double reach = (shape == SyntheticShape::Folds ? 0.02 : 0.4) * size;
    for (std::uint64_t trial = 0; trial < 50; ++trial)
    {
      Vector point = PointAt(mesh, cudaneuro::RandomBits(1, trial) % vertices);
      for (int axis = 0; axis < 3; ++axis)
      {
        point[axis] += reach * (2.0 * cudaneuro::RandomUniform(2, 3 * trial + axis) - 1.0);
      }
      const SurfaceView view = surface.At(point);
      EXPECT_EQ(surface.IsInside(point), view.distance < 0.0);
      // The point at that distance, in the direction of the normal, is on the surface, to rounding and the iteration's
      // end.
      Vector nearest{};
      for (int axis = 0; axis < 3; ++axis)
      {
        nearest[axis] = point[axis] - view.distance * view.normal[axis];
      }
      EXPECT_NEAR(surface.At(nearest).distance, 0.0, 1e-7 * size);
      // No vertex, all of which are on the surface, is nearer.
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t vertex = 0; vertex < vertices; ++vertex)
      {
        least = std::min(least, DistanceBetween(point, PointAt(mesh, vertex)));
      }
      EXPECT_LE(std::abs(view.distance), least + 1e-7 * size);
    }
  }
}

TEST_F(SyntheticSurfaces, MeshesAreClosedAndOnTheSurface)
{
  for (const SyntheticShape shape : cudaneuro::ValuesOf<SyntheticShape>())
  {
    SCOPED_TRACE(NameOf(shape));
    const SyntheticMesh                                  mesh = this->MeshOf(shape);
    std::map<std::pair<std::int32_t, std::int32_t>, int> sides;
    for (std::size_t corner = 0; corner < mesh.triangles.size(); ++corner)
    {
      const std::size_t next = corner % 3 == 2 ? corner - 2 : corner + 1;
      ++sides[{ mesh.triangles[corner], mesh.triangles[next] }];
    }
    for (const auto & [side, count] : sides)
    {
      const auto opposite = sides.find({ side.second, side.first });
      ASSERT_NE(opposite, sides.end());
      EXPECT_EQ(opposite->second, count);
    }
    for (std::size_t vertex = 0; vertex < mesh.points.size() / 3; ++vertex)
    {
      EXPECT_NEAR(SyntheticSurface(shape, size).At(PointAt(mesh, vertex)).distance, 0.0, 1e-7 * size);
    }
  }
}

TEST_F(SyntheticSurfaces, MeshesHaveTheVolumesOfTextbooks)
{
  for (const SyntheticShape shape : cudaneuro::ValuesOf<SyntheticShape>())
  {
    if (shape != SyntheticShape::Folds)
    {
      SCOPED_TRACE(NameOf(shape));
      // Chords of curves of radius 0.3 sizes, 0.08 sizes long, take about 1 %; planes nothing.
      const double volume = VolumeOf(shape) * size * size * size;
      EXPECT_NEAR(cudaneuro::EnclosedVolume(this->MeshOf(shape).View()), volume, 0.015 * volume);
    }
  }
}

TEST_F(SyntheticSurfaces, MeshesKeepEdges)
{
  for (const SyntheticShape shape : cudaneuro::ValuesOf<SyntheticShape>())
  {
    const SyntheticSurface surface(shape, size);
    if (surface.HasEdges())
    {
      SCOPED_TRACE(NameOf(shape));
      // Marching cubes on this grid cut edges by chamfers that make this 2 to 6 degrees.
      EXPECT_LT(cudaneuro::MeasureErrors(surface, this->MeshOf(shape).View()).meanAngle, 1.2);
    }
  }
  // Faces in planes are met exactly.
  const SyntheticSurface box(SyntheticShape::Box, size);
  EXPECT_LT(cudaneuro::MeasureErrors(box, this->MeshOf(SyntheticShape::Box).View()).meanAngle, 1e-6);
}

TEST_F(SyntheticSurfaces, EdgesHaveTheLengthAskedFor)
{
  for (const SyntheticShape shape : cudaneuro::ValuesOf<SyntheticShape>())
  {
    SCOPED_TRACE(NameOf(shape));
    for (const double length : { 0.8, 1.6 })
    {
      EXPECT_NEAR(cudaneuro::MeanEdgeLength(this->MeshOf(shape, length).View()), length, 0.2 * length);
    }
  }
}

TEST_F(SyntheticSurfaces, NoiseHasItsDeviation)
{
  const SyntheticSurface sphere(SyntheticShape::Sphere, size);
  const SyntheticMesh    mesh = sphere.MakeMesh(m_Context, 0.5);
  const double           edge = cudaneuro::MeanEdgeLength(mesh.View());
  for (const SurfaceNoise noise : { SurfaceNoise::Gaussian, SurfaceNoise::Impulsive })
  {
    SurfaceNoiseParameters parameters;
    parameters.noiseKind = noise;
    parameters.deviation = 0.3;
    const SyntheticMesh noisy = cudaneuro::AddNoise(mesh, parameters);
    const auto          vertices = static_cast<double>(mesh.points.size() / 3);
    double              sum = 0.0;
    double              squares = 0.0;
    double              moved = 0.0;
    for (std::size_t vertex = 0; vertex < mesh.points.size() / 3; ++vertex)
    {
      const double distance = sphere.At(PointAt(noisy, vertex)).distance / edge;
      sum += distance;
      squares += distance * distance;
      moved += std::abs(distance) > 1e-9 ? 1.0 : 0.0;
    }
    const double share = noise == SurfaceNoise::Gaussian ? 1.0 : 0.2;
    // Five standard errors each; the normals of the mesh are those of the sphere to a degree, which is less.
    EXPECT_NEAR(moved / vertices, share, 5.0 * std::sqrt(share * (1.0 - share) / vertices));
    EXPECT_NEAR(sum / moved, 0.0, 5.0 * 0.3 / std::sqrt(moved));
    EXPECT_NEAR(std::sqrt(squares / moved), 0.3, 5.0 * 0.3 / std::sqrt(2.0 * moved));
  }
}

TEST_F(SyntheticSurfaces, MeasuresDistances)
{
  // A sphere beside a larger one is everywhere as far, but for chords of length 1, which are 1 / (8 * 12) deep at most.
  const SyntheticMesh mesh = this->MeshOf(SyntheticShape::Sphere);
  const SurfaceErrors errors =
    cudaneuro::MeasureErrors(SyntheticSurface(SyntheticShape::Sphere, size + 0.5), mesh.View());
  EXPECT_NEAR(errors.rootMeanSquareDistance, 0.5, 0.02);
  EXPECT_NEAR(errors.largestDistance, 0.5, 1e-9);
  // Chords of length e turn by e / (2 r) from end to end.
  EXPECT_LT(errors.meanAngle, 0.5);
}

TEST_F(SyntheticSurfaces, MeasuresAngles)
{
  // The middle of a box's upper face, as a square that leans by 5 degrees.
  constexpr double lean = 5.0;
  const double     rise = std::tan(lean * pi / 180.0);
  SyntheticMesh    mesh;
  mesh.points = { -1, -1, size - rise, 1, -1, size + rise, 1, 1, size + rise, -1, 1, size - rise };
  mesh.triangles = { 0, 1, 2, 0, 2, 3 };
  const SyntheticSurface box(SyntheticShape::Box, size);
  EXPECT_NEAR(cudaneuro::MeasureErrors(box, mesh.View()).meanAngle, lean, 1e-9);
  // Their middles are a third of the rise above and below the face.
  EXPECT_NEAR(cudaneuro::MeasureErrors(box, mesh.View()).rootMeanSquareDistance, rise / 3.0, 1e-9);
  EXPECT_NEAR(cudaneuro::MeasureErrors(box, mesh.View()).largestDistance, rise, 1e-9);
  mesh.triangles = { 0, 2, 1, 0, 3, 2 };
  EXPECT_NEAR(cudaneuro::MeasureErrors(box, mesh.View()).meanAngle, 180.0 - lean, 1e-9);
}

TEST_F(SyntheticSurfaces, AreRepeatable)
{
  const auto checksum = [](const SyntheticMesh & mesh) {
    return cudaneuro::Checksum(mesh.points.data(), mesh.points.size() * sizeof(double)) ^
           cudaneuro::Checksum(mesh.triangles.data(), mesh.triangles.size() * sizeof(std::int32_t));
  };
  // From a run on x86-64.
  const std::map<SyntheticShape, std::uint64_t> checksums = { { SyntheticShape::TiltedBlocks, 0xd0f09bcc360436caULL },
                                                              { SyntheticShape::Shaft, 0xda229f30388f34faULL },
                                                              { SyntheticShape::Folds, 0x233fedb780265c8eULL } };
  for (const auto & [shape, expected] : checksums)
  {
    SCOPED_TRACE(NameOf(shape));
    SurfaceNoiseParameters parameters;
    const SyntheticMesh    noisy = cudaneuro::AddNoise(this->MeshOf(shape), parameters);
    EXPECT_EQ(checksum(noisy), expected);
    parameters.seed = 2;
    EXPECT_NE(cudaneuro::AddNoise(this->MeshOf(shape), parameters).points, noisy.points);
  }
}

TEST_F(SyntheticSurfaces, HaveNames)
{
  for (const SyntheticShape shape : cudaneuro::ValuesOf<SyntheticShape>())
  {
    SyntheticShape parsed = SyntheticShape::Box;
    cudaneuro::FromName(NameOf(shape), parsed);
    EXPECT_EQ(parsed, shape);
  }
  SyntheticShape shape = SyntheticShape::Box;
  SurfaceNoise   noise = SurfaceNoise::Gaussian;
  EXPECT_THROW(cudaneuro::FromName("Teapot", shape), cudaneuro::InvalidParameterError);
  EXPECT_THROW(cudaneuro::FromName("White", noise), cudaneuro::InvalidParameterError);
}

TEST_F(SyntheticSurfaces, RefuseParameters)
{
  ExpectInvalidParameter([] { SyntheticSurface(SyntheticShape::Box, 0.0); }, "size", "0");
  ExpectInvalidParameter([this] { this->MeshOf(SyntheticShape::Box, 5.0); }, "edgeLength", "5");
  SurfaceNoiseParameters parameters;
  parameters.deviation = -1.0;
  ExpectInvalidParameter(
    [&] { cudaneuro::AddNoise(this->MeshOf(SyntheticShape::Box), parameters); }, "Deviation", "-1");
}
