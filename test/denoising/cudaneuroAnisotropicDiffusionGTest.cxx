// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ForEachVoxel.h"
#include "cudaneuro/AnisotropicDiffusion.h"

#include "DenoisingProperties.h"

#include <cmath>
#include <limits>
#include <random>

namespace
{

using namespace testvolumes;
using cudaneuro::DiffusionConductance;
using cudaneuro::DiffusionStencil;

// Each step adds rounding errors of about 1e-7 of the value. Later steps spread them but do not amplify them.
constexpr double tolerance = 1e-6;

constexpr DiffusionStencil stencils[] = { DiffusionStencil::PeronaMalik6,
                                          DiffusionStencil::Gerig26,
                                          DiffusionStencil::Weickert26,
                                          DiffusionStencil::GeometricMean26 };

constexpr DiffusionConductance conductances[] = { DiffusionConductance::PeronaMalikExponential,
                                                  DiffusionConductance::PeronaMalikRational,
                                                  DiffusionConductance::Charbonnier,
                                                  DiffusionConductance::TukeyBiweight };

cudaneuro::AnisotropicDiffusionParameters
MakeParameters(DiffusionStencil stencil, DiffusionConductance conductance, int numberOfIterations = 5)
{
  cudaneuro::AnisotropicDiffusionParameters parameters;
  parameters.stencil = stencil;
  parameters.conductance = conductance;
  parameters.numberOfIterations = numberOfIterations;
  parameters.timeStep = 1.0 / 64.0;
  parameters.kappa = 70.0;
  return parameters;
}

properties::Filter
MakeFilter(const cudaneuro::AnisotropicDiffusionParameters & parameters)
{
  return [=](auto & context, const auto & grid, const auto & input, const auto & mask, const auto & output) {
    cudaneuro::AnisotropicDiffusion(context, parameters, grid, input, mask, output);
  };
}

properties::Filter
TypicalFilter(DiffusionStencil stencil = DiffusionStencil::GeometricMean26)
{
  return MakeFilter(MakeParameters(stencil, DiffusionConductance::PeronaMalikRational));
}

class AnisotropicDiffusion : public DeviceTest
{};

TEST_P(AnisotropicDiffusion, MatchesReference)
{
  for (const DiffusionStencil stencil : stencils)
  {
    for (const DiffusionConductance conductance : conductances)
    {
      SCOPED_TRACE(::testing::Message() << stencil << ", " << conductance);
      const cudaneuro::AnisotropicDiffusionParameters parameters = MakeParameters(stencil, conductance);
      properties::ExpectMatchesReference(
        this->GetContext(),
        MakeFilter(parameters),
        [&](const reference::Image & image) { return reference::AnisotropicDiffusion(parameters, image); },
        tolerance);
    }
  }
}

TEST_P(AnisotropicDiffusion, MatchesReferenceInVoxelUnits)
{
  for (const DiffusionStencil stencil : stencils)
  {
    SCOPED_TRACE(::testing::Message() << stencil);
    cudaneuro::AnisotropicDiffusionParameters parameters =
      MakeParameters(stencil, DiffusionConductance::PeronaMalikRational, 20);
    parameters.useImageSpacing = false;
    parameters.timeStep = 1.0 / 32.0;
    properties::ExpectMatchesReference(
      this->GetContext(),
      MakeFilter(parameters),
      [&](const reference::Image & image) { return reference::AnisotropicDiffusion(parameters, image); },
      tolerance);
  }
}

TEST_P(AnisotropicDiffusion, OneIterationMatchesReference)
{
  const cudaneuro::AnisotropicDiffusionParameters parameters =
    MakeParameters(DiffusionStencil::Weickert26, DiffusionConductance::PeronaMalikRational, 1);
  properties::ExpectMatchesReference(
    this->GetContext(),
    MakeFilter(parameters),
    [&](const reference::Image & image) { return reference::AnisotropicDiffusion(parameters, image); },
    tolerance);
}

TEST_P(AnisotropicDiffusion, ExtremeKappaMatchesReference)
{
  for (const double kappa : { 1e-30, 1e-5, 1e30 })
  {
    SCOPED_TRACE(kappa);
    cudaneuro::AnisotropicDiffusionParameters parameters =
      MakeParameters(DiffusionStencil::Gerig26, DiffusionConductance::PeronaMalikRational);
    parameters.kappa = kappa;
    properties::ExpectMatchesReference(
      this->GetContext(),
      MakeFilter(parameters),
      [&](const reference::Image & image) { return reference::AnisotropicDiffusion(parameters, image); },
      tolerance);
  }
}

TEST_P(AnisotropicDiffusion, SumIsConserved)
{
  const cudaneuro::Grid            grid = MakeGrid({ 33, 31, 29 }, { 1.0, 1.2, 0.9 });
  const std::vector<unsigned char> mask = BallMask(grid);
  const std::vector<float>         input = NoisyPhantom(grid);
  for (const DiffusionStencil stencil : stencils)
  {
    const std::vector<float> result =
      properties::Run(this->GetContext(),
                      MakeFilter(MakeParameters(stencil, DiffusionConductance::PeronaMalikRational, 20)),
                      grid,
                      input,
                      mask);
    double before = 0.0;
    double after = 0.0;
    double movement = 0.0;
    for (std::size_t i = 0; i < input.size(); ++i)
    {
      before += mask[i] != 0 ? input[i] : 0.0;
      after += mask[i] != 0 ? result[i] : 0.0;
      movement += std::abs(result[i] - input[i]);
    }
    // Each edge adds to one end what it subtracts from the other, so that only rounding errors of random sign remain.
    EXPECT_NEAR(after, before, 1e-7 * before) << stencil;
    EXPECT_GT(movement, 1e-3 * before) << stencil << ": nothing moved";
  }
}

TEST_P(AnisotropicDiffusion, ConstantIsFixedPoint)
{
  for (const DiffusionStencil stencil : stencils)
  {
    // Steps compute with differences from the only intensity, which are 0.
    properties::ExpectConstantIsFixedPoint(this->GetContext(), TypicalFilter(stencil), 0.0);
  }
}

TEST_P(AnisotropicDiffusion, NoPartTaken)
{
  for (const DiffusionStencil stencil : stencils)
  {
    properties::ExpectNoPartTaken(this->GetContext(), TypicalFilter(stencil));
  }
}

TEST_P(AnisotropicDiffusion, AllPixelTypes)
{
  properties::ExpectAllPixelTypes(this->GetContext(), TypicalFilter());
}

TEST_P(AnisotropicDiffusion, Repeatable)
{
  for (const DiffusionStencil stencil : stencils)
  {
    properties::ExpectRepeatable(this->GetContext(), TypicalFilter(stencil));
  }
}

TEST_P(AnisotropicDiffusion, Concurrent)
{
  properties::ExpectConcurrent(this->GetParam(), { TypicalFilter() });
}

TEST_P(AnisotropicDiffusion, Progress)
{
  properties::ExpectProgress(this->GetContext(), TypicalFilter());
}

TEST_P(AnisotropicDiffusion, Abort)
{
  properties::ExpectAbort(this->GetContext(), TypicalFilter());
}

/** A shape of one intensity in another, with noise, denoised with the defaults and the kappa that the program derives:
 * 0.3 sqrt(3 * 7/8) times the noise. */
template <typename TIsInside>
void
ExpectKeepsEdges(cudaneuro::Context & context, double intensity, double background, const TIsInside & isInside)
{
  const cudaneuro::Grid grid = MakeGrid({ 40, 40, 40 });
  const double          noise = 12.0;
  const auto            truthAt = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const bool valid = x >= 0 && x < 40 && y >= 0 && y < 40 && z >= 0 && z < 40;
    return valid && isInside(x - 20, y - 20, z - 20) ? intensity : background;
  };
  std::mt19937                    random(1);
  std::normal_distribution<float> normal(0.0F, static_cast<float>(noise));
  std::vector<float>              input;
  ForEachVoxel(std::array<std::int64_t, 3>{ 40, 40, 40 }, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    input.push_back(static_cast<float>(truthAt(x, y, z)) + normal(random));
  });
  cudaneuro::AnisotropicDiffusionParameters parameters;
  parameters.kappa = 0.3 * std::sqrt(3.0 * 0.875) * noise;
  const std::vector<float> output = properties::Run(context, MakeFilter(parameters), grid, input);

  double before = 0.0;
  double after = 0.0;
  double largest = 0.0;
  for (std::int64_t z = 1; z < 39; ++z)
  {
    for (std::int64_t y = 1; y < 39; ++y)
    {
      for (std::int64_t x = 1; x < 39; ++x)
      {
        const double truth = truthAt(x, y, z);
        bool         isRim = false;
        for (int n = 0; n < 27; ++n)
        {
          isRim = isRim || truthAt(x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1) != truth;
        }
        const std::size_t i = x + 40 * (y + 40 * z);
        before += isRim ? (input[i] - truth) * (input[i] - truth) : 0.0;
        after += isRim ? (output[i] - truth) * (output[i] - truth) : 0.0;
        largest = isRim ? std::max(largest, std::abs(output[i] - truth)) : largest;
      }
    }
  }
  EXPECT_LE(after, before) << "what flows across the edge is less than the noise that is removed";
  EXPECT_LE(largest, 5.0 * noise) << "noise alone reaches 4.5 times its standard deviation in so many voxels";
}

