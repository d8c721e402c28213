// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Marching cubes: what they make is closed, and right where the level set is linear.

#include "labels/BandContour.h"
#include "cudaneuro/SyntheticSurfaces.h"
#include "labels/LabelTestCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace labeltests;

namespace
{

/** A box all of whose inner voxels are in the band. */
struct WholeBox
{
  cudaneuro::LabelGrid     grid;
  cudaneuro::LabelBand     band;
  cudaneuro::VersionValues levels;

  template <typename TLevel>
  WholeBox(int size, const TLevel & levelAt)
  {
    grid.extent = { size, size, size };
    grid.codes.assign(static_cast<std::size_t>(size) * size * size, cudaneuro::isKnownBit);
    band.numbers.assign(grid.codes.size(), -1);
    for (std::size_t i = 0; i < grid.codes.size(); ++i)
    {
      const std::array<int, 3> index = grid.IndexOf(static_cast<std::int64_t>(i));
      const auto               isInner = [&](int x) { return x > 0 && x < size - 1; };
      if (isInner(index[0]) && isInner(index[1]) && isInner(index[2]))
      {
        band.numbers[i] = band.count++;
        band.voxels.push_back(static_cast<std::int32_t>(i));
        band.codes.push_back(grid.codes[i]);
        levels.insert(levels.end(), cudaneuro::versions, static_cast<float>(levelAt(index)));
      }
    }
  }
};

} // namespace

TEST(BandContour, OfRandomLevelsIsClosed)
{
  cudaneuro::Context context(cudaneuro::Device{});
  // 8000 cubes have each of the 256 cases some 30 times.
  const WholeBox                  box(22, [](const std::array<int, 3> & i) {
    return cudaneuro::RandomUniform(3, static_cast<std::uint64_t>(i[0] + 22 * (i[1] + 22 * i[2]))) - 0.5;
  });
  const cudaneuro::BandContour    contour = ContourOfBand(context, box.grid, box.band, box.levels);
  const cudaneuro::SurfaceDefects defects = FindDefects(contour.surface.View());
  EXPECT_GT(contour.surface.triangles.size(), 10000u);
  EXPECT_EQ(defects.openEdges, 0);
  EXPECT_EQ(defects.sharedEdges, 0);
  EXPECT_EQ(defects.flippedEdges, 0);
  EXPECT_EQ(defects.degenerateTriangles, 0);
}

TEST(BandContour, IsRightForPlanes)
{
  cudaneuro::Context context(cudaneuro::Device{});
  const Vector       normal{ 0.48, 0.6, 0.64 };
  const auto heightAt = [&](const Vector & p) { return normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2] - 8.3; };
  const WholeBox               box(11, [&](const std::array<int, 3> & i) {
    return -heightAt({ 1.0 * i[0], 1.0 * i[1], 1.0 * i[2] });
  });
  const cudaneuro::BandContour contour = ContourOfBand(context, box.grid, box.band, box.levels);
  std::size_t                  onPlane = 0;
  for (std::size_t i = 0; i < contour.NumberOfVertices(); ++i)
  {
    // The others close the surface at the faces of the box. Levels of single precision, up to 10, are wrong by 1e-6.
    const Vector point = PointOf(contour.surface, i);
    const bool   isInner =
      *std::min_element(point.begin(), point.end()) > 1.0 && *std::max_element(point.begin(), point.end()) < 9.0;
    onPlane += isInner ? 1 : 0;
    EXPECT_TRUE(!isInner || std::abs(heightAt(point)) < 2e-6) << heightAt(point);
  }
  EXPECT_GT(onPlane, 100u);
  EXPECT_GT(cudaneuro::EnclosedVolume(contour.surface.View()), 0.0) << "normals are outward";
}

TEST(BandContour, SamplesWhatIsLinear)
{
  cudaneuro::Context           context(cudaneuro::Device{});
  const WholeBox               box(11, [](const std::array<int, 3> & i) { return 5.2 - i[0]; });
  const cudaneuro::BandContour contour = ContourOfBand(context, box.grid, box.band, box.levels);
  std::vector<float>           values;
  for (const std::int32_t voxel : box.band.voxels)
  {
    const std::array<int, 3> i = box.grid.IndexOf(voxel);
    values.push_back(static_cast<float>(2 * i[0] - i[1] + 3 * i[2]));
  }
  for (std::size_t i = 0; i < contour.NumberOfVertices(); ++i)
  {
    const Vector point = PointOf(contour.surface, i);
    if (std::abs(point[0] - 5.2) < 1e-6)
    {
      EXPECT_NEAR(contour.Sample(values, i), 2.0 * point[0] - point[1] + 3.0 * point[2], 1e-5);
    }
  }
}
