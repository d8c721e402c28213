// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/NonLocalMeans.h"

#include "NoiseMapTest.h"
#include "NonLocalMeansTestCases.h"

#include <algorithm>
#include <cmath>

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

noisemaps::Filter
MakeMapFilter(const NonLocalMeansParameters & parameters)
{
  return [=](auto & context, auto & grid, auto & input, auto & mask, auto & noise, auto & output) {
    return cudaneuro::NonLocalMeansWithNoiseMap(context, parameters, grid, input, mask, noise, output);
  };
}

properties::Filter
MakeFilter(const NonLocalMeansParameters & parameters)
{
  return noisemaps::WithNoiseThatVaries(MakeMapFilter(parameters));
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
      const double errorOfSquare =
        4e-6 * (expected[i] * expected[i] + 2.0 * nonlocalmeans::LargestSquareOfAir(noise[i]));
      const double allowed = std::min(std::sqrt(errorOfSquare), errorOfSquare / std::max(expected[i], 1e-30));
      EXPECT_NEAR(result[i], expected[i], std::max(allowed, 4e-6 * properties::dataRange)) << i;
    }
  }
}

/** A map of one value has the bits of that value as a number, whatever the map's type. */
TEST_P(NonLocalMeansNoiseMap, OneValueIsThatNumber)
{
  const cudaneuro::Grid            grid = MakeGrid({ 37, 45, 13 });
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

TEST_P(NonLocalMeansNoiseMap, ZerosTakeNoPart)
{
  for (const NonLocalMeansParameters & parameters : TypicalParameters())
  {
    noisemaps::ExpectZerosTakeNoPart(this->GetContext(), MakeMapFilter(parameters), tolerance);
  }
}

TEST_P(NonLocalMeansNoiseMap, CountsInsideTheMaskAlone)
{
  for (const NonLocalMeansParameters & parameters : TypicalParameters())
  {
    noisemaps::ExpectMapCountsInMaskAlone(this->GetContext(), MakeMapFilter(parameters));
  }
}

TEST_P(NonLocalMeansNoiseMap, TinyNoiseKeepsTheVoxel)
{
  for (NonLocalMeansParameters parameters : TypicalParameters())
  {
    parameters.ricianCorrection = false;
    parameters.patchRadius = { 0, 0, 0 };
    noisemaps::ExpectTinyNoiseKeepsTheVoxel(this->GetContext(), MakeMapFilter(parameters));
  }
}

TEST_P(NonLocalMeansNoiseMap, RefusesBadMaps)
{
  const NonLocalMeansParameters parameters = TypicalParameters()[0];
  NonLocalMeansParameters       large = parameters;
  large.smoothingParameter = 1e30;
  noisemaps::ExpectRefusals(this->GetContext(), MakeMapFilter(parameters), MakeMapFilter(large), "SmoothingParameter");
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
  for (const NonLocalMeansParameters & parameters : TypicalParameters())
  {
    noisemaps::ExpectMapsInDeviceMemory(this->GetContext(), MakeMapFilter(parameters));
  }
}

CUDANEURO_TEST_ON_CUDA(NonLocalMeansNoiseMapOnGpu);

} // namespace
