// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/AnisotropicDiffusion.h"
#include "cudaneuro/ImageStatistics.h"
#include "cudaneuro/StructuralSimilarity.h"

#include "DenoisingProperties.h"

#include <cmath>
#include <limits>

/** Diffusion, SSIM and statistics of intensities that lie far from 0 compared with their range, and of single voxels
 * with values as large as float has them, such as codes for "no data". */
namespace
{

using namespace testvolumes;
using cudaneuro::DiffusionConductance;
using cudaneuro::DiffusionStencil;

constexpr float largestFloat = std::numeric_limits<float>::max();

/** Documented error, as a share of the data range, and of the SSIM map. */
constexpr double tolerance = 1e-5;

/** Returns half a unit in the last place of a float of this size: the rounding error of storing a result. */
double
HalfUnitOf(double value)
{
  return std::abs(value) * std::ldexp(1.0, -24);
}

constexpr DiffusionStencil stencils[] = { DiffusionStencil::PeronaMalik6,
                                          DiffusionStencil::Gerig26,
                                          DiffusionStencil::Weickert26,
                                          DiffusionStencil::GeometricMean26 };

cudaneuro::AnisotropicDiffusionParameters
MakeDiffusion(DiffusionStencil stencil, DiffusionConductance conductance)
{
  cudaneuro::AnisotropicDiffusionParameters parameters;
  parameters.stencil = stencil;
  parameters.conductance = conductance;
  parameters.numberOfIterations = 20;
  parameters.timeStep = 1.0 / 32.0;
  parameters.kappa = 70.0;
  return parameters;
}

std::vector<float>
Diffused(cudaneuro::Context &                              context,
         const cudaneuro::AnisotropicDiffusionParameters & parameters,
         const cudaneuro::Grid &                           grid,
         const std::vector<float> &                        input,
         const std::vector<unsigned char> &                mask = {})
{
  std::vector<float> output(input.size());
  cudaneuro::AnisotropicDiffusion(context, parameters, grid, ConstView(input), ConstView(mask), View(output));
  return output;
}

/** Returns the largest magnitude within \p reach voxels along each axis, but at least the data range. */
double
LargestAround(const cudaneuro::Grid & grid, const std::vector<double> & values, std::size_t voxel, int reach)
{
  const auto         i = static_cast<std::int64_t>(voxel);
  const std::int64_t at[3] = { i % grid.size[0], i / grid.size[0] % grid.size[1], i / grid.size[0] / grid.size[1] };
  double             largest = properties::dataRange;
  for (std::int64_t z = std::max<std::int64_t>(0, at[2] - reach); z <= std::min(grid.size[2] - 1, at[2] + reach); ++z)
  {
    for (std::int64_t y = std::max<std::int64_t>(0, at[1] - reach); y <= std::min(grid.size[1] - 1, at[1] + reach); ++y)
    {
      for (std::int64_t x = std::max<std::int64_t>(0, at[0] - reach); x <= std::min(grid.size[0] - 1, at[0] + reach);
           ++x)
      {
        largest = std::max(largest, std::abs(values[(z * grid.size[1] + y) * grid.size[0] + x]));
      }
    }
  }
  return largest;
}

class ExtremeIntensities : public DeviceTest
{};

TEST_P(ExtremeIntensities, DiffusionFarFromZero)
{
  const cudaneuro::Grid grid = MakeGrid({ 23, 17, 13 }, { 1.0, 1.1, 0.9 });
  // Offsets in multiples of the range. Up to 80, the tolerance covers the rounding of stored results.
  for (const double offset : { 9.0, -80.0, 1000.0 })
  {
    std::vector<float> input = NoisyPhantom(grid);
    for (float & value : input)
    {
      value += static_cast<float>(offset * properties::dataRange);
    }
    for (const std::vector<unsigned char> & mask : { std::vector<unsigned char>{}, BallMask(grid) })
    {
      // Masked voxels and a single huge one must not influence the reference of the others.
      input[input.size() / 2] = 1e30f;
      for (std::size_t i = 0; i < mask.size(); ++i)
      {
        input[i] = mask[i] == 0 ? 0.0f : input[i];
      }
      for (const DiffusionStencil stencil : stencils)
      {
        SCOPED_TRACE(::testing::Message() << stencil << ", " << offset << " times the range, " << mask.size());
        auto parameters = MakeDiffusion(stencil, DiffusionConductance::PeronaMalikRational);
        // With Weickert26 the huge voxel influences voxels up to this distance.
        parameters.numberOfIterations =
          (stencil == DiffusionStencil::Weickert26 || stencil == DiffusionStencil::GeometricMean26) ? 3 : 20;
        const auto result = Diffused(this->GetContext(), parameters, grid, input, mask);
        const auto expected = reference::AnisotropicDiffusion(parameters, ToReference(grid, input, mask));
        double     largest = 0.0;
        for (std::size_t i = 0; i < result.size(); ++i)
        {
          // Next to the huge voxel, the tolerance is a share of the largest magnitude nearby.
          const int reach =
            (stencil == DiffusionStencil::Weickert26 || stencil == DiffusionStencil::GeometricMean26) ? 2 : 0;
          const double largestAround = LargestAround(grid, expected, i, reach);
          const bool   isNear = largestAround > 2000.0 * properties::dataRange;
          const double storing = std::abs(offset) > 80.0 ? HalfUnitOf(expected[i]) : 0.0;
          const double allowed = tolerance * (isNear ? largestAround : properties::dataRange) + storing;
          largest = std::max(largest, std::abs(result[i] - expected[i]) / allowed);
        }
        EXPECT_LE(largest, 1.0);
      }
    }
  }
}

TEST_P(ExtremeIntensities, DiffusionOfHugeVoxels)
{
  const cudaneuro::Grid grid = MakeGrid({ 23, 17, 13 });
  std::vector<float>    input = NoisyPhantom(grid);
  const std::size_t     middle = input.size() / 2;
  input[middle] = largestFloat;
  input[middle + 1] = -largestFloat;
  input[middle + 23] = 1e20f;
  for (const DiffusionStencil stencil : stencils)
  {
    for (const DiffusionConductance conductance : { DiffusionConductance::PeronaMalikExponential,
                                                    DiffusionConductance::PeronaMalikRational,
                                                    DiffusionConductance::Charbonnier,
                                                    DiffusionConductance::TukeyBiweight })
    {
      SCOPED_TRACE(::testing::Message() << stencil << ", " << conductance);
      auto parameters = MakeDiffusion(stencil, conductance);
      parameters.numberOfIterations = 3;
      const auto result = Diffused(this->GetContext(), parameters, grid, input);
      const auto expected = reference::AnisotropicDiffusion(parameters, ToReference(grid, input));
      // Weickert26 spreads huge values; where those from both sides cancel, digits are lost.
      const int reach =
        (stencil == DiffusionStencil::Weickert26 || stencil == DiffusionStencil::GeometricMean26) ? 2 : 0;
      for (std::size_t i = 0; i < result.size(); ++i)
      {
        ASSERT_LE(std::abs(result[i] - expected[i]), tolerance * LargestAround(grid, expected, i, reach))
          << "voxel " << i << " is " << result[i] << ", not " << expected[i];
      }
    }
  }
}

TEST_P(ExtremeIntensities, CentralDifferenceWithoutNeighbor)
{
  // Along a row, q = ((V after - V before) / (2 h kappa))^2, with V of the voxel itself where a neighbor takes no part.
  const float                               nan = std::numeric_limits<float>::quiet_NaN();
  const cudaneuro::Grid                     grid = MakeGrid({ 6, 1, 1 }, { 2.0, 1.0, 1.0 });
  const std::vector<float>                  input{ 10.0f, 40.0f, 20.0f, nan, 70.0f, 30.0f };
  const std::vector<unsigned char>          mask{ 1, 1, 1, 1, 1, 0 };
  cudaneuro::AnisotropicDiffusionParameters parameters =
    MakeDiffusion(DiffusionStencil::Weickert26, DiffusionConductance::PeronaMalikRational);
  parameters.numberOfIterations = 1;
  parameters.kappa = 5.0;
  const auto conductance = [](double difference) { return 1.0 / (1.0 + std::pow(difference / (2.0 * 2.0 * 5.0), 2)); };
  const double              g[3] = { conductance(40.0 - 10.0), conductance(20.0 - 10.0), conductance(20.0 - 40.0) };
  const double              first = parameters.timeStep / 2.0 * (g[0] + g[1]) / 2.0 * (40.0 - 10.0);
  const double              second = parameters.timeStep / 2.0 * (g[1] + g[2]) / 2.0 * (20.0 - 40.0);
  const std::vector<double> expected{ 10.0 + first, 40.0 - first + second, 20.0 - second, nan, 70.0, 30.0 };
  EXPECT_LE(properties::LargestDifference(Diffused(this->GetContext(), parameters, grid, input, mask), expected), 1e-5);
}

/** Two images of range 10, with different noise and at two offsets. */
struct Pair
{
  cudaneuro::Grid                           grid = MakeGrid({ 13, 12, 25 });
  std::vector<float>                        images[2] = { NoisyPhantom(grid, 0.0), NoisyPhantom(grid, 50.0) };
  cudaneuro::StructuralSimilarityParameters parameters;