TEST_P(AnisotropicDiffusion, KeepsStrongEdges)
{
  ExpectKeepsEdges(
    this->GetContext(), 40.0, -1000.0, [](auto x, auto y, auto z) { return x * x + y * y + z * z <= 225; });
  ExpectKeepsEdges(this->GetContext(), 40.0, -1000.0, [](auto x, auto y, auto) { return 2 * x + y > 0; });
  ExpectKeepsEdges(this->GetContext(), 1000.0, 0.0, [](auto x, auto y, auto) { return x == -1 && y == 2; });
  ExpectKeepsEdges(this->GetContext(), 1000.0, 0.0, [](auto x, auto, auto) { return x == 2; });
}

CUDANEURO_TEST_ON_ALL_DEVICES(AnisotropicDiffusion);

TEST(StableTimeStep, IsOneOverTheSumOfInverseLengths)
{
  const double root2 = std::sqrt(2.0);
  const double root3 = std::sqrt(3.0);
  // Lengths are float, with 7 digits.
  const double digits = 1e-6;
  EXPECT_NEAR(StableTimeStep(DiffusionStencil::PeronaMalik6, MakeGrid({ 9, 9, 9 }), true), 1.0 / 6.0, digits / 6.0);
  EXPECT_NEAR(StableTimeStep(DiffusionStencil::PeronaMalik6, MakeGrid({ 9, 9, 1 }), true), 1.0 / 4.0, digits);
  EXPECT_NEAR(StableTimeStep(DiffusionStencil::Weickert26, MakeGrid({ 9, 9, 9 }), true),
              1.0 / (6.0 + 12.0 / root2 + 8.0 / root3),
              digits);
  EXPECT_NEAR(
    StableTimeStep(DiffusionStencil::Gerig26, MakeGrid({ 9, 1, 9 }), true), 1.0 / (4.0 + 4.0 / root2), digits);
  const cudaneuro::Grid anisotropic = MakeGrid({ 9, 9, 9 }, { 0.5, 1.0, 2.0 });
  EXPECT_NEAR(StableTimeStep(DiffusionStencil::PeronaMalik6, anisotropic, true), 1.0 / (4.0 + 2.0 + 1.0), digits);
  EXPECT_NEAR(StableTimeStep(DiffusionStencil::PeronaMalik6, anisotropic, false), 1.0 / 6.0, digits);
  EXPECT_EQ(StableTimeStep(DiffusionStencil::Gerig26, MakeGrid({ 1, 1, 1 }), true),
            std::numeric_limits<double>::infinity());
}

