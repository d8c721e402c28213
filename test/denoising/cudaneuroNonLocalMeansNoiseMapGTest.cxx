// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/NonLocalMeans.h"

#include "DenoisingProperties.h"
#include "NoiseMapTest.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace
{

using namespace testvolumes;
using cudaneuro::NonLocalMeansCenterWeight;
using cudaneuro::NonLocalMeansParameters;
using cudaneuro::NonLocalMeansWeighting;

constexpr double tolerance = 1e-5;

NonLocalMeansParameters
MakeParameters(NonLocalMeansWeighting weighting, std::array<int, 3> window, std::array<int, 3> patch)
{
  NonLocalMeansParameters parameters;
  parameters.weighting = weighting;
  parameters.centerWeight = NonLocalMeansCenterWeight::One;
  parameters.windowRadius = window;
  parameters.patchRadius = patch;
  parameters.smoothingParameter = 1.5;
  parameters.noiseStandardDeviation = 1.0;
  return parameters;
}

properties::Filter
MakeFilter(const NonLocalMeansParameters & parameters)
{
  return [=](auto & context, const auto & grid, const auto & input, const auto & mask, const auto & output) {
    const std::vector<float> noise = NoiseThatVaries(grid);
    cudaneuro::NonLocalMeansWithNoiseMap(context, parameters, grid, input, mask, ConstView(noise), output);
  };
}

/** Parameters that together use every option, every path of the CPU, and all kernels. */
std::vector<NonLocalMeansParameters>
AllParameters()
{
  std::vector<NonLocalMeansParameters> all;
  for (const auto weighting : { NonLocalMeansWeighting::PatchSum, NonLocalMeansWeighting::PatchDistance })
  {
    for (const std::array<int, 3> patch : { std::array<int, 3>{ 1, 1, 1 }, { 2, 2, 2 }, { 1, 2, 1 } })
    {
      all.push_back(MakeParameters(weighting, { 2, 2, 2 }, patch));
    }
    all.push_back(MakeParameters(weighting, { 3, 1, 3 }, { 1, 1, 1 }));
  }
  for (const std::size_t i : { 4, 5, 6, 7 })
  {
    NonLocalMeansParameters parameters = all[i];
    parameters.centerWeight = NonLocalMeansCenterWeight::Maximum;
    all.push_back(parameters);
  }
  return all;
}

/** Parameters for the properties, which together use every option. */
std::vector<NonLocalMeansParameters>
TypicalParameters()
{
  const NonLocalMeansParameters sum = MakeParameters(NonLocalMeansWeighting::PatchSum, { 2, 2, 2 }, { 1, 1, 1 });
  NonLocalMeansParameters distance = MakeParameters(NonLocalMeansWeighting::PatchDistance, { 2, 1, 2 }, { 1, 1, 1 });
  distance.centerWeight = NonLocalMeansCenterWeight::Maximum;
  distance.ricianCorrection = true;
  return { sum, distance };
}

class NonLocalMeansNoiseMap : public DeviceTest
{};

TEST_P(NonLocalMeansNoiseMap, MatchesReference)
{
  for (const NonLocalMeansParameters & parameters : AllParameters())
  {
    properties::ExpectMatchesReference(
      this->GetContext(),
      MakeFilter(parameters),
      [&](const reference::Image & image) {
        const std::vector<float> noise = NoiseThatVaries(image.grid);
        return reference::NonLocalMeansWithNoiseMap(parameters, image, { noise.begin(), noise.end() });
      },
      tolerance);
  }
}

/** The errors of the square and of its root that cudaneuro/NonLocalMeans.h documents, with the noise of the voxel. */
TEST_P(NonLocalMeansNoiseMap, RicianCorrectionMatchesReference)
{
  const cudaneuro::Grid    grid = MakeGrid({ 13, 11, 9 });
  const std::vector<float> input = NoisyPhantom(grid);
  const std::vector<float> noise = NoiseThatVaries(grid);
  for (const auto weighting : { NonLocalMeansWeighting::PatchSum, NonLocalMeansWeighting::PatchDistance })
  {
    NonLocalMeansParameters parameters = MakeParameters(weighting, { 2, 2, 2 }, { 1, 1, 1 });
    parameters.ricianCorrection = true;
    const std::vector<float>  result = properties::Run(this->GetContext(), MakeFilter(parameters), grid, input);
    const std::vector<double> expected =
      reference::NonLocalMeansWithNoiseMap(parameters, ToReference(grid, input), { noise.begin(), noise.end() });
    for (std::size_t i = 0; i < result.size(); ++i)
    {
      const double errorOfSquare = 4e-6 * (expected[i] * expected[i] + 4.0 * noise[i] * noise[i]);
      const double allowed = std::min(std::sqrt(errorOfSquare), errorOfSquare / std::max(expected[i], 1e-30));
      EXPECT_NEAR(result[i], expected[i], std::max(allowed, 4e-6 * properties::dataRange)) << i;
    }
  }
}

/** A map of one value has the bits of that value as a number, whatever the map's type. */
TEST_P(NonLocalMeansNoiseMap, OneValueIsThatNumber)
{
  const cudaneuro::Grid            grid = MakeGrid({ 37, 45, 43 });
  const std::vector<float>         input = NoisyPhantom(grid);
  const std::vector<unsigned char> mask = BallMask(grid);
  for (const float value : { 21.0f, 7.0f })
  {
    const std::vector<float> noise(input.size(), value);
    const std::vector<short> integers(input.size(), static_cast<short>(value));
    for (const NonLocalMeansParameters & multiples : AllParameters())
    {
      for (const bool isRician : { false, true })
      {
        NonLocalMeansParameters parameters = multiples;
        parameters.ricianCorrection = isRician;
        NonLocalMeansParameters ofNumber = parameters;
        ofNumber.smoothingParameter *= value;
        ofNumber.noiseStandardDeviation *= value;
        const bool              isMasked = isRician;
        const auto              inside = isMasked ? ConstView(mask) : cudaneuro::ConstVolume{};
        std::vector<float>      expected(input.size());
        std::vector<float>      result(input.size());
        const cudaneuro::Volume output = View(result);
        cudaneuro::Context &    context = this->GetContext();
        const auto              from = ConstView(input);
        cudaneuro::NonLocalMeans(context, ofNumber, grid, from, inside, View(expected));
        EXPECT_EQ(
          cudaneuro::NonLocalMeansWithNoiseMap(context, parameters, grid, from, inside, ConstView(noise), output), 0);
        EXPECT_TRUE(properties::HaveSameBits(result, expected)) << value << ' ' << parameters.weighting << isRician;
        cudaneuro::NonLocalMeansWithNoiseMap(context, parameters, grid, from, inside, ConstView(integers), output);
        EXPECT_TRUE(properties::HaveSameBits(result, expected)) << "of short";
      }
    }
  }
}

/** Where the map is 0, voxels keep their value and have no weight in others, and are counted. */
TEST_P(NonLocalMeansNoiseMap, ZerosTakeNoPart)
{
  const cudaneuro::Grid            grid = MakeGrid({ 17, 13, 11 });
  std::vector<float>               input = NoisyPhantom(grid);
  const std::vector<unsigned char> mask = BallMask(grid);
  const std::vector<float>         ones(input.size(), 20.0f);
  std::vector<float>               noise = ones;
  std::int64_t                     zeros = 0;
  for (std::size_t i = 0; i < noise.size(); ++i)
  {
    noise[i] = mask[i] != 0 ? 20.0f : 0.0f;
    zeros += mask[i] != 0 ? 0 : 1;
  }
  ASSERT_GT(zeros, 0);
  for (const NonLocalMeansParameters & parameters : TypicalParameters())
  {
    std::vector<float> expected(input.size());
    std::vector<float> result(input.size());
    const auto         run = [&](const cudaneuro::ConstVolume & inside, const std::vector<float> & map, auto & output) {
      return cudaneuro::NonLocalMeansWithNoiseMap(
        this->GetContext(), parameters, grid, ConstView(input), inside, ConstView(map), View(output));
    };
    EXPECT_EQ(run(ConstView(mask), ones, expected), 0);
    EXPECT_EQ(run({}, noise, result), zeros);
    // The sample by which intensities are centered knows of the mask alone.
    EXPECT_LE(properties::LargestDifference(result, { expected.begin(), expected.end() }),
              tolerance * properties::dataRange);
    for (std::size_t i = 0; i < input.size(); ++i)
    {
      EXPECT_TRUE(mask[i] != 0 || result[i] == input[i]) << i;
    }
  }
}

/** Noise that is a millionth and less somewhere leaves those voxels as they are. */
TEST_P(NonLocalMeansNoiseMap, TinyNoiseKeepsTheVoxel)
{
  const cudaneuro::Grid    grid = MakeGrid({ 12, 11, 10 });
  const std::vector<float> input = NoisyPhantom(grid);
  for (const float tiny : { 1e-5f, 1e-12f, 1e-38f, std::numeric_limits<float>::denorm_min() })
  {
    std::vector<float> noise(input.size(), 20.0f);
    noise[700] = tiny;
    for (NonLocalMeansParameters parameters : TypicalParameters())
    {
      parameters.ricianCorrection = false;
      parameters.patchRadius = { 0, 0, 0 };
      std::vector<float> result(input.size());
      cudaneuro::NonLocalMeansWithNoiseMap(
        this->GetContext(), parameters, grid, ConstView(input), {}, ConstView(noise), View(result));
      EXPECT_NEAR(result[700], input[700], 1e-5 * properties::dataRange) << tiny;
      EXPECT_NE(result[701], input[701]);
    }
  }
}

TEST_P(NonLocalMeansNoiseMap, RefusesBadMaps)
{
  const cudaneuro::Grid    grid = MakeGrid({ 7, 6, 5 });
  const std::vector<float> input = NoisyPhantom(grid);
  ExpectBadMapsAreRefused(grid, [&](const cudaneuro::ConstVolume & noise) {
    std::vector<float> output(input.size());
    cudaneuro::NonLocalMeansWithNoiseMap(
      this->GetContext(), TypicalParameters()[0], grid, ConstView(input), {}, noise, View(output));
  });
  // The smoothing parameter is checked where the noise is largest.
  ExpectInvalidParameter(
    [&] {
      NonLocalMeansParameters parameters = TypicalParameters()[0];
      parameters.smoothingParameter = 1e30;
      std::vector<float>       output(input.size());
      const std::vector<float> noise(input.size(), 1024.0f);
      cudaneuro::NonLocalMeansWithNoiseMap(
        this->GetContext(), parameters, grid, ConstView(input), {}, ConstView(noise), View(output));
    },
    "SmoothingParameter",
    "1.024e+33");
}

TEST_P(NonLocalMeansNoiseMap, KeepsTheProperties)
{
  for (const NonLocalMeansParameters & parameters : TypicalParameters())
  {
    properties::ExpectAllPixelTypes(this->GetContext(), MakeFilter(parameters));
    properties::ExpectRepeatable(this->GetContext(), MakeFilter(parameters));
  }
}

TEST_P(NonLocalMeansNoiseMap, Progress)
{
  properties::ExpectProgress(this->GetContext(), MakeFilter(TypicalParameters()[0]));
}

TEST_P(NonLocalMeansNoiseMap, Abort)
{
  properties::ExpectAbort(this->GetContext(), MakeFilter(TypicalParameters()[0]));
}

CUDANEURO_TEST_ON_ALL_DEVICES(NonLocalMeansNoiseMap);

class NonLocalMeansNoiseMapOnGpu : public DeviceTest
{};

TEST_P(NonLocalMeansNoiseMapOnGpu, MatchesCpu)
{
  for (const auto weighting : { NonLocalMeansWeighting::PatchSum, NonLocalMeansWeighting::PatchDistance })
  {
    properties::ExpectMatchesCpu(
      this->GetContext(), MakeFilter(MakeParameters(weighting, { 3, 3, 3 }, { 2, 2, 2 })), tolerance);
    properties::ExpectMatchesCpu(
      this->GetContext(), MakeFilter(MakeParameters(weighting, { 2, 4, 1 }, { 3, 1, 2 })), tolerance);
    properties::ExpectMatchesCpu(
      this->GetContext(), MakeFilter(MakeParameters(weighting, { 2, 2, 2 }, { 3, 3, 3 })), tolerance);
  }
}

TEST_P(NonLocalMeansNoiseMapOnGpu, SlabsEqualWhole)
{
  for (const NonLocalMeansParameters & parameters : TypicalParameters())
  {
    properties::ExpectSlabsEqualWhole(this->GetContext(), MakeFilter(parameters));
  }
}

TEST_P(NonLocalMeansNoiseMapOnGpu, MapsInDeviceMemory)
{
  const cudaneuro::Grid          grid = MakeGrid({ 31, 29, 27 });
  const std::vector<float>       input = NoisyPhantom(grid);
  const std::vector<float>       noise = NoiseThatVaries(grid);
  const properties::DeviceVolume deviceNoise(this->GetContext(), grid);
  CopyVolume(this->GetContext(), grid, ConstView(noise), deviceNoise);
  for (const NonLocalMeansParameters & parameters : TypicalParameters())
  {
    std::vector<float> output(input.size());
    const auto         zeros = cudaneuro::NonLocalMeansWithNoiseMap(
      this->GetContext(), parameters, grid, ConstView(input), {}, deviceNoise, View(output));
    EXPECT_EQ(zeros, std::count(noise.begin(), noise.end(), 0.0f));
    EXPECT_TRUE(
      properties::HaveSameBits(output, properties::Run(this->GetContext(), MakeFilter(parameters), grid, input)));
  }
  ExpectBadMapsAreRefused(grid, [&](const cudaneuro::ConstVolume & bad) {
    const properties::DeviceVolume onDevice(this->GetContext(), grid);
    CopyVolume(this->GetContext(), grid, bad, onDevice);
    std::vector<float> output(input.size());
    cudaneuro::NonLocalMeansWithNoiseMap(
      this->GetContext(), TypicalParameters()[0], grid, ConstView(input), {}, onDevice, View(output));
  });
}

CUDANEURO_TEST_ON_CUDA(NonLocalMeansNoiseMapOnGpu);

} // namespace
