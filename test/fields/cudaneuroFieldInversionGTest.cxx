// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The inversion of displacement fields, also of those that have no inverse, or are not finite.

#include "DisplacementFieldTest.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace
{

using namespace fieldtests;

/** Largest length of inverse(p) + field(p + inverse(p)), in voxels, over the p whose p + inverse(p) is on the grid. */
double
LargestResidual(const cudaneuro::Geometry & geometry,
                const std::vector<double> & field,
                const std::vector<double> & inverse)
{
  const std::vector<double> residuals = reference::ComposeFields(geometry, inverse, geometry, field);
  double                    largest = 0.0;
  reference::ForAllVoxels(geometry.grid, [&](const reference::Point & voxel, std::size_t i) {
    reference::Point point = reference::PointOfIndex(geometry, voxel);
    reference::Point residual = geometry.origin;
    for (int axis = 0; axis < 3; ++axis)
    {
      point[axis] += inverse[3 * i + axis];
      residual[axis] += residuals[3 * i + axis];
    }
    if (reference::IsInside(geometry.grid, reference::IndexOfPoint(geometry, point)))
    {
      const reference::Point inVoxels = reference::IndexOfPoint(geometry, residual);
      largest = std::max(largest, std::hypot(inVoxels[0], inVoxels[1], inVoxels[2]));
    }
  });
  return largest;
}

TEST_P(DisplacementField, InverseIsConsistentBothWays)
{
  const cudaneuro::Geometry geometry = ObliqueGeometry({ 40, 36, 28 }, 0.3);
  const std::vector<double> field = FadingField(geometry, 4.0);
  const std::vector<float>  floatField = ToFloat(field);
  std::vector<float>        inverse(field.size());
  for (const double tolerance : { 0.01, 1e-4 })
  {
    cudaneuro::InversionParameters parameters;
    parameters.tolerance = tolerance;
    const auto result = cudaneuro::InvertDisplacementField(
      this->GetContext(), parameters, geometry, ConstFieldView(floatField), FieldView(inverse));
    const double largest = LargestResidual(geometry, field, ToDouble(inverse));
    EXPECT_LE(largest, tolerance + 1e-5);
    EXPECT_NEAR(result.maximumResidual, largest, 2e-5);
    EXPECT_GT(result.meanResidual, 0.0);
    EXPECT_LT(result.meanResidual, result.maximumResidual);
    EXPECT_GE(result.numberOfIterations, 2);
    EXPECT_LE(result.numberOfIterations, 10);
    // The other order interpolates the inverse.
    EXPECT_LE(LargestResidual(geometry, ToDouble(inverse), field), 0.2);
  }
}

TEST_P(DisplacementField, InverseOfStrongExpansion)
{
  // The undamped fixed-point iteration diverges, because its factor is 1.5.
  const cudaneuro::Geometry geometry = ObliqueGeometry({ 30, 26, 22 }, 0.2);
  const auto                map = CenteredLinearMap(geometry, { 2.5, 0.3, 0.0, -0.2, 2.4, 0.0, 0.0, 0.4, 2.6 });
  const std::vector<float>  field = ToFloat(AffineField(geometry, map));
  std::vector<float>        inverse(field.size());
  const auto                result =
    cudaneuro::InvertDisplacementField(this->GetContext(), {}, geometry, ConstFieldView(field), FieldView(inverse));
  EXPECT_LE(result.maximumResidual, 0.01);
  EXPECT_LE(LargestDifference(inverse, AffineField(geometry, cudaneuro::Inverse(map))), 0.05);
}

TEST_P(DisplacementField, InversionEndsWhereThereIsNoInverse)
{
  const cudaneuro::Geometry      geometry = AlignedGeometry({ 32, 8, 4 });
  std::vector<float>             field = ToFloat(FoldingField(geometry));
  std::vector<float>             inverse(field.size());
  cudaneuro::InversionParameters parameters;
  parameters.maximumNumberOfIterations = 7;
  const auto result = cudaneuro::InvertDisplacementField(
    this->GetContext(), parameters, geometry, ConstFieldView(field), FieldView(inverse));
  EXPECT_LE(result.numberOfIterations, 7);
  EXPECT_TRUE(std::isfinite(result.meanResidual));
  EXPECT_TRUE(std::isfinite(result.maximumResidual));
}

TEST_P(DisplacementField, InverseOfNoNumberIsNoNumber)
{
  constexpr float           nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float           infinity = std::numeric_limits<float>::infinity();
  const cudaneuro::Geometry geometry = AlignedGeometry({ 24, 12, 10 });
  // Constant, so that the inverse is known: where the field is asked for, at x + 2, the bad voxel is a neighbor or not.
  std::vector<float> field(3 * geometry.grid.NumberOfVoxels(), 0.0f);
  for (std::size_t voxel = 0; voxel < field.size() / 3; ++voxel)
  {
    field[3 * voxel] = -2.0f;
  }
  const auto indexOf = [](std::size_t x, std::size_t y, std::size_t z) { return 3 * (x + 24 * (y + 12 * z)); };
  for (const float bad : { nan, infinity, -infinity })
  {
    std::vector<float> damaged = field;
    damaged[indexOf(11, 6, 5) + 1] = bad;
    std::vector<float> inverse(field.size());
    const auto         result =
      cudaneuro::InvertDisplacementField(this->GetContext(), {}, geometry, ConstFieldView(damaged), FieldView(inverse));
    EXPECT_TRUE(std::isnan(inverse[indexOf(11, 6, 5)]) && std::isnan(inverse[indexOf(11, 6, 5) + 1])) << bad;
    EXPECT_TRUE(std::isnan(result.meanResidual)) << bad;
    EXPECT_TRUE(std::isnan(result.maximumResidual)) << bad;
    // Far from there the inverse is as it was.
    for (const std::size_t x : { 3, 17 })
    {
      EXPECT_FLOAT_EQ(inverse[indexOf(x, 6, 5)], 2.0f) << bad;
      EXPECT_FLOAT_EQ(inverse[indexOf(x, 6, 5) + 1], 0.0f) << bad;
    }
  }
}

} // namespace