TEST(ConductanceNoise, IsThatOfSampledNoise)
{
  // Sums over the axes of the squares of differences of independent noise of standard deviation 1, averaged. Their
  // relative standard deviation is below 2, so that a million samples are within 0.6 % of the expectation (three
  // standard errors).
  const auto sample = [](auto squaredArgument) {
    std::mt19937               random(1);
    std::normal_distribution<> noise;
    constexpr int              numberOfSamples = 1000000;
    double                     sum = 0.0;
    for (int i = 0; i < numberOfSamples; ++i)
    {
      sum += squaredArgument([&] { return noise(random); });
    }
    return std::sqrt(sum / numberOfSamples);
  };
  const double tolerance = 0.006;
  const auto   grid = MakeGrid({ 9, 1, 9 }, { 0.5, 1.0, 2.0 });
  const auto   gradients = [](double share, std::initializer_list<double> spacings) {
    return [=](auto noise) {
      double       sum = 0.0;
      const double center = noise();
      for (const double spacing : spacings)
      {
        const double before = noise();
        const double after = noise();
        const double first = (after - before) / (2.0 * spacing);
        const double second = share * (after - 2.0 * center + before) / (4.0 * spacing);
        sum += first * first + second * second;
      }
      return sum;
    };
  };
  const auto expect = [&](DiffusionStencil stencil, bool useImageSpacing, double expected) {
    EXPECT_NEAR(cudaneuro::ConductanceNoise(stencil, grid, useImageSpacing), expected, tolerance * expected);
  };
  const double difference = sample([](auto noise) {
    const double one = noise() - noise();
    return one * one;
  });
  expect(DiffusionStencil::PeronaMalik6, true, difference);
  expect(DiffusionStencil::Gerig26, true, difference);
  expect(DiffusionStencil::Weickert26, true, sample(gradients(0.0, { 0.5, 2.0 })));
  expect(DiffusionStencil::Weickert26, false, sample(gradients(0.0, { 1.0, 1.0 })));
  expect(DiffusionStencil::GeometricMean26, true, sample(gradients(1.0, { 0.5, 2.0 })));
  expect(DiffusionStencil::GeometricMean26, false, sample(gradients(1.0, { 1.0, 1.0 })));
}

