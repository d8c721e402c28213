// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ForEachVoxel.h"
#include "ImageTestCases.h"

#include <limits>

namespace
{

using namespace imagetests;
using namespace testvolumes;
using cudaneuro::Boundary;
using cudaneuro::Geometry;
using cudaneuro::Grid;

/** A geometry with a spacing of its own along each axis, and axes that are not those of space. */
Geometry
ObliqueGeometry(std::array<std::int64_t, 3> size)
{
  Geometry geometry;
  geometry.grid = MakeGrid(size, { 0.8, 1.1, 2.5 });
  geometry.origin = { -31.0, 12.5, 7.25 };
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

std::array<double, 3>
Apply(const cudaneuro::AffineMap & map, const std::array<double, 3> & x)
{
  std::array<double, 3> y = map.offset;
  for (int row = 0; row < 3; ++row)
  {
    for (int column = 0; column < 3; ++column)
    {
      y[row] += map.matrix[3 * row + column] * x[column];
    }
  }
  return y;
}

/** Calls body(i, index) for all voxels in their order. */
template <typename TBody>
void
ForEachVoxel(const Grid & grid, const TBody & body)
{
  ::ForEachVoxel(grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::size_t i) {
    body(i, std::array<double, 3>{ static_cast<double>(x), static_cast<double>(y), static_cast<double>(z) });
  });
}

/** A linear image, 100 + 3 x - 2 y + 5 z at each point in mm. */
std::vector<float>
AffineImage(const Geometry & geometry)
{
  const cudaneuro::AffineMap toPoint = IndexToPoint(geometry);
  std::vector<float>         values(static_cast<std::size_t>(geometry.grid.NumberOfVoxels()));
  ForEachVoxel(geometry.grid, [&](std::size_t i, const std::array<double, 3> & index) {
    const std::array<double, 3> point = Apply(toPoint, index);
    values[i] = static_cast<float>(100.0 + 3.0 * point[0] - 2.0 * point[1] + 5.0 * point[2]);
  });
  return values;
}

class ImageOperations : public DeviceTest
{};

TEST_P(ImageOperations, GradientOfAnAffineImage)
{
  const Geometry           geometry = ObliqueGeometry({ 17, 12, 9 });
  const std::vector<float> input = AffineImage(geometry);
  std::vector<float>       output(3 * input.size());
  cudaneuro::ImageGradient(this->GetContext(), geometry, ConstView(input), { output.data() });
  const double expected[3] = { 3.0, -2.0, 5.0 };
  ForEachVoxel(geometry.grid, [&](std::size_t i, const std::array<double, 3> & index) {
    bool isBorder = false;
    for (int axis = 0; axis < 3; ++axis)
    {
      isBorder = isBorder || index[axis] == 0.0 || index[axis] == static_cast<double>(geometry.grid.size[axis] - 1);
    }
    for (int component = 0; component < 3 && !isBorder; ++component)
    {
      EXPECT_NEAR(output[3 * i + component], expected[component], 1e-4);
    }
  });
}

TEST_P(ImageOperations, GradientAtTheBorderRepeatsTheOutermostValue)
{
  Geometry geometry;
  geometry.grid = MakeGrid({ 4, 1, 1 }, { 2.0, 1.0, 1.0 });
  const std::vector<float> input{ 1.0f, 5.0f, 7.0f, 19.0f };
  std::vector<float>       output(12);
  cudaneuro::ImageGradient(this->GetContext(), geometry, ConstView(input), { output.data() });
  EXPECT_EQ(output, (std::vector<float>{ 1, 0, 0, 1.5, 0, 0, 3.5, 0, 0, 3, 0, 0 }));
}

TEST_P(ImageOperations, GradientIn2D)
{
  Geometry geometry;
  geometry.grid = MakeGrid({ 8, 7, 1 }, { 0.5, 2.0, 1.0 });
  geometry.direction = { 0.6, -0.8, 0.0, 0.8, 0.6, 0.0, 0.0, 0.0, 1.0 };
  const std::vector<float> input = AffineImage(geometry);
  const std::vector<short> shorts(input.begin(), input.end());
  std::vector<float>       output(2 * input.size());
  cudaneuro::ImageGradient(this->GetContext(), geometry, ConstView(input), { output.data(), 2 });
  EXPECT_NEAR(output[2 * (3 * 8 + 4)], 3.0, 1e-4);
  EXPECT_NEAR(output[2 * (3 * 8 + 4) + 1], -2.0, 1e-4);
  std::vector<float> ofShorts(2 * input.size());
  cudaneuro::ImageGradient(this->GetContext(), geometry, ConstView(shorts), { ofShorts.data(), 2 });
  EXPECT_NEAR(ofShorts[2 * (3 * 8 + 4)], 3.0, 1.5);
}

TEST(ImageGeometry, ShrunkGeometryCoversTheSameSpace)
{
  const Geometry geometry = ObliqueGeometry({ 17, 12, 1 });
  const Geometry shrunk = ShrunkGeometry(geometry, { 4, 3, 2 });
  EXPECT_EQ(shrunk.grid.size, (std::array<std::int64_t, 3>{ 5, 4, 1 }));
  EXPECT_DOUBLE_EQ(shrunk.grid.spacing[0], 3.2);
  EXPECT_DOUBLE_EQ(shrunk.grid.spacing[1], 3.3);
  EXPECT_DOUBLE_EQ(shrunk.grid.spacing[2], 2.5);
  EXPECT_EQ(shrunk.direction, geometry.direction);
  const std::array<double, 3> expected = Apply(IndexToPoint(geometry), { 1.5, 1.0, 0.0 });
  for (int axis = 0; axis < 3; ++axis)
  {
    EXPECT_NEAR(shrunk.origin[axis], expected[axis], 1e-12);
  }
  EXPECT_TRUE(IsSameGeometry(ShrunkGeometry(geometry, { 1, 1, 1 }), geometry));
}

TEST(ImageGeometry, MapsInvertEachOther)
{
  const Geometry             geometry = ObliqueGeometry({ 17, 12, 9 });
  const cudaneuro::AffineMap identity = Compose(PointToIndex(geometry), IndexToPoint(geometry));
  for (int i = 0; i < 9; ++i)
  {
    EXPECT_NEAR(identity.matrix[i], i % 4 == 0 ? 1.0 : 0.0, 1e-14);
  }
  for (const double offset : identity.offset)
  {
    EXPECT_NEAR(offset, 0.0, 1e-12);
  }
  Geometry flat = geometry;
  flat.direction = { 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0 };
  EXPECT_THROW(PointToIndex(flat), cudaneuro::InvalidParameterError);
  Geometry tiny = geometry;
  tiny.grid.spacing = { 1e-120, 1e-120, 1e-120 };
  EXPECT_THROW(PointToIndex(tiny), cudaneuro::InvalidParameterError);
  tiny.grid.spacing = { 1e-6, 1e-6, 1e-6 };
  EXPECT_NO_THROW(PointToIndex(tiny));
}

TEST(ImageGeometry, SameGeometryToAMillionthOfAVoxel)
{
  const Geometry geometry = ObliqueGeometry({ 17, 12, 9 });
  Geometry       other = geometry;
  other.origin[1] += 1e-7;
  other.direction[2] += 1e-8;
  EXPECT_TRUE(IsSameGeometry(geometry, other));
  other.origin[1] += 1e-5;
  EXPECT_FALSE(IsSameGeometry(geometry, other));
  other = geometry;
  other.grid.size[0] = 18;
  EXPECT_FALSE(IsSameGeometry(geometry, other));
  other = geometry;
  other.grid.spacing[2] *= 1.00001;
  EXPECT_FALSE(IsSameGeometry(geometry, other));
  other = geometry;
  other.direction[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(IsSameGeometry(geometry, other));
}

TEST_P(ImageOperations, ShrinkingReproducesARampInside)
{
  const Geometry           geometry = ObliqueGeometry({ 50, 43, 60 });
  const std::vector<float> input = AffineImage(geometry);
  const Geometry           shrunk = ShrunkGeometry(geometry, { 2, 3, 4 });
  const std::vector<float> expected = AffineImage(shrunk);
  std::vector<float>       output(expected.size());
  cudaneuro::ShrinkImage(this->GetContext(), geometry, { 2, 3, 4 }, ConstView(input), View(output));
  const int reach[3] = { 3, 3, 3 }; // 5.26 times half a factor, in voxels of the shrunk image
  ForEachVoxel(shrunk.grid, [&](std::size_t i, const std::array<double, 3> & index) {
    bool isInside = true;
    for (int axis = 0; axis < 3; ++axis)
    {
      isInside = isInside && index[axis] >= reach[axis] &&
                 index[axis] < static_cast<double>(shrunk.grid.size[axis] - 1 - reach[axis]);
    }
    if (isInside)
    {
      EXPECT_NEAR(output[i], expected[i], 2e-3) << index[0] << ' ' << index[1] << ' ' << index[2];
    }
  });
}

TEST_P(ImageOperations, ShrinkingMatchesItsDefinition)
{
  Geometry geometry;
  geometry.grid = MakeGrid({ 27, 22, 9 });
  const std::vector<float> input = NoisyPhantom(geometry.grid);
  for (const std::array<int, 3> & factors : { std::array<int, 3>{ 2, 2, 2 }, { 4, 3, 1 }, { 1, 1, 1 }, { 40, 5, 9 } })
  {
    std::array<double, 3> sigma{};
    for (int axis = 0; axis < 3; ++axis)
    {
      sigma[axis] = factors[axis] > 1 ? 0.5 * factors[axis] : 0.0;
    }
    const std::vector<double> smoothed =
      reference::GaussianSmoothing(geometry.grid.size, sigma, Boundary::Repeat, ToDouble(input));
    const Geometry      shrunk = ShrunkGeometry(geometry, factors);
    std::vector<double> expected(static_cast<std::size_t>(shrunk.grid.NumberOfVoxels()));
    ForEachVoxel(shrunk.grid, [&](std::size_t i, std::array<double, 3> index) {
      for (int axis = 0; axis < 3; ++axis)
      {
        index[axis] = factors[axis] * index[axis] + 0.5 * (factors[axis] - 1);
      }
      expected[i] = reference::Interpolate(geometry.grid.size, smoothed, index);
    });
    std::vector<float> output(expected.size());
    cudaneuro::ShrinkImage(this->GetContext(), geometry, factors, ConstView(input), View(output));
    EXPECT_LE(LargestDifference(output, expected), tolerance) << factors[0];
  }
}

void
ExpectStatistics(cudaneuro::Context &               context,
                 const Grid &                       grid,
                 const std::vector<float> &         values,
                 const std::vector<unsigned char> & mask)
{
  const cudaneuro::ImageStatistics statistics =
    ComputeImageStatistics(context, grid, ConstView(values), ConstView(mask));
  const cudaneuro::ImageStatistics expected = reference::Statistics(ToDouble(values), mask);
  EXPECT_EQ(statistics.count, expected.count);
  EXPECT_EQ(statistics.numberOfNotFinite, expected.numberOfNotFinite);
  EXPECT_EQ(statistics.minimum, expected.minimum);
  EXPECT_EQ(statistics.maximum, expected.maximum);
  EXPECT_NEAR(statistics.sum, expected.sum, 1e-12 * std::abs(expected.sum));
  EXPECT_NEAR(statistics.mean, expected.mean, 1e-12 * std::abs(expected.mean));
  EXPECT_NEAR(statistics.variance, expected.variance, 1e-10 * expected.variance);
  const cudaneuro::ImageStatistics again = ComputeImageStatistics(context, grid, ConstView(values), ConstView(mask));
  EXPECT_EQ(again.sum, statistics.sum);
  EXPECT_EQ(again.variance, statistics.variance);
}

TEST_P(ImageOperations, StatisticsMatchDoublePrecision)
{
  const Grid         grid = MakeGrid({ 71, 63, 41 });
  std::vector<float> values = NoisyPhantom(grid);
  ExpectStatistics(this->GetContext(), grid, values, {});
  ExpectStatistics(this->GetContext(), grid, values, BallMask(grid));
  SprinkleNotFinite(values);
  ExpectStatistics(this->GetContext(), grid, values, {});
  ExpectStatistics(this->GetContext(), grid, values, BallMask(grid));
  // The standard deviation is small compared with the mean.
  for (float & value : values)
  {
    value = 1e6f + static_cast<float>(static_cast<int>(value) % 3);
  }
  ExpectStatistics(this->GetContext(), grid, values, {});
}

TEST_P(ImageOperations, StatisticsOfFewVoxels)
{
  ExpectStatistics(this->GetContext(), MakeGrid({ 1, 1, 1 }), { 7.0f }, {});
  ExpectStatistics(this->GetContext(), MakeGrid({ 1, 1, 1 }), { std::numeric_limits<float>::quiet_NaN() }, {});
  ExpectStatistics(this->GetContext(), MakeGrid({ 3, 1, 1 }), { 7.0f, -2.0f, 4.0f }, { 0, 0, 0 });
  ExpectStatistics(this->GetContext(), MakeGrid({ 3, 1, 1 }), { 7.0f, -2.0f, 4.0f }, { 0, 9, 1 });
}

TEST_P(ImageOperations, BadParameters)
{
  cudaneuro::Context &     context = this->GetContext();
  Geometry                 geometry;
  const std::vector<float> input(8, 1.0f);
  std::vector<float>       output(24);
  geometry.grid = MakeGrid({ 2, 2, 2 });
  ExpectInvalidParameter(
    [&] {
      ShrinkImage(context, geometry, { 2, 2, 0 }, ConstView(input), View(output));
    },
    "factors[2]",
    "0");
  EXPECT_THROW(ImageGradient(context, geometry, ConstView(input), { output.data(), 2 }),
               cudaneuro::InvalidParameterError);
  EXPECT_THROW(ImageGradient(context, geometry, ConstView(input), {}), cudaneuro::InvalidParameterError);
  EXPECT_THROW(ComputeImageStatistics(context, MakeGrid({ 0, 2, 2 }), ConstView(input), {}),
               cudaneuro::InvalidParameterError);
  geometry.direction = {};
  EXPECT_THROW(ImageGradient(context, geometry, ConstView(input), { output.data() }), cudaneuro::InvalidParameterError);
}

CUDANEURO_TEST_ON_ALL_DEVICES(ImageOperations);

} // namespace
