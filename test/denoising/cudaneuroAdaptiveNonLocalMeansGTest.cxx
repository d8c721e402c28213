// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/AdaptiveNonLocalMeans.h"
#include "cudaneuro/NonLocalMeans.h"

#include "DenoisingProperties.h"
#include "NoiseMapTest.h"
#include "denoising/ReferenceAdaptive.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace
{

using namespace testvolumes;
using cudaneuro::AdaptiveNonLocalMeansParameters;

AdaptiveNonLocalMeansParameters
MakeParameters(double sigma = 30.0)
{
  AdaptiveNonLocalMeansParameters parameters;
  parameters.noiseStandardDeviation = sigma;
  return parameters;
}

properties::Filter
MakeFilter(const AdaptiveNonLocalMeansParameters & parameters = MakeParameters())
{
  return [=](auto & context, const auto & grid, const auto & input, const auto & mask, const auto & output) {
    cudaneuro::AdaptiveNonLocalMeans(context, parameters, grid, input, mask, output);
  };
}

noisemaps::Filter
MakeFilterOfMaps(const AdaptiveNonLocalMeansParameters & parameters = MakeParameters(1.0))
{
  return [=](auto & context, auto &&... images) {
    return cudaneuro::AdaptiveNonLocalMeansWithNoiseMap(context, parameters, images...);
  };
}

double
RootOfMeanSquare(const std::vector<float> & values, const std::vector<float> & truth)
{
  double sum = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    sum += std::pow(values[i] - truth[i], 2);
  }
  return std::sqrt(sum / static_cast<double>(values.size()));
}

class AdaptiveNonLocalMeans : public DeviceTest
{};

/** Agrees with the definition in double. Where two blocks of the second pass are alike to the last bits of float, the other
 * may be taken, which changes a block of a group by less than its noise, and a voxel, the mean of some 40, by a hundredth
 * of it. */
TEST_P(AdaptiveNonLocalMeans, MatchesReference)
{
  struct Case
  {
    std::array<std::int64_t, 3> size;
    bool                        hasMask;
    bool                        hasNotFinite;
    bool                        hasMap;
  };
  for (const Case & volume : { Case{ { 17, 14, 13 }, false, false, false },
                               Case{ { 4, 5, 11 }, false, false, true },
                               Case{ { 16, 13, 12 }, true, true, true },
                               Case{ { 27, 22, 1 }, false, true, true },
                               Case{ { 19, 15, 3 }, true, false, false } })
  {
    const cudaneuro::Grid grid = MakeGrid(volume.size);
    std::vector<float>    input = NoisyPhantom(grid);
    if (volume.hasNotFinite)
    {
      SprinkleNotFinite(input);
    }
    const auto mask = volume.hasMask ? BallMask(grid) : std::vector<unsigned char>();
    const auto map = volume.hasMap ? NoiseThatVaries(grid) : std::vector<float>();
    const auto parameters = MakeParameters(volume.hasMap ? 1.0 : 30.0);
    const auto filter =
      volume.hasMap ? noisemaps::WithNoiseThatVaries(MakeFilterOfMaps(parameters)) : MakeFilter(parameters);
    const auto result = properties::Run(this->GetContext(), filter, grid, input, mask);
    const auto expected =
      reference::AdaptiveNonLocalMeans(parameters, ToReference(grid, input, mask), { map.begin(), map.end() }, 437.0f);
    std::size_t different = 0;
    for (std::size_t i = 0; i < result.size(); ++i)
    {
      const double difference = std::isfinite(expected[i]) ? std::abs(result[i] - expected[i]) : 0.0;
      EXPECT_EQ(std::isfinite(result[i]), std::isfinite(expected[i])) << i;
      EXPECT_LE(difference, 0.3) << i;
      different += difference > 1e-5 * properties::dataRange ? 1 : 0;
    }
    EXPECT_LE(different, result.size() / 10) << grid.size[0];
  }
}

/** The error is less than that of non-local means, with what is recommended for it. */
TEST_P(AdaptiveNonLocalMeans, IsBetterThanNonLocalMeans)
{
  const cudaneuro::Grid           grid = MakeGrid({ 40, 36, 32 });
  const std::vector<float>        truth = NoisyPhantom(grid, 0.0);
  const std::vector<float>        noisy = NoisyPhantom(grid);
  AdaptiveNonLocalMeansParameters parameters = MakeParameters();
  parameters.ricianCorrection = true;
  cudaneuro::NonLocalMeansParameters others;
  others.ricianCorrection = true;
  others.noiseStandardDeviation = 30.0;
  others.smoothingParameter = 30.0 * cudaneuro::RecommendedSmoothingFactor(others.weighting);
  std::vector<float> other(noisy.size());
  cudaneuro::NonLocalMeans(this->GetContext(), others, grid, ConstView(noisy), {}, View(other));
  const std::vector<float> denoised = properties::Run(this->GetContext(), MakeFilter(parameters), grid, noisy);
  EXPECT_LE(RootOfMeanSquare(denoised, truth), 0.95 * RootOfMeanSquare(other, truth));
}

