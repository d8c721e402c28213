// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The map of the noise of a volume: against its definition in double precision, against noise that is known, and the
// properties that all filters have.

#include "denoising/DenoisingProperties.h"
#include "denoising/NoiseMapRuns.h"
#include "denoising/ReferenceNoiseMap.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace
{

using namespace testvolumes;
using namespace noisemapruns;

TEST_P(NoiseMap, MatchesReference)
{
  for (const NoiseMapParameters & parameters :
       { MakeParameters(false), MakeParameters(true), MakeParameters(false, 4.0), MakeParameters(true, 19.0) })
  {
    SCOPED_TRACE(::testing::Message() << parameters.ricianCorrection << ", " << parameters.smoothingSigma);
    properties::ExpectMatchesReference(
      this->GetContext(),
      MakeFilter(parameters),
      [&](const reference::Image & image) { return reference::NoiseMap(parameters, image); },
      tolerance);
  }
}

/** Many blocks along each axis. */
TEST_P(NoiseMap, MatchesReferenceOfManyBlocks)
{
  for (const cudaneuro::Grid & grid : { MakeGrid({ 61, 35, 29 }), MakeGrid({ 141, 75, 1 }), MakeGrid({ 1, 67, 83 }) })
  {
    const std::vector<float>         input = NoisyPhantom(grid);
    const std::vector<unsigned char> mask = BallMask(grid);
    const MapOfRun                   run = this->Estimate(grid, input, MakeParameters(true), mask);
    const std::vector<double> expected = reference::NoiseMap(MakeParameters(true), ToReference(grid, input, mask));
    EXPECT_LE(properties::LargestDifference(run.map, expected), tolerance * properties::dataRange);
    double       sum = 0.0;
    std::int64_t count = 0;
    for (const double value : expected)
    {
      sum += value;
      count += value > 0.0 ? 1 : 0;
    }
    EXPECT_EQ(run.result.numberOfVoxels, count);
    EXPECT_NEAR(run.result.mean, sum / static_cast<double>(count), 1e-4 * run.result.mean);
  }
}

/** The standard error of the map is 1.8 % in volumes, and 4 % in planes; at their ends it is twice that. */
TEST_P(NoiseMap, ConstantNoiseGivesThatConstant)
{
  const cudaneuro::Grid volume = MakeGrid({ 67, 61, 59 });
  const cudaneuro::Grid plane = MakeGrid({ 211, 193, 1 });
  for (const double sigma : { 0.125, 30.0, 1e7 })
  {
    const auto constant = [&](std::int64_t) { return sigma; };
    ExpectNear(this->Estimate(volume, NoiseAround(volume, 1e3, false, constant)), sigma, 0.12, 0.01);
    ExpectNear(this->Estimate(plane, NoiseAround(plane, 1e3, false, constant)), sigma, 0.2, 0.03);
  }
}

/** Where the signal is as weak as the noise, the mean and the variance of a magnitude hardly tell them apart. */
TEST_P(NoiseMap, RicianNoise)
{
  struct Case
  {
    double signal;
    double share;
    double shareOfMean;
  };
  const cudaneuro::Grid grid = MakeGrid({ 67, 61, 59 });
  const auto            sigma = [](std::int64_t) { return 20.0; };
  for (const Case & expected :
       { Case{ 0.0, 0.2, 0.08 }, { 20.0, 0.2, 0.05 }, { 60.0, 0.15, 0.02 }, { 4e3, 0.12, 0.01 } })
  {
    SCOPED_TRACE(::testing::Message() << "signal " << expected.signal);
    const std::vector<float> input = NoiseAround(grid, expected.signal, true, sigma);
    ExpectNear(this->Estimate(grid, input, MakeParameters(true)), 20.0, expected.share, expected.shareOfMean);
    if (expected.signal == 0.0)
    {
      ExpectNear(this->Estimate(grid, input), 20.0 * std::sqrt(2.0 - 1.5707963), 0.15, 0.01);
    }
  }
}

TEST_P(NoiseMap, FollowsNoiseThatVaries)
{
  const cudaneuro::Grid grid = MakeGrid({ 131, 61, 59 });
  const auto            sigma = [](std::int64_t x) { return 10.0 * std::pow(4.0, static_cast<double>(x) / 130.0); };
  const MapOfRun        run = this->Estimate(grid, NoiseAround(grid, 500.0, false, sigma));
  double                sum = 0.0;
  for (std::size_t i = 0; i < run.map.size(); ++i)
  {
    const double expected = sigma(static_cast<std::int64_t>(i) % grid.size[0]);
    ASSERT_NEAR(run.map[i], expected, 0.15 * expected) << "element " << i;
    sum += std::abs(run.map[i] / expected - 1.0);
  }
  EXPECT_LE(sum / static_cast<double>(run.map.size()), 0.03);
}

/** Edges of 250 to 500 are in a quarter of the cubes. */
TEST_P(NoiseMap, LeavesEdgesOut)
{
  const cudaneuro::Grid grid = MakeGrid({ 61, 53, 47 });
  for (const double sigma : { 10.0, 30.0 })
  {
    const MapOfRun run = this->Estimate(grid, NoisyPhantom(grid, sigma), MakeParameters(true));
    EXPECT_NEAR(run.result.mean, sigma, 0.05 * sigma);
    EXPECT_LE(run.result.maximum, 1.35 * sigma);
    EXPECT_GE(run.result.minimum, 0.8 * sigma);
  }
}

/** The depth of blocks follows the spacing, along each axis. */
TEST_P(NoiseMap, ThickSlices)
{
  for (int axis = 0; axis < 3; ++axis)
  {
    for (const double thickness : { 1.0, 2.0, 4.0, 9.0 })
    {
      SCOPED_TRACE(::testing::Message() << thickness << " mm along axis " << axis);
      cudaneuro::Grid grid = MakeGrid({ 43, 37, 19 }, { 1.0, 1.0, 1.0 });
      std::swap(grid.size[axis], grid.size[2]);
      grid.spacing[axis] = thickness;
      const std::vector<float>  input = NoisyPhantom(grid);
      const std::vector<double> expected = reference::NoiseMap({}, ToReference(grid, input));
      EXPECT_LE(properties::LargestDifference(this->Estimate(grid, input).map, expected),
                tolerance * properties::dataRange);
    }
    // The noise doubles every 8 slices.
    cudaneuro::Grid grid = MakeGrid({ 101, 97, 25 }, { 1.0, 1.0, 1.0 });
    std::swap(grid.size[axis], grid.size[2]);
    grid.spacing[axis] = 5.0;
    const std::array<std::int64_t, 3> strides{ 1, grid.size[0], grid.VoxelsPerPlane() };
    std::vector<float>                input(static_cast<std::size_t>(grid.NumberOfVoxels()));
    const auto                        sigma = [&](std::size_t i) {
      return 10.0 *
             std::exp2(static_cast<double>(static_cast<std::int64_t>(i) / strides[axis] % grid.size[axis]) / 8.0);
    };
    for (std::size_t i = 0; i < input.size(); ++i)
    {
      input[i] = static_cast<float>(500.0 + sigma(i) * NormalNoise(5, i));
    }
    const MapOfRun run = this->Estimate(grid, input);
    double         sum = 0.0;
    for (std::size_t i = 0; i < input.size(); ++i)
    {
      sum += std::abs(run.map[i] / sigma(i) - 1.0);
    }
    EXPECT_LE(sum / static_cast<double>(input.size()), 0.05) << "slices along axis " << axis;
  }
}

/** Integers, at distances from a half of the noise to all of it. */
TEST_P(NoiseMap, RoundedIntensities)
{
  const cudaneuro::Grid grid = MakeGrid({ 61, 53, 47 });
  for (const double sigma : { 1.0, 2.0 })
  {
    for (const double signal : { 0.0, 100.0 })
    {
      SCOPED_TRACE(::testing::Message() << sigma << " around " << signal);
      std::vector<float> input = NoiseAround(grid, signal, true, [&](std::int64_t) { return sigma; });
      for (float & value : input)
      {
        value = std::nearbyint(value);
      }
      const MapOfRun run = this->Estimate(grid, input, MakeParameters(true));
      // Rounding adds noise of 1 / sqrt(12).
      EXPECT_NEAR(run.result.mean, std::sqrt(sigma * sigma + 1.0 / 12.0), 0.15 * sigma);
      EXPECT_GE(run.result.minimum, 0.7 * sigma);
      EXPECT_LE(run.result.maximum, 1.5 * sigma);
    }
  }
}

TEST_P(NoiseMap, ScalingTheImageScalesTheMap)
{
  const cudaneuro::Grid    grid = MakeGrid({ 37, 29, 23 });
  const std::vector<float> input = NoisyPhantom(grid);
  for (const bool isRician : { false, true })
  {
    const MapOfRun expected = this->Estimate(grid, input, MakeParameters(isRician));
    for (const float factor : { 0x1p-90f, 1e-5f, 3.0f, 1e25f })
    {
      std::vector<float> scaled = input;
      for (float & value : scaled)
      {
        value *= factor;
      }
      const MapOfRun run = this->Estimate(grid, scaled, MakeParameters(isRician));
      for (std::size_t i = 0; i < input.size(); ++i)
      {
        const double wanted = static_cast<double>(factor) * expected.map[i];
        // A power of 2 changes no digit.
        ASSERT_NEAR(run.map[i], wanted, factor == 0x1p-90f ? 0.0 : 3e-5 * wanted) << factor << ", element " << i;
      }
    }
  }
}

TEST_P(NoiseMap, FarFromZero)
{
  properties::ExpectExactFarFromZero(
    this->GetContext(),
    MakeFilter(),
    [](const reference::Image & image) { return reference::NoiseMap({}, image); },
    100.0f);
}

TEST_P(NoiseMap, RefusesNegativeMagnitudes)
{
  const cudaneuro::Grid grid = MakeGrid({ 19, 18, 17 });
  std::vector<float>    input = NoisyPhantom(grid);
  for (float & value : input)
  {
    value -= 400.0f;
  }
  EXPECT_NO_THROW(this->Estimate(grid, input));
  ExpectRefused([&] { this->Estimate(grid, input, MakeParameters(true)); }, "RicianCorrection is on");
}

TEST_P(NoiseMap, AllPixelTypes)
{
  properties::ExpectAllPixelTypes(this->GetContext(), MakeFilter());
}

TEST_P(NoiseMap, Repeatable)
{
  properties::ExpectRepeatable(this->GetContext(), MakeFilter(MakeParameters(true)));
}

TEST_P(NoiseMap, Concurrent)
{
  properties::ExpectConcurrent(this->GetParam(), { MakeFilter(), MakeFilter(MakeParameters(true, 12.0)) });
}

TEST_P(NoiseMap, Progress)
{
  properties::ExpectProgress(this->GetContext(), MakeFilter());
}

TEST_P(NoiseMap, Abort)
{
  properties::ExpectAbort(this->GetContext(), MakeFilter());
}

CUDANEURO_TEST_ON_ALL_DEVICES(NoiseMap);

class NoiseMapOnGpu : public DeviceTest
{};

TEST_P(NoiseMapOnGpu, MatchesCpu)
{
  for (const bool isRician : { false, true })
  {
    properties::ExpectMatchesCpu(this->GetContext(), MakeFilter(MakeParameters(isRician)), tolerance);
  }
}

TEST_P(NoiseMapOnGpu, SlabsEqualWhole)
{
  properties::ExpectSlabsEqualWhole(this->GetContext(), MakeFilter());
}

TEST_P(NoiseMapOnGpu, NoTransferOnDevice)
{
  properties::ExpectNoTransferOnDevice(this->GetContext(), MakeFilter());
}

CUDANEURO_TEST_ON_CUDA(NoiseMapOnGpu);

} // namespace
