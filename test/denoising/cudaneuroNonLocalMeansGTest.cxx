// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Nonlocal means: against its definition in double precision, in cases whose result is known, and the properties that
// all filters have.

#include "denoising/DenoisingProperties.h"
#include "denoising/NonLocalMeansTestCases.h"
#include "denoising/ReferenceDenoising.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace
{

using namespace testvolumes;
using namespace nonlocalmeans;

// Float sums of up to 343 weights, each of them a sum of up to 125 terms accurate to 2e-7.
constexpr double tolerance = 1e-6;

double
ToleranceOf(const cudaneuro::Context & context)
{
  return context.GetDevice().IsCuda() ? toleranceOnGpu : tolerance;
}

void
ExpectReference(cudaneuro::Context & context, const cudaneuro::NonLocalMeansParameters & parameters)
{
  properties::ExpectMatchesReference(
    context,
    MakeFilter(parameters),
    [&](const reference::Image & image) { return reference::NonLocalMeans(parameters, image); },
    ToleranceOf(context));
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
  // The smoothing is so small that all weights but the center's are 0: the image is unchanged.
  parameters.smoothingParameter = 1e-3;
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
                ToleranceOf(this->GetContext()) * properties::dataRange)
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
    parameters.noiseStandardDeviation = 30.0;
    const std::vector<float>  result = properties::Run(this->GetContext(), MakeFilter(parameters), grid, input);
    const std::vector<double> expected = reference::NonLocalMeans(parameters, ToReference(grid, input));
    std::size_t               numberOfZeros = 0;
    for (std::size_t i = 0; i < result.size(); ++i)
    {
      // The errors of the square and of its root that cudaneuro/NonLocalMeans.h documents.
      const double share = ToleranceOf(this->GetContext());
      const double errorOfSquare = share * (expected[i] * expected[i] + 2.0 * LargestSquareOfAir(30.0));
      const double allowed = std::min(std::sqrt(errorOfSquare), errorOfSquare / std::max(expected[i], 1e-30));
      EXPECT_NEAR(result[i], expected[i], std::max(allowed, share * properties::dataRange));
      numberOfZeros += expected[i] == 0.0 ? 1 : 0;
    }
    EXPECT_GT(numberOfZeros, 0U) << "the noise is too weak to test the limit at 0";
  }
}

/** Rician noise of sigma 10 around a signal. Where three independent standard errors are subtracted, one voxel of air
 * in 700 stays above 0, and some more as weights differ: with the mean alone it would be four in ten. A signal of 10
 * sigma loses 3 / sqrt(343) sigma^2 / (10 sigma) = 0.16, and its mean has a standard error of 0.08. */
TEST_P(NonLocalMeans, RicianCorrectionFindsAirAndSignal)
{
  const cudaneuro::Grid              grid = MakeGrid({ 28, 26, 24 });
  cudaneuro::NonLocalMeansParameters parameters =
    MakeParameters(NonLocalMeansWeighting::PatchDistance, { 3, 3, 3 }, { 2, 2, 2 });
  parameters.centerWeight = NonLocalMeansCenterWeight::Maximum;
  parameters.smoothingParameter = 7.0;
  parameters.ricianCorrection = true;
  parameters.noiseStandardDeviation = 10.0;
  for (const double signal : { 0.0, 100.0 })
  {
    std::vector<float> input(static_cast<std::size_t>(grid.NumberOfVoxels()));
    for (std::size_t i = 0; i < input.size(); ++i)
    {
      input[i] = static_cast<float>(std::hypot(signal + 10.0 * NormalNoise(1, i), 10.0 * NormalNoise(2, i)));
    }
    const std::vector<float> result = properties::Run(this->GetContext(), MakeFilter(parameters), grid, input);
    const auto               voxels = static_cast<double>(result.size());
    const auto               above = std::count_if(result.begin(), result.end(), [](float r) { return r > 0.0f; });
    EXPECT_LE(static_cast<double>(above), signal > 0.0 ? voxels : 0.02 * voxels);
    EXPECT_NEAR(std::accumulate(result.begin(), result.end(), 0.0) / voxels, signal, signal > 0.0 ? 0.4 : 0.1);
  }
}

/** Air of CT is -1000; the overshoot of an interpolated magnitude image is small and rare. */
TEST_P(NonLocalMeans, RicianCorrectionRefusesManyNegativeVoxels)
{
  const cudaneuro::Grid grid = MakeGrid({ 13, 11, 9 });
  std::vector<float>    input = NoisyPhantom(grid, 0.0);
  for (float & value : input)
  {
    value = std::abs(value) + 1.0f;
  }
  cudaneuro::NonLocalMeansParameters parameters =
    MakeParameters(NonLocalMeansWeighting::PatchDistance, { 1, 1, 1 }, { 1, 1, 1 });
  parameters.noiseStandardDeviation = 10.0;
  const auto run = [&] { properties::Run(this->GetContext(), MakeFilter(parameters), grid, input); };
  parameters.ricianCorrection = true;
  // Deep but few, then many but shallow.
  for (std::size_t i = 0; i < input.size(); i += 30)
  {
    input[i] = -500.0f;
  }
  EXPECT_NO_THROW(run());
  for (std::size_t i = 0; i < input.size(); i += 2)
  {
    input[i] = i % 30 == 0 ? input[i] : -5.0f;
  }
  EXPECT_NO_THROW(run());
  // What is not finite does not count.
  std::fill(input.begin(), input.end(), 40.0f);
  std::fill_n(input.begin(), 400, -1000.0f);
  input.back() = -std::numeric_limits<float>::infinity();
  ExpectInvalidParameter(run, "RicianCorrection", "on, but the input has 400 negative voxels of 1286");
  parameters.ricianCorrection = false;
  EXPECT_NO_THROW(run());
}

