// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearPhantom.h"

#include "UploadedVolumes.h"
#include "jobs/DeviceJob.h"
#include "linear/head/HeadDepth.h"
#include "linear/MapShape.h"
#include "linear/head/VoxelMask.h"

#include <cmath>
#include <limits>

/** What is known of a head and of a map before and after a linear registration: depths under the air, and shapes. */
namespace
{

using namespace linearphantom;

class HeadDepthTest : public DeviceTest
{
protected:
  HeadDepth
  DepthOf(const PlacedImage & image, const std::vector<unsigned char> & mask = {})
  {
    std::optional<HeadDepth> depth;
    RunDeviceJob(this->GetContext(), [&] {
      const MemorySpace space = this->GetParam().IsCuda() ? MemorySpace::Device : MemorySpace::Host;
      UploadedVolumes   volumes(this->GetContext());
      depth.emplace(this->GetContext(),
                    image.geometry,
                    ConstVolume{ volumes.Upload(image.values), PixelType::Float, space },
                    ConstVolume{ volumes.Upload(mask), PixelType::UnsignedChar, space });
    });
    return *depth;
  }
};

/** A ball of 60 mm around the origin with dark shells in it; \p offset is added to all intensities. */
PlacedImage
Ball(const Geometry & geometry, double offset = 0.0)
{
  return Sample(geometry, [offset](const Point & p) {
    const double radius = std::hypot(p[0], p[1], p[2]);
    const bool   isDark = radius > 20.0 && radius < 30.0;
    return offset +
           (radius > 60.0 ? 2.0 * std::sin(p[0] + 3.0 * p[1]) : (isDark ? 1.0 : 100.0 + 20.0 * std::sin(0.2 * p[0])));
  });
}

Geometry
Around(std::int64_t size, double spacing)
{
  Geometry geometry;
  geometry.grid = testvolumes::MakeGrid({ size, size, size }, { spacing, spacing, spacing });
  geometry.origin.fill(-0.5 * static_cast<double>(size - 1) * spacing);
  return geometry;
}

/** The depth of the voxel nearest to a point. */
double
DepthAt(const HeadDepth & depth, const Point & point)
{
  const Point  index = Mapped(PointToIndex(depth.GetGeometry()), point);
  const auto & size = depth.GetGeometry().grid.size;
  std::int64_t voxel = 0;
  for (int axis = 2; axis >= 0; --axis)
  {
    voxel = voxel * size[axis] + static_cast<std::int64_t>(std::lround(index[axis]));
  }
  return static_cast<double>(depth.GetDepth()[static_cast<std::size_t>(voxel)]);
}

} // namespace

TEST_P(HeadDepthTest, IsTheDistanceFromTheAir)
{
  for (const double offset : { 0.0, -1e5, 3e6 })
  {
    const HeadDepth depth = this->DepthOf(Ball(Around(160, 1.0), offset));
    for (const double radius : { 0.0, 25.0, 40.0, 55.0, 70.0 })
    {
      // Depths are those of voxels of 2 or 3 mm, of which a half is on either side of the surface.
      EXPECT_NEAR(DepthAt(depth, { 0.0, radius, 0.0 }), 60.0 - radius, 3.5) << offset;
    }
    EXPECT_NEAR(depth.GetScale(), 0.6 * 60.0, 2.0);
  }
}

TEST_P(HeadDepthTest, GoesOnWhereAHeadIsCutOff)
{
  Geometry geometry = Around(160, 1.0);
  geometry.grid.size[2] = 80;
  const HeadDepth depth = this->DepthOf(Ball(geometry));
  EXPECT_NEAR(DepthAt(depth, { 0.0, 0.0, -2.0 }), 60.0, 3.5);
  EXPECT_NEAR(DepthAt(depth, { 40.0, 0.0, -2.0 }), 20.0, 3.5);
}

TEST_P(HeadDepthTest, IsNotMeasuredFromVoxelsThatAreNotKnown)
{
  PlacedImage                image = Ball(Around(80, 2.0));
  const HeadDepth            expected = this->DepthOf(image);
  std::vector<unsigned char> mask(image.values.size(), 1);
  for (std::size_t i = 0; i < mask.size(); ++i)
  {
    const std::size_t x = i % 80;
    if (x > 45 && x < 52)
    {
      mask[i] = 0;
      image.values[i] = i % 3 == 0 ? std::numeric_limits<float>::quiet_NaN() : 1e6f;
    }
  }
  const HeadDepth depth = this->DepthOf(image, mask);
  EXPECT_NEAR(DepthAt(depth, { 0.0, 0.0, 0.0 }), DepthAt(expected, { 0.0, 0.0, 0.0 }), 1e-3);
  EXPECT_NEAR(DepthAt(depth, { -40.0, 0.0, 0.0 }), DepthAt(expected, { -40.0, 0.0, 0.0 }), 1e-3);
}

TEST_P(HeadDepthTest, AllIsDeepWhereThereIsNoAir)
{
  Geometry        geometry = Around(40, 2.0);
  const HeadDepth depth = this->DepthOf(
    Sample(geometry, [](const Point & p) { return 50.0 + 30.0 * std::sin(0.3 * p[0]) * std::cos(0.2 * p[2]); }));
  EXPECT_EQ(depth.GetScale(), 40.0);
  EXPECT_GT(*std::min_element(depth.GetDepth().begin(), depth.GetDepth().end()), 40.0f);
}