  explicit Pair(const double (&offsets)[2])
  {
    parameters.dataRange = 10.0;
    for (int image = 0; image < 2; ++image)
    {
      for (float & value : images[image])
      {
        value = static_cast<float>(offsets[image] + 0.01 * value);
      }
    }
  }

  void
  ExpectReference(cudaneuro::Context & context) const
  {
    std::vector<float> map(images[0].size());
    const auto         result = cudaneuro::StructuralSimilarity(
      context, parameters, grid, ConstView(images[0]), ConstView(images[1]), {}, View(map));
    const auto expected =
      reference::StructuralSimilarity(parameters, ToReference(grid, images[0]), ToReference(grid, images[1]));
    EXPECT_LE(properties::LargestDifference(map, expected.map), tolerance);
    EXPECT_NEAR(result.meanStructuralSimilarity, expected.mean, tolerance);
    EXPECT_NEAR(result.meanSquaredError, expected.meanSquaredError, 1e-5 * expected.meanSquaredError);
  }
};

TEST_P(ExtremeIntensities, SimilarityFarFromZero)
{
  const double offsets[][2] = { { 1e5, 1e5 }, { 0.0, 1e5 }, { 1e5, 2e5 }, { -1e4, 30.0 } };
  for (const auto & pair : offsets)
  {
    SCOPED_TRACE(::testing::Message() << pair[0] << " and " << pair[1]);
    Pair(pair).ExpectReference(this->GetContext());
  }
}

TEST_P(ExtremeIntensities, SimilarityOfUnlikeImages)
{
  // Two smooth, noisy halves that differ by twice the range, or by far more.
  for (const double step : { 10.0, 1e4 })
  {
    SCOPED_TRACE(step);
    Pair pair({ 1e5, 1e5 });
    for (std::size_t i = 0; i < pair.images[0].size(); ++i)
    {
      const double side = static_cast<std::int64_t>(i) % pair.grid.size[0] < pair.grid.size[0] / 2 ? 1.0 : -1.0;
      pair.images[0][i] = static_cast<float>(1e5 + side * step + 0.3 * NormalNoise(1, i));
      pair.images[1][i] = static_cast<float>(1e5 - side * step + 0.3 * NormalNoise(2, i));
    }
    pair.ExpectReference(this->GetContext());
  }
}

TEST_P(ExtremeIntensities, SimilarityOfHugeVoxels)
{
  for (const float value : { 80.0f, 1e15f, 1.5e19f, largestFloat })
  {
    for (const bool inBoth : { false, true })
    {
      SCOPED_TRACE(::testing::Message() << value << (inBoth ? " in both" : ""));
      Pair              pair({ 0.0, 0.0 });
      const std::size_t middle = pair.images[0].size() / 2;
      pair.images[0][middle] = value;
      pair.images[1][middle] = inBoth ? -value : pair.images[1][middle];
      pair.ExpectReference(this->GetContext());
    }
  }
}

TEST_P(ExtremeIntensities, SimilarityBeyondTheDataRange)
{
  // With such small constants C1 and C2, errors of the variances show.
  Pair pair({ 500.0, 500.0 });
  pair.parameters.dataRange = 0.05;
  pair.ExpectReference(this->GetContext());
}

TEST_P(ExtremeIntensities, Statistics)
{
  const cudaneuro::Grid grid = MakeGrid({ 40, 30, 20 });
  std::vector<float>    input = NoisyPhantom(grid);
  input[100] = largestFloat;
  input[7000] = -largestFloat;
  double sum = 0.0;
  double squares = 0.0;
  for (const float value : input)
  {
    sum += double{ value };
    squares += double{ value } * value; // the mean is nothing beside the largest values
  }
  const auto statistics = cudaneuro::ComputeImageStatistics(this->GetContext(), grid, ConstView(input), {});
  EXPECT_EQ(statistics.minimum, -double{ largestFloat });
  EXPECT_EQ(statistics.maximum, double{ largestFloat });
  // Values of 3e38 must be summed in double precision.
  EXPECT_NEAR(statistics.sum, sum, 1e-12 * largestFloat);
  const double variance = squares / static_cast<double>(input.size() - 1);
  EXPECT_NEAR(statistics.variance, variance, 1e-9 * variance);
  const std::array<double, 2> range{ -double{ largestFloat }, double{ largestFloat } };
  EXPECT_EQ(cudaneuro::ComputeFiniteRange(this->GetContext(), grid, ConstView(input)), range);
}

CUDANEURO_TEST_ON_ALL_DEVICES(ExtremeIntensities);

} // namespace
