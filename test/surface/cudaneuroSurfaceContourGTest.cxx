// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Contours of exact distances are closed, run the right way round, and keep edges.

#include "DeviceTest.h"
#include "ForEachVoxel.h"
#include "cudaneuro/SurfaceContour.h"
#include "cudaneuro/SyntheticSurfaces.h"

#include <map>
#include <sstream>

namespace
{

using cudaneuro::Geometry;
using cudaneuro::SurfaceContour;
using cudaneuro::SyntheticShape;
using cudaneuro::SyntheticSurface;

constexpr double size = 12.0;

/** A grid of 60^3 voxels around the origin, not symmetric about it. */
Geometry
MakeGeometry(const std::array<double, 9> & direction = { 1, 0, 0, 0, 1, 0, 0, 0, 1 })
{
  constexpr int count = 60;
  Geometry      geometry;
  geometry.grid.size = { count, count, count };
  geometry.grid.spacing = { 0.8, 0.7, 0.75 };
  geometry.direction = direction;
  for (int row = 0; row < 3; ++row)
  {
    geometry.origin[row] = 0.1 * (row + 1);
    for (int column = 0; column < 3; ++column)
    {
      geometry.origin[row] -= direction[3 * row + column] * geometry.grid.spacing[column] * 0.5 * count;
    }
  }
  return geometry;
}

class SurfaceContourTest : public ::testing::Test
{
protected:
  SurfaceContour
  ContourOf(const SyntheticSurface & surface, const Geometry & geometry)
  {
    const cudaneuro::AffineMap map = cudaneuro::IndexToPoint(geometry);
    std::vector<float>         distances;
    ForEachVoxel(geometry.grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
      std::array<double, 3> point = map.offset;
      for (int row = 0; row < 3; ++row)
      {
        point[row] += map.matrix[3 * row] * static_cast<double>(x) + map.matrix[3 * row + 1] * static_cast<double>(y) +
                      map.matrix[3 * row + 2] * static_cast<double>(z);
      }
      distances.push_back(static_cast<float>(surface.At(point).distance));
    });
    return cudaneuro::ContourWithEdges(m_Context, geometry, { distances.data() });
  }

  cudaneuro::Context m_Context{ cudaneuro::Device{} };
};

void
ExpectClosed(const SurfaceContour & contour)
{
  std::map<std::pair<std::int32_t, std::int32_t>, int> sides;
  for (std::size_t corner = 0; corner < contour.triangles.size(); ++corner)
  {
    const std::size_t next = corner % 3 == 2 ? corner - 2 : corner + 1;
    ++sides[{ contour.triangles[corner], contour.triangles[next] }];
  }
  for (const auto & [side, count] : sides)
  {
    const auto opposite = sides.find({ side.second, side.first });
    ASSERT_NE(opposite, sides.end());
    EXPECT_EQ(opposite->second, count);
  }
}

} // namespace

TEST_F(SurfaceContourTest, KeepsEdges)
{
  for (const SyntheticShape shape : cudaneuro::ValuesOf<SyntheticShape>())
  {
    std::ostringstream name;
    name << shape;
    SCOPED_TRACE(name.str());
    const SyntheticSurface surface(shape, size);
    const SurfaceContour   contour = this->ContourOf(surface, MakeGeometry());
    ExpectClosed(contour);
    const cudaneuro::SurfaceErrors errors = cudaneuro::MeasureErrors(surface, contour.View());
    // Marching cubes make this 2 to 5 degrees on shapes with edges, by chamfers. What is curved, with radii of 0.3
    // sizes and less, has chords of 0.75 of 3.6, which lean by 3 degrees on average.
    EXPECT_LT(errors.meanAngle, surface.HasEdges() ? 2.2 : 3.0);
    // No vertex is farther from the surface than a voxel's chamfer.
    EXPECT_LT(errors.largestDistance, 0.75);
  }
}

TEST_F(SurfaceContourTest, NormalsAreOutwardOnReflectedAndRotatedGrids)
{
  const SyntheticSurface                   sphere(SyntheticShape::Sphere, size);
  const std::vector<std::array<double, 9>> directions{ { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
                                                       { -1, 0, 0, 0, 1, 0, 0, 0, 1 },
                                                       { 0, 0.6, 0.8, 1, 0, 0, 0, 0.8, -0.6 } };
  for (const auto & direction : directions)
  {
    const SurfaceContour contour = this->ContourOf(sphere, MakeGeometry(direction));
    // Chords of a voxel take about (h / 2r)^2 of the volume, a thousandth.
    const double volume = 4.0 / 3.0 * 3.14159265358979 * size * size * size;
    EXPECT_NEAR(cudaneuro::EnclosedVolume(contour.View()), volume, 0.005 * volume);
    EXPECT_LT(cudaneuro::MeasureErrors(sphere, contour.View()).meanAngle, 1.5);
  }
}

TEST_F(SurfaceContourTest, NoSurface)
{
  Geometry geometry;
  geometry.grid.size = { 4, 4, 4 };
  const std::vector<float> distances(64, 1.0f);
  EXPECT_TRUE(cudaneuro::ContourWithEdges(m_Context, geometry, { distances.data() }).triangles.empty());
}

TEST_F(SurfaceContourTest, RefusesOtherTypes)
{
  Geometry geometry;
  geometry.grid.size = { 4, 4, 4 };
  const std::vector<double> distances(64, 1.0);
  EXPECT_THROW(cudaneuro::ContourWithEdges(m_Context, geometry, { distances.data(), cudaneuro::PixelType::Double }),
               cudaneuro::InvalidParameterError);
}
