// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "FieldTestCases.h"

#include <cmath>
#include <limits>

namespace
{

using namespace fieldtests;
using cudaneuro::Interpolation;

class DisplacementField : public DeviceTest
{};

/** Sizes of two oblique and anisotropic grids at about the same place. */
struct WarpCase
{
  std::array<std::int64_t, 3> inputSize;
  std::array<std::int64_t, 3> outputSize;
};

const WarpCase warpCases[] = { { { 19, 23, 17 }, { 37, 11, 13 } }, { { 33, 9, 5 }, { 70, 20, 9 } },
                               { { 21, 18, 1 }, { 35, 9, 1 } },    { { 1, 12, 7 }, { 9, 1, 6 } },
                               { { 1, 1, 1 }, { 1, 1, 1 } },       { { 5, 1, 1 }, { 40, 1, 1 } },
                               { { 2, 3, 4 }, { 129, 3, 4 } },     { { 141, 6, 5 }, { 150, 5, 7 } } };

/** Warps a noisy phantom by the engine and by the reference, and compares. */
void
ExpectWarp(cudaneuro::Context &              context,
           const WarpCase &                  warpCase,
           const cudaneuro::WarpParameters & parameters,
           bool                              usesMask,
           bool                              usesField)
{
  const cudaneuro::Geometry        inputGeometry = ObliqueGeometry(warpCase.inputSize, 0.3);
  const cudaneuro::Geometry        outputGeometry = ObliqueGeometry(warpCase.outputSize, -0.2);
  const std::vector<float>         input = testvolumes::NoisyPhantom(inputGeometry.grid);
  const std::vector<unsigned char> mask =
    usesMask ? testvolumes::BallMask(inputGeometry.grid) : std::vector<unsigned char>();
  const std::vector<float> field = usesField ? ToFloat(WavyField(outputGeometry, 3.0)) : std::vector<float>();
  const auto               transform = SmallAffineMap();

  std::vector<float> output(static_cast<std::size_t>(outputGeometry.grid.NumberOfVoxels()), -7.0f);
  cudaneuro::WarpImage(context,
                       parameters,
                       inputGeometry,
                       ConstView(input),
                       ConstView(mask),
                       outputGeometry,
                       transform,
                       ConstFieldView(field),
                       View(output));
  const std::vector<double> expected =
    reference::Warp(parameters, inputGeometry, ToDouble(input), mask, outputGeometry, transform, ToDouble(field));
  EXPECT_LE(LargestDifference(output, expected), 1e-6 * 1000.0)
    << "size " << warpCase.inputSize[0] << " mask " << usesMask << " field " << usesField;
}

TEST_P(DisplacementField, WarpAgreesWithReference)
{
  for (const WarpCase & warpCase : warpCases)
  {
    for (const Interpolation interpolation : { Interpolation::Linear, Interpolation::Nearest })
    {
      for (int options = 0; options < 4; ++options)
      {
        cudaneuro::WarpParameters parameters;
        parameters.interpolation = interpolation;
        parameters.edgePaddingValue = -3.25;
        ExpectWarp(this->GetContext(), warpCase, parameters, options % 2 == 1, options / 2 == 1);
      }
    }
  }
}

TEST_P(DisplacementField, IdentityWarpKeepsEveryValue)
{
  const auto         geometry = ObliqueGeometry({ 34, 17, 9 }, 0.4);
  std::vector<float> input = testvolumes::NoisyPhantom(geometry.grid);
  testvolumes::SprinkleNotFinite(input);
  std::vector<float> output(input.size());
  for (const Interpolation interpolation : { Interpolation::Linear, Interpolation::Nearest })
  {
    cudaneuro::WarpParameters parameters;
    parameters.interpolation = interpolation;
    cudaneuro::Geometry aligned;
    aligned.grid = geometry.grid;
    aligned.grid.spacing = { 1.0, 1.0, 1.0 };
    cudaneuro::WarpImage(this->GetContext(), parameters, aligned, ConstView(input), {}, aligned, {}, {}, View(output));
    EXPECT_EQ(LargestDifference(output, input), 0.0);
  }
}

TEST_P(DisplacementField, EdgesAreItks)
{
  // Positions -0.5, 0, 0.5, ..., 3.5 of 4 voxels.
  const cudaneuro::Geometry input = AlignedGeometry({ 4, 1, 1 });
  cudaneuro::Geometry       output = AlignedGeometry({ 9, 1, 1 });
  output.grid.spacing[0] = 0.5;
  output.origin[0] = -0.5;
  const std::vector<float>  values{ 10.0f, 20.0f, 40.0f, 80.0f };
  cudaneuro::WarpParameters parameters;
  parameters.edgePaddingValue = -1.0;
  std::vector<float> result(9);
  cudaneuro::WarpImage(this->GetContext(), parameters, input, ConstView(values), {}, output, {}, {}, View(result));
  EXPECT_EQ(result, (std::vector<float>{ 10.0f, 10.0f, 15.0f, 20.0f, 30.0f, 40.0f, 60.0f, 80.0f, -1.0f }));
  parameters.interpolation = Interpolation::Nearest;
  cudaneuro::WarpImage(this->GetContext(), parameters, input, ConstView(values), {}, output, {}, {}, View(result));
  EXPECT_EQ(result, (std::vector<float>{ 10.0f, 10.0f, 20.0f, 20.0f, 40.0f, 40.0f, 80.0f, 80.0f, -1.0f }));
}

template <typename TLabel>
void
ExpectLabels(cudaneuro::Context & context, TLabel lowest, TLabel highest)
{
  const cudaneuro::Geometry inputGeometry = ObliqueGeometry({ 19, 23, 17 }, 0.3);
  const cudaneuro::Geometry outputGeometry = ObliqueGeometry({ 37, 11, 13 }, -0.2);
  std::vector<TLabel>       labels(static_cast<std::size_t>(inputGeometry.grid.NumberOfVoxels()));
  for (std::size_t i = 0; i < labels.size(); ++i)
  {
    const double range = static_cast<double>(highest) - static_cast<double>(lowest);
    labels[i] = static_cast<TLabel>(std::lround(lowest + range * testvolumes::UniformNoise(3, i)));
  }
  labels[0] = highest;
  cudaneuro::WarpParameters parameters;
  parameters.interpolation = Interpolation::Nearest;
  parameters.edgePaddingValue = 1.0;
  const std::vector<double> field = WavyField(outputGeometry, 2.0);
  const std::vector<float>  floatField = ToFloat(field);
  std::vector<TLabel>       output(static_cast<std::size_t>(outputGeometry.grid.NumberOfVoxels()));
  cudaneuro::WarpImage(context,
                       parameters,
                       inputGeometry,
                       ConstView(labels),
                       {},
                       outputGeometry,
                       SmallAffineMap(),
                       ConstFieldView(floatField),
                       View(output));
  const std::vector<double> expected = reference::Warp(parameters,
                                                       inputGeometry,
                                                       std::vector<double>(labels.begin(), labels.end()),
                                                       {},
                                                       outputGeometry,
                                                       SmallAffineMap(),
                                                       field);
  EXPECT_EQ(std::vector<double>(output.begin(), output.end()), expected);
}

TEST_P(DisplacementField, NearestKeepsLabels)
{
  ExpectLabels<unsigned char>(this->GetContext(), 0, 255);
  ExpectLabels<short>(this->GetContext(), -32768, 32767);
  ExpectLabels<unsigned short>(this->GetContext(), 0, 65535);
  ExpectLabels<double>(this->GetContext(), -16777216.0, 16777216.0);
}

TEST_P(DisplacementField, WarpRoundsToIntegerTypes)
{
  const cudaneuro::Geometry  input = AlignedGeometry({ 2, 1, 1 });
  cudaneuro::Geometry        output = AlignedGeometry({ 3, 1, 1 });
  const std::vector<float>   values{ -30.0f, 300.0f };
  std::vector<unsigned char> result(3);
  output.grid.spacing[0] = 0.3;
  cudaneuro::WarpImage(this->GetContext(), {}, input, ConstView(values), {}, output, {}, {}, View(result));
  EXPECT_EQ(result, (std::vector<unsigned char>{ 0, 69, 168 }));
}

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

TEST_P(DisplacementField, FarAwayIsOutside)
{
  const cudaneuro::Geometry geometry = AlignedGeometry({ 8, 7, 6 });
  const std::vector<float>  input = testvolumes::NoisyPhantom(geometry.grid);
  const double              limits[] = { 1e30, -1e30, 3e9, -3e9, std::numeric_limits<double>::quiet_NaN() };
  for (const double distance : limits)
  {
    std::vector<float> field(3 * input.size(), 0.0f);
    field[0] = static_cast<float>(distance);
    field[3 * 20 + 2] = static_cast<float>(distance);
    std::vector<float>        output(input.size());
    cudaneuro::WarpParameters parameters;
    parameters.edgePaddingValue = -5.0;
    cudaneuro::WarpImage(this->GetContext(),
                         parameters,
                         geometry,
                         ConstView(input),
                         {},
                         geometry,
                         {},
                         ConstFieldView(field),
                         View(output));
    EXPECT_EQ(output[0], -5.0f);
    EXPECT_EQ(output[20], -5.0f);
    EXPECT_EQ(output[21], input[21]);
    cudaneuro::AffineMap away;
    away.offset[1] = std::isnan(distance) ? 1e300 : distance;
    cudaneuro::WarpImage(
      this->GetContext(), parameters, geometry, ConstView(input), {}, geometry, away, {}, View(output));
    EXPECT_EQ(output, std::vector<float>(output.size(), -5.0f));
  }
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