/** Blocks of a plane do not depend on which axis of the grid is the thin one. */
TEST_P(AdaptiveNonLocalMeans, PlanesAlongAnyAxis)
{
  const std::vector<float> input = NoisyPhantom(MakeGrid({ 29, 23, 1 }));
  const std::vector<float> noise = NoiseThatVaries(MakeGrid({ 29, 23, 1 }));
  std::vector<float>       expected;
  for (const std::array<std::int64_t, 3> size :
       { std::array<std::int64_t, 3>{ 29, 23, 1 }, { 29, 1, 23 }, { 1, 29, 23 } })
  {
    std::vector<float> result(input.size());
    cudaneuro::AdaptiveNonLocalMeansWithNoiseMap(
      this->GetContext(), MakeParameters(1.0), MakeGrid(size), ConstView(input), {}, ConstView(noise), View(result));
    expected = expected.empty() ? result : expected;
    EXPECT_TRUE(properties::HaveSameBits(result, expected)) << size[0];
  }
}

/** A map of one value has the bits of that value as a number, whatever the map's type. */
TEST_P(AdaptiveNonLocalMeans, OneValueIsThatNumber)
{
  const cudaneuro::Grid            grid = MakeGrid({ 21, 18, 15 });
  const std::vector<float>         input = NoisyPhantom(grid);
  const std::vector<unsigned char> mask = BallMask(grid);
  for (const bool isRician : { false, true })
  {
    AdaptiveNonLocalMeansParameters multiple = MakeParameters(1.5);
    multiple.ricianCorrection = isRician;
    AdaptiveNonLocalMeansParameters number = multiple;
    number.noiseStandardDeviation *= 21.0;
    const std::vector<short> noise(input.size(), 21);
    std::vector<float>       result(input.size());
    EXPECT_EQ(cudaneuro::AdaptiveNonLocalMeansWithNoiseMap(
                this->GetContext(), multiple, grid, ConstView(input), ConstView(mask), ConstView(noise), View(result)),
              0);
    EXPECT_TRUE(
      properties::HaveSameBits(result, properties::Run(this->GetContext(), MakeFilter(number), grid, input, mask)));
  }
}

/** An image and noise that are twice as large give results that are twice as large, to the bit. */
TEST_P(AdaptiveNonLocalMeans, Scales)
{
  const cudaneuro::Grid grid = MakeGrid({ 18, 17, 16 });
  std::vector<float>    input = NoisyPhantom(grid);
  std::vector<float>    expected = properties::Run(this->GetContext(), MakeFilter(), grid, input);
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    input[i] *= 2.0f;
    expected[i] *= 2.0f;
  }
  EXPECT_TRUE(properties::HaveSameBits(
    properties::Run(this->GetContext(), MakeFilter(MakeParameters(60.0)), grid, input), expected));
}

TEST_P(AdaptiveNonLocalMeans, ConstantIsFixedPoint)
{
  properties::ExpectConstantIsFixedPoint(this->GetContext(), MakeFilter(), 0.0);
}

TEST_P(AdaptiveNonLocalMeans, NoPartTaken)
{
  properties::ExpectNoPartTaken(this->GetContext(), MakeFilter());
  properties::ExpectHugeVoxelOutsideMaskChangesNothing(this->GetContext(), MakeFilter());
}

/** Codes and errors keep their value, and the voxels around are as without them. */
TEST_P(AdaptiveNonLocalMeans, HugeVoxelsKeepTheirValue)
{
  const cudaneuro::Grid grid = MakeGrid({ 20, 19, 18 });
  std::vector<float>    input = NoisyPhantom(grid);
  std::vector<float>    holes = input;
  const float           huge[] = { std::numeric_limits<float>::max(), -1e30f, 1e20f, 1e6f };
  for (std::size_t i = 0; i < 4; ++i)
  {
    input[1700 * (i + 1)] = huge[i];
    holes[1700 * (i + 1)] = std::numeric_limits<float>::quiet_NaN();
  }
  const std::vector<float> result = properties::Run(this->GetContext(), MakeFilter(), grid, input);
  std::vector<float>       expected = properties::Run(this->GetContext(), MakeFilter(), grid, holes);
  for (std::size_t i = 0; i < 4; ++i)
  {
    expected[1700 * (i + 1)] = huge[i];
  }
  EXPECT_TRUE(properties::HaveSameBits(result, expected));
}

