// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "TestVolumes.h"
#include "fields/PointInversion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace cudaneuro;

/** The inverse of maps at single points, against maps whose inverse is known. */
namespace
{

constexpr Extent extent{ 23, 19, 17 };

struct HostField
{
  std::vector<float> x;
  std::vector<float> y;
  std::vector<float> z;

  ConstSoAField
  View()
  {
    return SoAField{ x.data(), y.data(), z.data() };
  }
};

/** A field of values by voxel. */
template <typename TField>
HostField
MakeField(const Extent & size, const TField & fieldAt)
{
  HostField field;
  ForEachVoxel(std::array<int, 3>{ size.x, size.y, size.z }, [&](int x, int y, int z) {
    const Vector3d value = fieldAt(Vector3d{ x * 1.0, y * 1.0, z * 1.0 });
    field.x.push_back(static_cast<float>(value[0]));
    field.y.push_back(static_cast<float>(value[1]));
    field.z.push_back(static_cast<float>(value[2]));
  });
  return field;
}

/** A point inside the grid, away from its border. */
Vector3d
PointInside(std::uint64_t index)
{
  const auto noise = [index](std::uint64_t axis) { return testvolumes::UniformNoise(11 + axis, index); };
  return { 3.0 + noise(0) * (extent.x - 7), 3.0 + noise(1) * (extent.y - 7), 3.0 + noise(2) * (extent.z - 7) };
}

void
ExpectNear(const std::optional<Vector3d> & found, const Vector3d & expected, double tolerance)
{
  ASSERT_TRUE(found.has_value());
  EXPECT_LE(Length(Difference(*found, expected)), tolerance)
    << (*found)[0] << ", " << (*found)[1] << ", " << (*found)[2];
}

} // namespace

TEST(PointInversion, OfALinearMapIsItsInverse)
{
  // Linear interpolation is exact for linear fields, but for the rounding of their values to float.
  const Matrix3d slopes{ 0.2, -0.1, 0.05, 0.15, -0.3, 0.1, 0.0, 0.1, 0.25 };
  const Vector3d shift{ 0.7, -1.2, 0.4 };
  const auto     valueAt = [&](const Vector3d & p) { return Sum(Multiply(slopes, p), 1.0, shift); };
  HostField      field = MakeField(extent, valueAt);
  for (std::uint64_t i = 0; i < 200; ++i)
  {
    const Vector3d point = PointInside(i);
    ExpectNear(InvertAtPoint(extent, field.View(), Sum(point, 1.0, valueAt(point))), point, 1e-4);
  }
}

/** A map that is far from the identity, whose interpolated values an own loop finds in double precision. */
TEST(PointInversion, OfASteepMapLeadsToTheTarget)
{
  const auto valueAt = [](const Vector3d & p) {
    return Vector3d{ 2.0 * std::sin(0.4 * p[1]), 1.5 * std::cos(0.5 * p[0]), 1.2 * std::sin(0.5 * p[2]) };
  };
  HostField  field = MakeField(extent, valueAt);
  const auto valuesAt = [&](const Vector3d & p) {
    Vector3d sum{};
    for (int corner = 0; corner < 8; ++corner)
    {
      std::size_t voxel = 0;
      double      weight = 1.0;
      const int   lengths[3] = { extent.x, extent.y, extent.z };
      for (int axis = 2; axis >= 0; --axis)
      {
        const double lower = std::floor(p[static_cast<std::size_t>(axis)]);
        const double fraction = p[static_cast<std::size_t>(axis)] - lower;
        const int    upper = corner >> axis & 1;
        weight *= upper != 0 ? fraction : 1.0 - fraction;
        voxel = voxel * static_cast<std::size_t>(lengths[axis]) + static_cast<std::size_t>(lower) +
                static_cast<std::size_t>(upper);
      }
      sum = Sum(sum, weight, { field.x[voxel] * 1.0, field.y[voxel] * 1.0, field.z[voxel] * 1.0 });
    }
    return sum;
  };
  for (std::uint64_t i = 0; i < 500; ++i)
  {
    const Vector3d target = Sum(PointInside(i), 1.0, valuesAt(PointInside(i)));
    const auto     found = InvertAtPoint(extent, field.View(), target);
    ASSERT_TRUE(found.has_value()) << i;
    const Vector3d & p = *found;
    // Points that lead beyond the border have their own test.
    if (p[0] > 0.0 && p[1] > 0.0 && p[2] > 0.0 && p[0] < extent.x - 1 && p[1] < extent.y - 1 && p[2] < extent.z - 1)
    {
      ExpectNear(Sum(p, 1.0, valuesAt(p)), target, 2e-5); // the residual at which it ends, and the rounding of floats
    }
  }
}

TEST(PointInversion, RepeatsTheFieldBeyondTheGrid)
{
  HostField field = MakeField(extent, [](const Vector3d &) { return Vector3d{ 2.0, -1.0, 0.5 }; });
  ExpectNear(InvertAtPoint(extent, field.View(), { -30.0, 40.0, 8.25 }), { -32.0, 41.0, 7.75 }, 1e-5);
  const Extent flat{ 12, 10, 1 };
  HostField    inPlane = MakeField(flat, [](const Vector3d & p) { return Vector3d{ 0.1 * p[0], 0.0, 0.0 }; });
  ExpectNear(InvertAtPoint(flat, inPlane.View(), { 5.5, 3.25, 0.0 }), { 5.0, 3.25, 0.0 }, 1e-5);
}

TEST(PointInversion, FindsNothingWhereThereIsNone)
{
  // x + field(x) is 3 for x < 11 and 15 beyond: nothing comes to 9 but the cell in between, which NaN takes away.
  HostField field = MakeField(extent, [](const Vector3d & p) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return Vector3d{ p[0] < 11.0 ? 3.0 - p[0] : p[0] < 12.0 ? nan : 15.0 - p[0], 0.0, 0.0 };
  });
  EXPECT_FALSE(InvertAtPoint(extent, field.View(), { 9.0, 5.0, 5.0 }).has_value());
  EXPECT_FALSE(InvertAtPoint(extent, field.View(), { std::numeric_limits<double>::infinity(), 5.0, 5.0 }).has_value());
}
