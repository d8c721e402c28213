// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "TestVolumes.h"
#include "cudaneuro/Error.h"
#include "registration/MiddleGrid.h"

#include <gtest/gtest.h>

#include <cmath>

/** Where the images of a symmetric registration meet. */
namespace
{

using namespace cudaneuro;

constexpr double pi = 3.141592653589793;

double
LargestDifference(const AffineMap & a, const AffineMap & b)
{
  double largest = 0.0;
  for (std::size_t entry = 0; entry < 9; ++entry)
  {
    largest = std::max(largest, std::abs(a.matrix[entry] - b.matrix[entry]));
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    largest = std::max(largest, std::abs(a.offset[axis] - b.offset[axis]));
  }
  return largest;
}

AffineMap
Rotation(double degrees)
{
  const double c = std::cos(degrees * pi / 180.0);
  const double s = std::sin(degrees * pi / 180.0);
  return { { c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0 }, { 12.0, -7.0, 30.0 } };
}

/** A rotation, scales and shears. */
AffineMap
SomeMap(std::uint64_t seed)
{
  AffineMap map = Rotation(170.0 * (2.0 * testvolumes::UniformNoise(seed, 12) - 1.0));
  AffineMap stretch;
  for (std::uint64_t entry = 0; entry < 9; ++entry)
  {
    stretch.matrix[entry] += 0.2 * (testvolumes::UniformNoise(seed, entry) - 0.5);
  }
  return Compose(stretch, map);
}

TEST(MiddleGrid, HalfDoneTwiceIsTheWhole)
{
  for (std::uint64_t seed = 0; seed < 50; ++seed)
  {
    const AffineMap map = SomeMap(seed);
    const AffineMap half = HalfOf(map);
    // Offsets of some tens.
    EXPECT_LT(LargestDifference(Compose(half, half), map), 1e-9) << seed;
    EXPECT_LT(LargestDifference(HalfOf(Inverse(map)), Inverse(half)), 1e-9) << seed;
  }
  EXPECT_EQ(LargestDifference(HalfOf({}), {}), 0.0);
  const AffineMap half = HalfOf(Rotation(80.0));
  EXPECT_LT(std::abs(half.matrix[0] - std::cos(40.0 * pi / 180.0)), 1e-12);
}

TEST(MiddleGrid, HasNoHalfOfReflections)
{
  AffineMap reflection;
  reflection.matrix[4] = -1.0;
  EXPECT_THROW(HalfOf(reflection), InvalidParameterError);
  EXPECT_THROW(HalfOf(Rotation(180.0)), InvalidParameterError);
}

RegistrationImages
MakeImages()
{
  RegistrationImages images;
  images.fixedGeometry.grid = testvolumes::MakeGrid({ 30, 40, 20 });
  images.movingGeometry.grid = testvolumes::MakeGrid({ 35, 30, 25 });
  images.movingGeometry.grid.spacing = { 1.1, 0.9, 1.2 };
  images.movingGeometry.origin = { 10.0, -6.0, 28.0 };
  images.transform = SomeMap(3);
  return images;
}

TEST(MiddleGrid, DoesNotDependOnWhichImageIsFixed)
{
  RegistrationImages images = MakeImages();
  const auto         middle = FindMiddleGrid(images);
  ASSERT_TRUE(middle);
  std::swap(images.fixedGeometry, images.movingGeometry);
  images.transform = Inverse(images.transform);
  const auto swapped = FindMiddleGrid(images);
  ASSERT_TRUE(swapped);
  EXPECT_TRUE(IsSameGeometry(middle->geometry, swapped->geometry));
  EXPECT_LT(LargestDifference(middle->half, Inverse(swapped->half)), 1e-9);
  EXPECT_EQ(middle->geometry.grid.spacing, (std::array<double, 3>{ 1.1, 0.9, 1.2 }));
}

TEST(MiddleGrid, ReachesOverBothImages)
{
  const RegistrationImages images = MakeImages();
  const auto               middle = FindMiddleGrid(images);
  ASSERT_TRUE(middle);
  const auto expectInside = [&](const Geometry & geometry, const AffineMap & toMiddle) {
    const AffineMap map = Compose(PointToIndex(middle->geometry), Compose(toMiddle, IndexToPoint(geometry)));
    for (int corner = 0; corner < 8; ++corner)
    {
      AffineMap at;
      for (int axis = 0; axis < 3; ++axis)
      {
        at.offset[axis] = (corner >> axis & 1) != 0 ? static_cast<double>(geometry.grid.size[axis] - 1) : 0.0;
      }
      const AffineMap index = Compose(map, at);
      for (int axis = 0; axis < 3; ++axis)
      {
        // To a thousandth of a voxel.
        EXPECT_GE(index.offset[axis], -0.0011);
        EXPECT_LE(index.offset[axis], static_cast<double>(middle->geometry.grid.size[axis] - 1) + 0.0011);
      }
    }
  };
  expectInside(images.fixedGeometry, middle->half);
  expectInside(images.movingGeometry, Inverse(middle->half));
}

TEST(MiddleGrid, IsTheFixedGridWhereNothingLiesBetween)
{
  RegistrationImages images = MakeImages();
  images.movingGeometry = images.fixedGeometry;
  images.transform = {};
  EXPECT_FALSE(FindMiddleGrid(images));
  // 2D images stay so, and a shift needs no more voxels than it is long.
  images.fixedGeometry.grid.size[2] = images.movingGeometry.grid.size[2] = 1;
  images.transform.offset[0] = 4.0 * images.fixedGeometry.grid.spacing[0];
  const auto middle = FindMiddleGrid(images);
  ASSERT_TRUE(middle);
  EXPECT_EQ(middle->geometry.grid.size, (std::array<std::int64_t, 3>{ 34, 40, 1 }));
}

} // namespace