/** Where the map is 0, voxels keep their value and have no part in others, and are counted. */
TEST_P(AdaptiveNonLocalMeans, ZerosTakeNoPart)
{
  const cudaneuro::Grid            grid = MakeGrid({ 17, 16, 15 });
  const std::vector<float>         input = NoisyPhantom(grid);
  const std::vector<unsigned char> mask = BallMask(grid);
  std::vector<float>               noise(input.size(), 30.0f);
  for (std::size_t i = 0; i < noise.size(); ++i)
  {
    noise[i] = mask[i] != 0 ? 30.0f : 0.0f;
  }
  std::vector<float> result(input.size());
  const auto         zeros = cudaneuro::AdaptiveNonLocalMeansWithNoiseMap(
    this->GetContext(), MakeParameters(1.0), grid, ConstView(input), {}, ConstView(noise), View(result));
  EXPECT_EQ(zeros, std::count(mask.begin(), mask.end(), 0));
  const std::vector<float> masked = properties::Run(this->GetContext(), MakeFilter(), grid, input, mask);
  // The sample by which intensities are centered knows of the mask alone, so distances differ in their last bits.
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    EXPECT_NEAR(result[i], masked[i], 0.3) << i;
    EXPECT_TRUE(mask[i] != 0 || result[i] == input[i]) << i;
  }
}

/** The mean of Rician noise of a signal A comes out as A, also where the signal is hardly stronger than the noise; as strong
 * as the noise it is a little less, and in air 0. */
TEST_P(AdaptiveNonLocalMeans, RicianCorrectionFindsTheSignal)
{
  const cudaneuro::Grid           grid = MakeGrid({ 24, 24, 24 });
  constexpr double                sigma = 10.0;
  AdaptiveNonLocalMeansParameters parameters = MakeParameters(sigma);
  parameters.ricianCorrection = true;
  for (const double signal : { 0.0, 10.0, 20.0, 100.0 })
  {
    std::vector<float> input(static_cast<std::size_t>(grid.NumberOfVoxels()));
    for (std::size_t i = 0; i < input.size(); ++i)
    {
      input[i] = static_cast<float>(std::hypot(signal + sigma * NormalNoise(5, i), sigma * NormalNoise(6, i)));
    }
    const std::vector<float> result = properties::Run(this->GetContext(), MakeFilter(parameters), grid, input);
    double                   sum = 0.0;
    for (const float value : result)
    {
      sum += value;
    }
    // Of 14,000 voxels, the standard error is 0.01 sigma; the root of means that still vary is less by some hundredths. A signal
    // of sigma loses 0.03 to 0.06 of it, and a few voxels of air are above 0.65.
    EXPECT_NEAR(sum / static_cast<double>(result.size()), signal, (signal > 10.0 ? 0.06 : 0.1) * sigma);
  }
}

TEST_P(AdaptiveNonLocalMeans, RefusesBadArguments)
{
  const auto run = [this](const std::array<std::int64_t, 3> &     size,
                          const AdaptiveNonLocalMeansParameters & parameters) {
    const cudaneuro::Grid grid = MakeGrid(size);
    properties::Run(this->GetContext(), MakeFilter(parameters), grid, NoisyPhantom(grid));
  };
  ExpectInvalidParameter([&] { run({ 9, 3, 2 }, MakeParameters()); }, "The size of the image", "9 x 3 x 2");
  ExpectInvalidParameter([&] { run({ 9, 8, 7 }, MakeParameters(0.0)); }, "NoiseStandardDeviation", "0");
  AdaptiveNonLocalMeansParameters parameters;
  parameters.smoothingFactor = 0.0;
  ExpectInvalidParameter([&] { run({ 9, 8, 7 }, parameters); }, "SmoothingFactor", "0");
  const cudaneuro::Grid    grid = MakeGrid({ 7, 6, 5 });
  const std::vector<float> input = NoisyPhantom(grid);
  ExpectBadMapsAreRefused(grid, [&](const cudaneuro::ConstVolume & noise) {
    std::vector<float> output(input.size());
    cudaneuro::AdaptiveNonLocalMeansWithNoiseMap(
      this->GetContext(), MakeParameters(1.0), grid, ConstView(input), {}, noise, View(output));
  });
  // The noise is checked where it is largest.
  ExpectInvalidParameter(
    [&] {
      std::vector<float>       output(input.size());
      const std::vector<float> noise(input.size(), 1024.0f);
      cudaneuro::AdaptiveNonLocalMeansWithNoiseMap(
        this->GetContext(), MakeParameters(1e30), grid, ConstView(input), {}, ConstView(noise), View(output));
    },
    "NoiseStandardDeviation",
    "1.024e+33");
}