TEST_P(HeadDepthTest, SquaredDistancesAreThoseOfASlowSearch)
{
  const Extent                extent{ 13, 9, 7 };
  const std::array<double, 3> spacing{ 1.0, 2.5, 0.7 };
  VoxelMask                   mask;
  for (int i = 0; i < 13 * 9 * 7; ++i)
  {
    mask.push_back(testvolumes::UniformNoise(5, static_cast<std::uint64_t>(i)) < 0.02 ? 1 : 0);
  }
  const std::vector<float> found = SquaredDistances(this->GetContext(), extent, spacing, mask, 1);
  const auto               place = [&](int i, int axis) {
    const int index[3] = { i % 13, i / 13 % 9, i / (13 * 9) };
    return spacing[static_cast<std::size_t>(axis)] * index[axis];
  };
  for (int i = 0; i < 13 * 9 * 7; ++i)
  {
    double least = std::numeric_limits<double>::infinity();
    for (int j = 0; j < 13 * 9 * 7; ++j)
    {
      if (mask[static_cast<std::size_t>(j)] == 1)
      {
        double square = 0.0;
        for (int axis = 0; axis < 3; ++axis)
        {
          square += (place(i, axis) - place(j, axis)) * (place(i, axis) - place(j, axis));
        }
        least = std::min(least, square);
      }
    }
    EXPECT_NEAR(found[static_cast<std::size_t>(i)], least, 1e-4 * least + 1e-6);
  }
  const std::vector<float> nowhere =
    SquaredDistances(this->GetContext(), extent, spacing, VoxelMask(mask.size(), 0), 1);
  EXPECT_TRUE(std::all_of(nowhere.begin(), nowhere.end(), [](float d) { return std::isinf(d); }));
}

CUDANEURO_TEST_ON_ALL_DEVICES(HeadDepthTest);

TEST(VoxelMasks, HolesAreFilledAndSpecksLeftOut)
{
  const Extent extent{ 12, 10, 1 };
  VoxelMask    mask(120, 0);
  const auto   fill = [&](int x0, int x1, int y0, int y1, unsigned char value) {
    for (int y = y0; y < y1; ++y)
    {
      std::fill(mask.begin() + y * 12 + x0, mask.begin() + y * 12 + x1, value);
    }
  };
  fill(1, 9, 1, 9, 1);    // a square,
  fill(3, 6, 3, 6, 0);    // its hole,
  fill(10, 12, 8, 10, 1); // and a speck
  KeepLargestPart(extent, mask, mask);
  EXPECT_EQ(std::count(mask.begin(), mask.end(), 1), 64 - 9);
  GridSides sides;
  sides.lower[0] = true;
  FillHoles(extent, sides, mask);
  EXPECT_EQ(std::count(mask.begin(), mask.end(), 1), 64);
  mask[12 * 4 + 9] = mask[12 * 4 + 10] = 1; // a thorn
  OpenMask(extent, mask);
  EXPECT_EQ(mask[12 * 4 + 10], 0);
  EXPECT_EQ(mask[12 * 4 + 8], 1);
}

TEST(MapShapes, AreThoseOfKnownMaps)
{
  const std::array<double, 3> normal{ 0.0, 0.0, 1.0 };
  const auto                  shapeOf = [&](const AffineMap & map) { return ShapeOf(map.matrix, normal); };
  const LinearMapShape        rotation = shapeOf(Rotation(3, 25.0));
  EXPECT_NEAR(rotation.rotation, 25.0, 1e-6);
  // The axis of the rotation has the cosine 6/7 with the normal.
  const double square = 6.0 / 7.0 * 6.0 / 7.0;
  const double cosine = square + (1.0 - square) * std::cos(25.0 * std::acos(-1.0) / 180.0);
  EXPECT_NEAR(rotation.tilt, 180.0 / std::acos(-1.0) * std::acos(cosine), 1e-6);
  EXPECT_NEAR(rotation.largestScale, 1.0, 1e-9);
  EXPECT_NEAR(rotation.shear, 0.0, 1e-6);

  AffineMap stretch;
  stretch.matrix = { 1.2, 0.0, 0.0, 0.0, 0.9, 0.0, 0.0, 0.0, 1.0 };
  const LinearMapShape stretched = shapeOf(Compose(Rotation(3, 40.0), Compose(stretch, Rotation(3, -70.0))));
  EXPECT_NEAR(stretched.largestScale, 1.2, 1e-9);
  EXPECT_NEAR(stretched.leastScale, 0.9, 1e-9);
  EXPECT_NEAR(stretched.rotation, 30.0, 1e-6);
  // The diagonals of a square have the angle 2 atan(0.9 / 1.2) after it.
  EXPECT_NEAR(stretched.shear, 90.0 - 2.0 * std::atan(0.75) * 180.0 / std::acos(-1.0), 1e-6);
  EXPECT_NEAR(shapeOf(Rotation(3, 180.0)).rotation, 180.0, 1e-5);
}
