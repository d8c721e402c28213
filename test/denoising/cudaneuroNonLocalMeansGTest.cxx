// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuroNonLocalMeans.h"

#include "DenoisingProperties.h"

#include <cmath>
#include <limits>

namespace
{

using namespace testvolumes;
using cudaneuro::NonLocalMeansCenterWeight;
using cudaneuro::NonLocalMeansWeighting;

// Float sums of up to 343 weights, each of them a sum of up to 125 terms accurate to 2e-7.
constexpr double tolerance = 1e-6;

cudaneuro::NonLocalMeansParameters
MakeParameters(NonLocalMeansWeighting weighting, std::array<int, 3> window, std::array<int, 3> patch)
{
  cudaneuro::NonLocalMeansParameters parameters;
  parameters.weighting = weighting;
  parameters.windowRadius = window;
  parameters.patchRadius = patch;
  parameters.smoothing = 60.0;
  return parameters;
}

properties::Filter
MakeFilter(const cudaneuro::NonLocalMeansParameters & parameters)
{
  return [=](auto & context, const auto & grid, const auto & input, const auto & mask, const auto & output) {
    cudaneuro::NonLocalMeans(context, parameters, grid, input, mask, output);
  };
}

/** The parameters that the properties are tested with: together they have every option. */
std::vector<cudaneuro::NonLocalMeansParameters>
TypicalParameters()
{
  const cudaneuro::NonLocalMeansParameters sum =
    MakeParameters(NonLocalMeansWeighting::PatchSum, { 2, 2, 2 }, { 1, 1, 1 });
  cudaneuro::NonLocalMeansParameters distance =
    MakeParameters(NonLocalMeansWeighting::PatchDistance, { 2, 1, 2 }, { 1, 2, 1 });
  distance.centerWeight = NonLocalMeansCenterWeight::Maximum;
  distance.ricianCorrection = true;
  distance.noiseSigma = 15.0;
  return { sum, distance };
}

std::vector<properties::Filter>
TypicalFilters()
{
  std::vector<properties::Filter> filters;
  for (const cudaneuro::NonLocalMeansParameters & parameters : TypicalParameters())
  {
    filters.push_back(MakeFilter(parameters));
  }
  return filters;
}

void
ExpectReference(cudaneuro::Context & context, const cudaneuro::NonLocalMeansParameters & parameters)
{
  properties::ExpectMatchesReference(
    context,
    MakeFilter(parameters),
    [&](const reference::Image & image) { return reference::NonLocalMeans(parameters, image); },
    tolerance);
}

class NonLocalMeans : public DeviceTest
{};

TEST_P(NonLocalMeans, PatchSumMatchesReference)
{
  ExpectReference(this->GetContext(), MakeParameters(NonLocalMeansWeighting::PatchSum, { 2, 2, 2 }, { 1, 1, 1 }));
}

TEST_P(NonLocalMeans, PatchDistanceMatchesReference)
{
  ExpectReference(this->GetContext(), MakeParameters(NonLocalMeansWeighting::PatchDistance, { 2, 2, 2 }, { 1, 1, 1 }));
}

TEST_P(NonLocalMeans, MaximumCenterWeightMatchesReference)
{
  cudaneuro::NonLocalMeansParameters parameters =
    MakeParameters(NonLocalMeansWeighting::PatchDistance, { 2, 2, 1 }, { 1, 1, 1 });
  parameters.centerWeight = NonLocalMeansCenterWeight::Maximum;
  ExpectReference(this->GetContext(), parameters);
  // So small that all weights but the centre's are 0: the image is unchanged.
  parameters.smoothing = 1e-3;
  ExpectReference(this->GetContext(), parameters);
}

TEST_P(NonLocalMeans, RadiiMatchReference)
{
  const cudaneuro::Grid    grid = MakeGrid({ 15, 9, 8 });
  const std::vector<float> input = NoisyPhantom(grid);
  const std::array<int, 3> radii[][2] = { { { 1, 1, 1 }, { 0, 0, 0 } }, { { 2, 2, 2 }, { 0, 0, 0 } },
                                          { { 1, 1, 1 }, { 1, 1, 1 } }, { { 3, 3, 3 }, { 1, 1, 1 } },
                                          { { 3, 3, 3 }, { 2, 2, 2 } }, { { 2, 2, 2 }, { 3, 3, 3 } },
                                          { { 1, 2, 3 }, { 2, 0, 1 } }, { { 3, 1, 2 }, { 0, 3, 2 } },
                                          { { 1, 1, 1 }, { 4, 1, 1 } }, { { 20, 1, 1 }, { 1, 9, 1 } } };
  for (const auto weighting : { NonLocalMeansWeighting::PatchSum, NonLocalMeansWeighting::PatchDistance })
  {
    for (const auto & [window, patch] : radii)
    {
      const cudaneuro::NonLocalMeansParameters parameters = MakeParameters(weighting, window, patch);
      const std::vector<float> result = properties::Run(this->GetContext(), MakeFilter(parameters), grid, input);
      EXPECT_LE(properties::LargestDifference(result, reference::NonLocalMeans(parameters, ToReference(grid, input))),
                tolerance * properties::dataRange)
        << "window " << window[0] << ' ' << window[1] << ' ' << window[2] << ", patch " << patch[0] << ' ' << patch[1]
        << ' ' << patch[2];
    }
  }
}

TEST_P(NonLocalMeans, RicianCorrectionMatchesReference)
{
  const cudaneuro::Grid    grid = MakeGrid({ 13, 11, 9 });
  const std::vector<float> input = NoisyPhantom(grid);
  for (const auto weighting : { NonLocalMeansWeighting::PatchSum, NonLocalMeansWeighting::PatchDistance })
  {
    cudaneuro::NonLocalMeansParameters parameters = MakeParameters(weighting, { 2, 2, 2 }, { 1, 1, 1 });
    parameters.ricianCorrection = true;
    parameters.noiseSigma = 30.0;
    const std::vector<float>  result = properties::Run(this->GetContext(), MakeFilter(parameters), grid, input);
    const std::vector<double> expected = reference::NonLocalMeans(parameters, ToReference(grid, input));
    std::size_t               numberOfZeros = 0;
    for (std::size_t i = 0; i < result.size(); ++i)
    {
      // Near 0 the square root magnifies errors without bound: there the squares are compared.
      const double difference = std::abs(result[i] - expected[i]);
      const double allowed = tolerance * properties::dataRange;
      EXPECT_LE(std::min(difference, std::abs(double{ result[i] } * result[i] - expected[i] * expected[i]) / 100.0),
                allowed);
      numberOfZeros += expected[i] == 0.0 ? 1 : 0;
    }
    EXPECT_GT(numberOfZeros, 0U) << "the noise is too weak to test the limit at 0";
  }
}

TEST_P(NonLocalMeans, HugeVoxels)
{
  for (const cudaneuro::NonLocalMeansParameters & parameters : TypicalParameters())
  {
    const properties::ReferenceFilter referenceFilter = [&](const reference::Image & image) {
      return reference::NonLocalMeans(parameters, image);
    };
    // Under PatchSum, patches that agree elsewhere give a huge voxel weight in all of its window.
    const std::int64_t reach = parameters.weighting == NonLocalMeansWeighting::PatchSum ? 3 : 0;
    properties::ExpectHugeVoxelsInsideCount(
      this->GetContext(), MakeFilter(parameters), referenceFilter, tolerance, reach);
    properties::ExpectHugeVoxelOutsideMaskChangesNothing(this->GetContext(), MakeFilter(parameters));
  }
}

TEST_P(NonLocalMeans, FarFromZero)
{
  for (cudaneuro::NonLocalMeansParameters parameters : TypicalParameters())
  {
    for (const double smoothing : { 60.0, 3.0 })
    {
      parameters.smoothing = smoothing;
      properties::ExpectExactFarFromZero(
        this->GetContext(),
        MakeFilter(parameters),
        [&](const reference::Image & image) { return reference::NonLocalMeans(parameters, image); },
        1e-5);
    }
  }
}

TEST_P(NonLocalMeans, ConstantIsFixedPoint)
{
  for (const auto weighting : { NonLocalMeansWeighting::PatchSum, NonLocalMeansWeighting::PatchDistance })
  {
    // Rounding errors of a value that may be scaled, averaged over 343 terms, and scaled back.
    properties::ExpectConstantIsFixedPoint(
      this->GetContext(), MakeFilter(MakeParameters(weighting, { 3, 3, 3 }, { 2, 2, 2 })), 3e-6);
  }
}

TEST_P(NonLocalMeans, NoPartTaken)
{
  for (const properties::Filter & filter : TypicalFilters())
  {
    properties::ExpectNoPartTaken(this->GetContext(), filter);
  }
}

TEST_P(NonLocalMeans, AllPixelTypes)
{
  for (const properties::Filter & filter : TypicalFilters())
  {
    properties::ExpectAllPixelTypes(this->GetContext(), filter);
  }
}

TEST_P(NonLocalMeans, Repeatable)
{
  for (const properties::Filter & filter : TypicalFilters())
  {
    properties::ExpectRepeatable(this->GetContext(), filter);
  }
}

TEST_P(NonLocalMeans, Concurrent)
{
  std::vector<properties::Filter> filters = TypicalFilters();
  // Windows of different sizes need different amounts of a GPU's shared memory in the same kernel.
  for (const int window : { 1, 4 })
  {
    filters.push_back(MakeFilter(MakeParameters(NonLocalMeansWeighting::PatchSum, { 2, window, 2 }, { 1, 1, 1 })));
  }
  properties::ExpectConcurrent(this->GetParam(), filters);
}

TEST_P(NonLocalMeans, Progress)
{
  properties::ExpectProgress(this->GetContext(), TypicalFilters()[0]);
}

TEST_P(NonLocalMeans, Abort)
{
  properties::ExpectAbort(this->GetContext(), TypicalFilters()[0]);
}

TEST_P(NonLocalMeans, InvalidParameters)
{
  const cudaneuro::Grid    grid = MakeGrid({ 5, 4, 3 });
  const std::vector<float> input = NoisyPhantom(grid);
  const auto expectInvalid = [&](const auto & change, const std::string & name, const std::string & value) {
    cudaneuro::NonLocalMeansParameters parameters =
      MakeParameters(NonLocalMeansWeighting::PatchSum, { 1, 1, 1 }, { 1, 1, 1 });
    change(parameters);
    ExpectInvalidParameter(
      [&] { properties::Run(this->GetContext(), MakeFilter(parameters), grid, input); }, name, value);
  };
  expectInvalid([](auto & p) { p.windowRadius = { 0, 1, 1 }; }, "windowRadius[0]", "0");
  expectInvalid([](auto & p) { p.patchRadius = { 1, 1, -1 }; }, "patchRadius[2]", "-1");
  expectInvalid([](auto & p) { p.smoothing = 0.0; }, "smoothing", "0");
  expectInvalid([](auto & p) { p.smoothing = -2.5; }, "smoothing", "-2.5");
  expectInvalid([](auto & p) { p.smoothing = std::numeric_limits<double>::quiet_NaN(); }, "smoothing", "nan");
  const auto setSigma = [](auto & p) {
    p.ricianCorrection = true;
    p.noiseSigma = -4.0;
  };
  expectInvalid(setSigma, "noiseSigma", "-4");
}

CUDANEURO_TEST_ON_ALL_DEVICES(NonLocalMeans);

class NonLocalMeansOnGpu : public DeviceTest
{};

TEST_P(NonLocalMeansOnGpu, MatchesCpu)
{
  for (const auto weighting : { NonLocalMeansWeighting::PatchSum, NonLocalMeansWeighting::PatchDistance })
  {
    properties::ExpectMatchesCpu(
      this->GetContext(), MakeFilter(MakeParameters(weighting, { 3, 3, 3 }, { 2, 2, 2 })), tolerance);
    properties::ExpectMatchesCpu(
      this->GetContext(), MakeFilter(MakeParameters(weighting, { 2, 4, 1 }, { 3, 1, 2 })), tolerance);
  }
}

TEST_P(NonLocalMeansOnGpu, SlabsEqualWhole)
{
  for (const properties::Filter & filter : TypicalFilters())
  {
    properties::ExpectSlabsEqualWhole(this->GetContext(), filter);
  }
}

TEST_P(NonLocalMeansOnGpu, NoTransferOnDevice)
{
  properties::ExpectNoTransferOnDevice(this->GetContext(), TypicalFilters()[0]);
}

TEST_P(NonLocalMeansOnGpu, LargeVolume)
{
  cudaneuro::NonLocalMeansParameters parameters =
    MakeParameters(NonLocalMeansWeighting::PatchSum, { 1, 1, 1 }, { 1, 1, 1 });
  parameters.smoothing = 40.0;
  properties::ExpectLargeVolume(this->GetContext(), MakeFilter(parameters), 2);
}

CUDANEURO_TEST_ON_CUDA(NonLocalMeansOnGpu);

} // namespace