TEST_P(AdaptiveNonLocalMeans, MapCountsInsideTheMaskAlone)
{
  noisemaps::ExpectMapCountsInMaskAlone(this->GetContext(), MakeFilterOfMaps());
}

TEST_P(AdaptiveNonLocalMeans, KeepsTheProperties)
{
  for (const properties::Filter & filter : { MakeFilter(), noisemaps::WithNoiseThatVaries(MakeFilterOfMaps()) })
  {
    properties::ExpectAllPixelTypes(this->GetContext(), filter);
    properties::ExpectRepeatable(this->GetContext(), filter);
  }
}

TEST_P(AdaptiveNonLocalMeans, Progress)
{
  properties::ExpectProgress(this->GetContext(), MakeFilter());
}

TEST_P(AdaptiveNonLocalMeans, Abort)
{
  properties::ExpectAbort(this->GetContext(), MakeFilter());
}

CUDANEURO_TEST_ON_ALL_DEVICES(AdaptiveNonLocalMeans);

class AdaptiveNonLocalMeansOnGpu : public DeviceTest
{};

/** All operations are rounded alike, so no bit differs. */
TEST_P(AdaptiveNonLocalMeansOnGpu, HasTheBitsOfTheCpu)
{
  AdaptiveNonLocalMeansParameters rician = MakeParameters();
  rician.ricianCorrection = true;
  const properties::Filter filters[] = { MakeFilter(),
                                         noisemaps::WithNoiseThatVaries(MakeFilterOfMaps()),
                                         MakeFilter(rician) };
  for (const properties::Filter & filter : filters)
  {
    properties::ExpectMatchesCpu(this->GetContext(), filter, 0.0);
  }
  cudaneuro::Context cpu{ cudaneuro::Device{} };
  for (const std::array<std::int64_t, 3> size :
       { std::array<std::int64_t, 3>{ 19, 15, 3 }, { 101, 38, 2 }, { 4, 4, 4 }, { 5, 40, 7 }, { 123, 5, 16 } })
  {
    const cudaneuro::Grid            grid = MakeGrid(size);
    const std::vector<unsigned char> mask = BallMask(grid);
    std::vector<float>               input = NoisyPhantom(grid);
    for (const bool isMasked : { false, true })
    {
      for (const properties::Filter & filter : filters)
      {
        const std::vector<unsigned char> inside = isMasked ? mask : std::vector<unsigned char>();
        EXPECT_TRUE(properties::HaveSameBits(properties::Run(this->GetContext(), filter, grid, input, inside),
                                             properties::Run(cpu, filter, grid, input, inside)))
          << size[0] << (isMasked ? " with mask" : "");
      }
    }
  }
}

/** A memory limit that forces slabs does not change the bits. */
TEST_P(AdaptiveNonLocalMeansOnGpu, SlabsEqualWhole)
{
  const cudaneuro::Grid    grid = MakeGrid({ 37, 29, 150 });
  const std::vector<float> input = NoisyPhantom(grid);
  const std::vector<float> expected =
    properties::Run(this->GetContext(), noisemaps::WithNoiseThatVaries(MakeFilterOfMaps()), grid, input);
  EXPECT_EQ(this->GetContext().GetStatistics().numberOfSlabs, 1u);
  this->GetContext().SetMemoryLimit(5 << 20);
  EXPECT_TRUE(properties::HaveSameBits(
    properties::Run(this->GetContext(), noisemaps::WithNoiseThatVaries(MakeFilterOfMaps()), grid, input), expected));
  EXPECT_GT(this->GetContext().GetStatistics().numberOfSlabs, 2u);
}

TEST_P(AdaptiveNonLocalMeansOnGpu, TakesMapsInDeviceMemory)
{
  noisemaps::ExpectMapsInDeviceMemory(this->GetContext(), MakeFilterOfMaps());
}

TEST_P(AdaptiveNonLocalMeansOnGpu, NoTransferOnDevice)
{
  properties::ExpectNoTransferOnDevice(this->GetContext(), MakeFilter());
}

CUDANEURO_TEST_ON_CUDA(AdaptiveNonLocalMeansOnGpu);

} // namespace