class AnisotropicDiffusionOnGpu : public DeviceTest
{};

TEST_P(AnisotropicDiffusionOnGpu, MatchesCpu)
{
  for (const DiffusionStencil stencil : stencils)
  {
    for (const DiffusionConductance conductance : conductances)
    {
      SCOPED_TRACE(::testing::Message() << stencil << ", " << conductance);
      // The root of Tukey's conductance has a kink at its end, which amplifies what rounding made of the steps before.
      const bool hasKink =
        stencil == DiffusionStencil::GeometricMean26 && conductance == DiffusionConductance::TukeyBiweight;
      properties::ExpectMatchesCpu(this->GetContext(),
                                   MakeFilter(MakeParameters(stencil, conductance, 20)),
                                   hasKink ? 5.0 * tolerance : tolerance);
    }
  }
}

/** Threads compute 4 voxels of a row, in tiles of 32 and 64, and rows may end at each of the 4. */
TEST_P(AnisotropicDiffusionOnGpu, MatchesCpuInRowsOfAnyLength)
{
  cudaneuro::Context cpu{ cudaneuro::Device{} };
  for (const DiffusionStencil stencil : stencils)
  {
    const properties::Filter filter = TypicalFilter(stencil);
    for (const std::int64_t columns : { 2, 3, 5, 6, 7, 31, 33, 34, 35, 61, 62, 63, 64, 65, 66, 67, 68, 127, 130 })
    {
      const cudaneuro::Grid    grid = MakeGrid({ columns, 19, 7 }, { 1.0, 0.8, 1.7 });
      const std::vector<float> input = NoisyPhantom(grid);
      const std::vector<float> expected = properties::Run(cpu, filter, grid, input);
      EXPECT_LE(properties::LargestDifference(properties::Run(this->GetContext(), filter, grid, input),
                                              { expected.begin(), expected.end() }),
                tolerance * properties::dataRange)
        << stencil << ", " << columns << " columns";
    }
  }
}

TEST_P(AnisotropicDiffusionOnGpu, SlabsEqualWhole)
{
  for (const DiffusionStencil stencil : stencils)
  {
    properties::ExpectSlabsEqualWhole(this->GetContext(), TypicalFilter(stencil));
  }
}

TEST_P(AnisotropicDiffusionOnGpu, ChunksEqualWhole)
{
  for (const DiffusionStencil stencil : stencils)
  {
    properties::ExpectChunksEqualWhole(this->GetContext(), TypicalFilter(stencil));
  }
}

TEST_P(AnisotropicDiffusionOnGpu, NoTransferOnDevice)
{
  properties::ExpectNoTransferOnDevice(this->GetContext(), TypicalFilter());
}

TEST_P(AnisotropicDiffusionOnGpu, LargeVolume)
{
  const int numberOfIterations = 2;
  properties::ExpectLargeVolume(
    this->GetContext(),
    MakeFilter(
      MakeParameters(DiffusionStencil::Weickert26, DiffusionConductance::PeronaMalikRational, numberOfIterations)),
    2 * numberOfIterations);
}

CUDANEURO_TEST_ON_CUDA(AnisotropicDiffusionOnGpu);

} // namespace
