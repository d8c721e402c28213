// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The composition and the resampling of displacement fields, and fields of two components.

#include "DisplacementFieldTest.h"

#include <cstddef>
#include <vector>

namespace
{

using namespace fieldtests;

TEST_P(DisplacementField, TwoDimensionalFieldsHaveTwoComponents)
{
  const cudaneuro::Geometry geometry = AlignedGeometry({ 31, 26, 1 });
  const std::vector<double> field = FlatField(WavyField(geometry, 2.0));
  const std::vector<float>  three = ToFloat(field);
  const std::vector<float>  two = WithoutThirdComponent(three);
  const std::vector<float>  input = testvolumes::NoisyPhantom(geometry.grid);
  std::vector<float>        warped[2] = { input, input };
  int                       i = 0;
  for (const cudaneuro::ConstField & view : { ConstFieldView(three), ConstFieldView(two, 2) })
  {
    cudaneuro::WarpImage(this->GetContext(), {}, geometry, ConstView(input), {}, geometry, {}, view, View(warped[i++]));
  }
  EXPECT_TRUE(IsSameBits(warped[0], warped[1]));

  std::vector<float> composed(two.size());
  cudaneuro::ComposeDisplacementFields(
    this->GetContext(), geometry, ConstFieldView(two, 2), geometry, ConstFieldView(two, 2), FieldView(composed, 2));
  EXPECT_LE(
    LargestDifference(composed, WithoutThirdComponent(reference::ComposeFields(geometry, field, geometry, field))),
    1e-5);

  std::vector<float>               inverse(two.size());
  const cudaneuro::InversionResult result =
    cudaneuro::InvertDisplacementField(this->GetContext(), {}, geometry, ConstFieldView(two, 2), FieldView(inverse, 2));
  EXPECT_LE(result.maximumResidual, 0.01);

  std::vector<float> determinants(input.size());
  cudaneuro::DisplacementFieldJacobianDeterminant(
    this->GetContext(), geometry, ConstFieldView(two, 2), View(determinants));
  EXPECT_LE(LargestDifference(determinants, reference::JacobianDeterminants(geometry, field)), 1e-5);
}

TEST_P(DisplacementField, ComposeAgreesWithReference)
{
  for (const WarpCase & warpCase : warpCases)
  {
    const cudaneuro::Geometry geometry = ObliqueGeometry(warpCase.outputSize, -0.2);
    const std::vector<double> first = WavyField(geometry, 3.0);
    for (const bool isSameGrid : { false, true })
    {
      const cudaneuro::Geometry other = isSameGrid ? geometry : ObliqueGeometry(warpCase.inputSize, 0.3);
      const std::vector<double> second = WavyField(other, 2.0, 1.7);
      const std::vector<float>  floatFirst = ToFloat(first);
      const std::vector<float>  floatSecond = ToFloat(second);
      std::vector<float>        output(first.size());
      cudaneuro::ComposeDisplacementFields(this->GetContext(),
                                           geometry,
                                           ConstFieldView(floatFirst),
                                           other,
                                           ConstFieldView(floatSecond),
                                           FieldView(output));
      EXPECT_LE(LargestDifference(output, reference::ComposeFields(geometry, first, other, second)), 1e-5)
        << geometry.grid.size[0] << " same grid " << isSameGrid;
      // In place.
      std::vector<float> inPlace = floatFirst;
      cudaneuro::ComposeDisplacementFields(
        this->GetContext(), geometry, ConstFieldView(inPlace), other, ConstFieldView(floatSecond), FieldView(inPlace));
      EXPECT_TRUE(IsSameBits(inPlace, output));
    }
  }
}

TEST_P(DisplacementField, ResamplesAsACompositionWithNoDisplacement)
{
  for (const WarpCase & warpCase : warpCases)
  {
    const cudaneuro::Geometry geometry = ObliqueGeometry(warpCase.outputSize, -0.2);
    const std::vector<double> zeros(WavyField(geometry, 3.0).size());
    for (const bool isSameGrid : { false, true })
    {
      const cudaneuro::Geometry other = isSameGrid ? geometry : ObliqueGeometry(warpCase.inputSize, 0.3);
      const std::vector<double> field = WavyField(other, 2.0, 1.7);
      const std::vector<float>  floatField = ToFloat(field);
      std::vector<float>        output(zeros.size());
      cudaneuro::ResampleDisplacementField(
        this->GetContext(), other, ConstFieldView(floatField), geometry, FieldView(output));
      EXPECT_LE(LargestDifference(output, reference::ComposeFields(geometry, zeros, other, field)), 1e-5)
        << geometry.grid.size[0] << " same grid " << isSameGrid;
      std::vector<float> composed(zeros.size());
      cudaneuro::ComposeDisplacementFields(
        this->GetContext(), geometry, ConstFieldView(composed), other, ConstFieldView(floatField), FieldView(composed));
      EXPECT_EQ(composed, output);
    }
  }
}

TEST_P(DisplacementField, AffineFieldsComposeToTheirProduct)
{
  const cudaneuro::Geometry geometry = ObliqueGeometry({ 24, 20, 16 }, 0.25);
  const cudaneuro::Geometry larger = ObliqueGeometry({ 60, 60, 60 }, -0.1);
  const auto               inner = CenteredLinearMap(geometry, { 1.05, 0.04, 0.0, -0.03, 0.96, 0.05, 0.02, 0.0, 1.02 });
  const auto               outer = CenteredLinearMap(geometry, { 0.97, 0.0, 0.06, 0.01, 1.06, 0.0, 0.0, -0.05, 0.95 });
  const std::vector<float> first = ToFloat(AffineField(geometry, inner));
  const std::vector<float> second = ToFloat(AffineField(larger, outer));
  std::vector<float>       output(first.size());
  cudaneuro::ComposeDisplacementFields(
    this->GetContext(), geometry, ConstFieldView(first), larger, ConstFieldView(second), FieldView(output));
  EXPECT_LE(LargestDifference(output, AffineField(geometry, cudaneuro::Compose(outer, inner))), 2e-5);
}

TEST_P(DisplacementField, FarAwayTheEdgeIsRepeated)
{
  const cudaneuro::Geometry geometry = AlignedGeometry({ 8, 7, 6 });
  const std::vector<float>  field = ToFloat(WavyField(geometry, 2.0));
  const std::vector<float>  zero(field.size(), 0.0f);
  for (const double distance : { 1e5, 1e7, 1e12, 1e300 })
  {
    cudaneuro::Geometry away = geometry;
    away.origin = { distance, distance, distance };
    std::vector<float> output(field.size());
    cudaneuro::ComposeDisplacementFields(
      this->GetContext(), geometry, ConstFieldView(zero), away, ConstFieldView(field), FieldView(output));
    for (std::size_t i = 0; i < output.size(); ++i)
    {
      ASSERT_EQ(output[i], field[i % 3]) << distance;
    }
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(DisplacementField);

} // namespace
