// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The warp of an image by an affine map and a displacement field, with linear interpolation and the nearest voxel.

#include "DisplacementFieldTest.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace
{

using namespace fieldtests;
using cudaneuro::Interpolation;

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

} // namespace