TEST_P(NonLocalMeans, ImagesWithoutNoise)
{
  // Equal terms have equal rounding errors, which gives the largest error of a sum of so many terms.
  const cudaneuro::Grid grid = MakeGrid({ 17, 13, 11 });
  std::vector<float>    input = NoisyPhantom(grid, 0.0);
  for (float & value : input)
  {
    value = value < 500.0f ? 20.3f : 851.7f;
  }
  for (const auto weighting : { NonLocalMeansWeighting::PatchSum, NonLocalMeansWeighting::PatchDistance })
  {
    const cudaneuro::NonLocalMeansParameters parameters = MakeParameters(weighting, { 3, 3, 3 }, { 2, 2, 2 });
    const std::vector<float> result = properties::Run(this->GetContext(), MakeFilter(parameters), grid, input);
    EXPECT_LE(properties::LargestDifference(result, reference::NonLocalMeans(parameters, ToReference(grid, input))),
              1e-5 * properties::dataRange);
  }
}

TEST_P(NonLocalMeans, CenterWeightIsContinuousInTheWeights)
{
  // Two voxels whose weight is 2^-d, from d = 0 to where weights are 0 in float: the definition with its floor.
  cudaneuro::NonLocalMeansParameters parameters =
    MakeParameters(NonLocalMeansWeighting::PatchDistance, { 1, 1, 1 }, { 0, 0, 0 });
  parameters.centerWeight = NonLocalMeansCenterWeight::Maximum;
  parameters.smoothingParameter = 10.0;
  for (const double log2Weight : { 0.5, 20.0, 63.0, 64.0, 65.0, 80.0, 125.9, 126.1, 140.0, 200.0 })
  {
    const auto               difference = static_cast<float>(10.0 * std::sqrt(log2Weight * std::log(2.0)));
    const double             weight = std::exp(-std::pow(difference / 10.0, 2));
    const double             center = std::max(weight, std::pow(2.0, -64.0));
    const std::vector<float> result =
      properties::Run(this->GetContext(), MakeFilter(parameters), MakeGrid({ 2, 1, 1 }), { 0.0f, difference });
    // The relative error of the weight's exponent, its logarithm, is 1e-7.
    EXPECT_NEAR(result[0], difference * weight / (weight + center), 1e-5 * difference) << log2Weight;
  }
}

TEST_P(NonLocalMeans, PatchSumCountsThePatchAtTheBorder)
{
  // The intensities are far apart: all weights are 0 but for the corner, whose patch has 2 of 3 voxels, and its equal.
  const cudaneuro::NonLocalMeansParameters parameters =
    MakeParameters(NonLocalMeansWeighting::PatchSum, { 1, 1, 1 }, { 1, 1, 1 });
  const std::vector<float> input{ 0.0f, 1e4f, 1e4f, -3e4f };
  const std::vector<float> result =
    properties::Run(this->GetContext(), MakeFilter(parameters), MakeGrid({ 4, 1, 1 }), input);
  // w(0,0) = 2 voxels; w(0,1) = 1 term, that of 1 and 2. w(1,1) = 3; w(1,0) = w(1,2) = 1.
  EXPECT_NEAR(result[0], 1e4 / 3.0, 1e-2);
  EXPECT_NEAR(result[1], 4e4 / 5.0, 1e-2);
}

TEST_P(NonLocalMeans, HugeVoxels)
{
  for (const cudaneuro::NonLocalMeansParameters & parameters : TypicalParameters())
  {
    const properties::ReferenceFilter referenceFilter = [&](const reference::Image & image) {
      return reference::NonLocalMeans(parameters, image);
    };
    // Under PatchSum, a huge voxel has weight in its whole window, since patches agree elsewhere.
    const std::int64_t reach = parameters.weighting == NonLocalMeansWeighting::PatchSum ? 3 : 0;
    properties::ExpectHugeVoxelsInsideCount(
      this->GetContext(), MakeFilter(parameters), referenceFilter, ToleranceOf(this->GetContext()), reach);
    properties::ExpectHugeVoxelOutsideMaskChangesNothing(this->GetContext(), MakeFilter(parameters));
  }
}

TEST_P(NonLocalMeans, FarFromZero)
{
  for (cudaneuro::NonLocalMeansParameters parameters : TypicalParameters())
  {
    for (const double smoothing : { 60.0, 3.0 })
    {
      parameters.smoothingParameter = smoothing;
      properties::ExpectExactFarFromZero(
        this->GetContext(),
        MakeFilter(parameters),
        [&](const reference::Image & image) { return reference::NonLocalMeans(parameters, image); },
        100.0f,
        parameters.ricianCorrection);
    }
  }
}

TEST_P(NonLocalMeans, ConstantIsFixedPoint)
{
  for (const auto weighting : { NonLocalMeansWeighting::PatchSum, NonLocalMeansWeighting::PatchDistance })
  {
    // The value may be scaled, averaged over 343 terms, and scaled back, each of which rounds.
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

CUDANEURO_TEST_ON_ALL_DEVICES(NonLocalMeans);

} // namespace
