// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The determinant of the Jacobian of displacement fields, and its statistics.

#include "DisplacementFieldTest.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace
{

using namespace fieldtests;

TEST_P(DisplacementField, JacobianAgreesWithReference)
{
  for (const WarpCase & warpCase : warpCases)
  {
    const cudaneuro::Geometry geometry = ObliqueGeometry(warpCase.outputSize, 0.35);
    const std::vector<double> field = WavyField(geometry, 3.0);
    const std::vector<float>  floatField = ToFloat(field);
    std::vector<float>        output(field.size() / 3);
    const auto                result = cudaneuro::DisplacementFieldJacobianDeterminant(
      this->GetContext(), geometry, ConstFieldView(floatField), View(output));
    const std::vector<double> expected = reference::JacobianDeterminants(geometry, field);
    EXPECT_LE(LargestDifference(output, expected), 1e-5);
    ExpectStatistics(result, expected);
    const auto alone =
      cudaneuro::DisplacementFieldJacobianDeterminant(this->GetContext(), geometry, ConstFieldView(floatField), {});
    EXPECT_EQ(alone.meanLogarithm, result.meanLogarithm);
    EXPECT_EQ(alone.minimum, result.minimum);
  }
}

TEST_P(DisplacementField, JacobianOfAffineFields)
{
  const cudaneuro::Geometry geometry = ObliqueGeometry({ 33, 12, 9 }, 0.35);
  const struct
  {
    std::array<double, 9> matrix;
    double                determinant;
  } cases[] = { { { 1.1, 0.0, 0.0, 0.0, 1.1, 0.0, 0.0, 0.0, 1.1 }, 1.331 },
                { { 0.9, 0.0, 0.0, 0.0, 0.9, 0.0, 0.0, 0.0, 0.9 }, 0.729 },
                { { 1.0, 0.5, 0.25, 0.0, 1.0, -0.75, 0.0, 0.0, 1.0 }, 1.0 },
                { { -1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 }, -1.0 } };
  for (const auto & affine : cases)
  {
    const std::vector<float> field = ToFloat(AffineField(geometry, CenteredLinearMap(geometry, affine.matrix)));
    std::vector<double>      output(field.size() / 3);
    const auto               result = cudaneuro::DisplacementFieldJacobianDeterminant(
      this->GetContext(), geometry, ConstFieldView(field), View(output));
    EXPECT_NEAR(result.minimum, affine.determinant, 1e-5);
    EXPECT_NEAR(result.maximum, affine.determinant, 1e-5);
    EXPECT_EQ(result.numberOfFoldedVoxels, affine.determinant > 0.0 ? 0 : geometry.grid.NumberOfVoxels());
    if (affine.determinant > 0.0)
    {
      EXPECT_NEAR(result.meanLogarithm, std::log(affine.determinant), 1e-6);
      EXPECT_NEAR(result.standardDeviationLogarithm, 0.0, 1e-5);
    }
    EXPECT_LE(LargestDifference(ToFloat(output), std::vector<double>(output.size(), affine.determinant)), 1e-5);
  }
}

TEST_P(DisplacementField, JacobianApproachesTheDerivative)
{
  // u_x = a sin(k x): J = 1 + a k cos(k x), central differences 1 + a sin(k h) / h cos(k x).
  const cudaneuro::Geometry geometry = AlignedGeometry({ 64, 5, 4 });
  constexpr double          k = 0.2;
  const std::vector<float>  field = ToFloat(reference::FieldOf(geometry, [](const reference::Point & p) {
    return reference::Point{ 2.0 * std::sin(k * p[0]), 0.0, 0.0 };
  }));
  std::vector<float>        output(field.size() / 3);
  cudaneuro::DisplacementFieldJacobianDeterminant(this->GetContext(), geometry, ConstFieldView(field), View(output));
  reference::ForAllVoxels(geometry.grid, [&](const reference::Point & p, std::size_t i) {
    if (p[0] > 0.0 && p[0] < 63.0)
    {
      EXPECT_NEAR(output[i], 1.0 + 2.0 * std::sin(k) * std::cos(k * p[0]), 1e-5);
    }
  });
}

TEST_P(DisplacementField, FoldedVoxelsAreCounted)
{
  const cudaneuro::Geometry geometry = AlignedGeometry({ 32, 8, 4 });
  std::vector<float>        field = ToFloat(FoldingField(geometry));
  auto                      result =
    cudaneuro::DisplacementFieldJacobianDeterminant(this->GetContext(), geometry, ConstFieldView(field), {});
  EXPECT_EQ(result.numberOfFoldedVoxels, 2 * 8 * 4);
  EXPECT_LT(result.minimum, 0.0);
  // NaN makes the determinants of its six neighbors NaN, none of which folded before.
  field[3 * (5 + 32 * (4 + 8 * 2))] = std::numeric_limits<float>::quiet_NaN();
  result = cudaneuro::DisplacementFieldJacobianDeterminant(this->GetContext(), geometry, ConstFieldView(field), {});
  EXPECT_EQ(result.numberOfFoldedVoxels, 2 * 8 * 4 + 6);
  EXPECT_TRUE(std::isfinite(result.meanLogarithm));
}

} // namespace
