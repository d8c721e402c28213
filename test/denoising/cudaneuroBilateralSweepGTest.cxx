// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/BilateralSweep.h"

#include "DenoisingProperties.h"
#include "cudaneuro/Bilateral.h"

namespace
{

using namespace testvolumes;

// As for Bilateral: float sums of up to 3375 terms with relative rounding errors of 6e-8 each.
constexpr double tolerance = 1e-6;

cudaneuro::BilateralSweepParameters
MakeParameters(std::vector<int> radii, std::vector<double> domainSigmas, double rangeSigma = 80.0)
{
  cudaneuro::BilateralSweepParameters parameters;
  parameters.radii = std::move(radii);
  parameters.domainSigmas = std::move(domainSigmas);
  parameters.rangeSigma = rangeSigma;
  return parameters;
}

/** Returns the Bilateral parameters of output \p i of a sweep. */
cudaneuro::BilateralParameters
ParametersOfOutput(const cudaneuro::BilateralSweepParameters & sweep, std::size_t i)
{
  const int                      radius = sweep.radii[i / sweep.domainSigmas.size()];
  const double                   sigma = sweep.domainSigmas[i % sweep.domainSigmas.size()];
  cudaneuro::BilateralParameters parameters;
  parameters.radius = { radius, radius, radius };
  parameters.domainSigma = { sigma, sigma, sigma };
  parameters.rangeSigma = sweep.rangeSigma;
  parameters.useImageSpacing = sweep.useImageSpacing;
  return parameters;
}

/** Output \p i of a sweep as a filter. The other outputs go to separate memory in the same memory space. */
properties::Filter
MakeFilter(const cudaneuro::BilateralSweepParameters & parameters, std::size_t i)
{
  return [=](auto & context, const auto & grid, const auto & input, const auto & mask, const auto & output) {
    const std::size_t  count = parameters.radii.size() * parameters.domainSigmas.size();
    const std::size_t  bytes = static_cast<std::size_t>(grid.NumberOfVoxels()) * cudaneuro::PixelSize(output.type);
    cudaneuro::Context host{ cudaneuro::Device{} };
    std::vector<cudaneuro::DeviceMemory> memory;
    std::vector<cudaneuro::Volume>       outputs(count, output);
    for (std::size_t other = 0; other < count; ++other)
    {
      if (other != i)
      {
        memory.push_back((output.space == cudaneuro::MemorySpace::Device ? context : host).Allocate(bytes));
        outputs[other].data = memory.back().Data();
      }
    }
    cudaneuro::BilateralSweep(context, parameters, grid, input, mask, outputs);
  };
}

/** Computes all outputs at once. */
std::vector<std::vector<float>>
RunSweep(cudaneuro::Context &                        context,
         const cudaneuro::BilateralSweepParameters & parameters,
         const cudaneuro::Grid &                     grid,
         const std::vector<float> &                  input,
         const std::vector<unsigned char> &          mask = {})
{
  std::vector<std::vector<float>> results(parameters.radii.size() * parameters.domainSigmas.size());
  std::vector<cudaneuro::Volume>  outputs;
  for (std::vector<float> & result : results)
  {
    result.resize(input.size(), -12345.0f);
    outputs.push_back(View(result));
  }
  cudaneuro::BilateralSweep(context, parameters, grid, ConstView(input), ConstView(mask), outputs);
  return results;
}

/** Tests output 3, which has the larger radius and the second sigma. */
constexpr std::size_t typicalOutput = 3;

cudaneuro::BilateralSweepParameters
TypicalParameters()
{
  return MakeParameters({ 1, 2 }, { 0.8, 1.7 });
}

properties::Filter
TypicalFilter()
{
  return MakeFilter(TypicalParameters(), typicalOutput);
}

/** Compares every output on all test volumes. */
void
ExpectReference(cudaneuro::Context & context, const cudaneuro::BilateralSweepParameters & parameters)
{
  for (std::size_t i = 0; i < parameters.radii.size() * parameters.domainSigmas.size(); ++i)
  {
    SCOPED_TRACE("output " + std::to_string(i));
    properties::ExpectMatchesReference(
      context,
      MakeFilter(parameters, i),
      [&](const reference::Image & image) { return reference::Bilateral(ParametersOfOutput(parameters, i), image); },
      tolerance);
  }
}

/** Compares every output on one volume. */
void
ExpectReference(cudaneuro::Context &                        context,
                const cudaneuro::BilateralSweepParameters & parameters,
                const cudaneuro::Grid &                     grid)
{
  std::vector<float> input = NoisyPhantom(grid);
  SprinkleNotFinite(input, 97);
  const std::vector<unsigned char> mask = BallMask(grid);
  const auto                       results = RunSweep(context, parameters, grid, input, mask);
  for (std::size_t i = 0; i < results.size(); ++i)
  {
    const auto expected = reference::Bilateral(ParametersOfOutput(parameters, i), ToReference(grid, input, mask));
    EXPECT_LE(properties::LargestDifference(results[i], expected), tolerance * properties::dataRange) << "output " << i;
  }
}

class BilateralSweep : public DeviceTest
{};

TEST_P(BilateralSweep, MatchesReference)
{
  ExpectReference(this->GetContext(), MakeParameters({ 1, 3 }, { 2.0, 0.6 }));
}

TEST_P(BilateralSweep, MatchesReferenceInVoxelUnits)
{
  cudaneuro::BilateralSweepParameters parameters = MakeParameters({ 2 }, { 1.3 });
  parameters.useImageSpacing = false;
  ExpectReference(this->GetContext(), parameters);
}

TEST_P(BilateralSweep, MatchesReferenceForListsOfRadii)
{
  const cudaneuro::Grid               grid = MakeGrid({ 17, 12, 9 }, { 1.0, 1.0, 1.0 });
  const std::vector<std::vector<int>> lists = {
    { 1, 2, 3, 4, 5, 6, 7 }, { 1, 2, 3, 5, 7 }, { 7 }, { 4, 6 }, { 3, 5 }, { 1, 6 }, { 2, 7 }
  };
  for (const std::vector<int> & radii : lists)
  {
    SCOPED_TRACE(::testing::PrintToString(radii));
    ExpectReference(this->GetContext(), MakeParameters(radii, { 2.5 }, 120.0), grid);
  }
}

TEST_P(BilateralSweep, MatchesReferenceForAnisotropicSpacing)
{
  const cudaneuro::BilateralSweepParameters parameters = MakeParameters({ 2, 5, 7 }, { 3.0, 0.25, 16.0 }, 200.0);
  ExpectReference(this->GetContext(), parameters, MakeGrid({ 11, 9, 16 }, { 0.9, 1.3, 1.1 }));
  ExpectReference(this->GetContext(), parameters, MakeGrid({ 10, 17, 8 }, { 1.2, 1.0, 1.0 }));
}

TEST_P(BilateralSweep, MatchesReferenceForManySigmas)
{
  std::vector<double> sigmas;
  for (int i = 0; i < 19; ++i)
  {
    sigmas.push_back(i % 2 == 0 ? 0.3 + 0.2 * i : 5.0 / i);
  }
  ExpectReference(this->GetContext(), MakeParameters({ 1, 2 }, sigmas), MakeGrid({ 11, 13, 7 }));
}

TEST_P(BilateralSweep, MatchesReferenceForExtremeSigmas)
{
  for (const double rangeSigma : { 1e-3, 80.0, 1e30 })
  {
    ExpectReference(
      this->GetContext(), MakeParameters({ 2, 3 }, { 0.01, 1e6 }, rangeSigma), MakeGrid({ 12, 10, 9 }, { 1, 2, 1 }));
  }
}

/** Rows of whole quads, and sizes that need different block shapes. */
TEST_P(BilateralSweep, MatchesReferenceForManyShapes)
{
  const std::array<std::int64_t, 3> shapes[] = { { 16, 9, 10 }, { 8, 2, 70 }, { 12, 71, 3 }, { 4, 1, 75 },
                                                 { 20, 77, 1 }, { 1, 1, 9 },  { 5, 4, 4 },   { 3, 70, 2 } };
  for (const auto & shape : shapes)
  {
    SCOPED_TRACE(::testing::PrintToString(shape));
    ExpectReference(this->GetContext(), MakeParameters({ 2, 4 }, { 1.5 }), MakeGrid(shape));
  }
}

TEST_P(BilateralSweep, MatchesBilateral)
{
  const cudaneuro::Grid                     grid = MakeGrid({ 41, 39, 19 }, { 1.0, 1.0, 1.2 });
  const std::vector<float>                  input = NoisyPhantom(grid);
  const cudaneuro::BilateralSweepParameters parameters =
    MakeParameters({ 1, 2, 3, 5, 7 }, { 0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 8.0, 16.0 });
  const auto results = RunSweep(this->GetContext(), parameters, grid, input);
  for (std::size_t i = 0; i < results.size(); ++i)
  {
    std::vector<float> single(input.size());
    cudaneuro::Bilateral(
      this->GetContext(), ParametersOfOutput(parameters, i), grid, ConstView(input), {}, View(single));
    EXPECT_LE(properties::LargestDifference(results[i], { single.begin(), single.end() }),
              2.0 * tolerance * properties::dataRange)
      << "output " << i;
  }
}

TEST_P(BilateralSweep, ConstantIsFixedPoint)
{
  // The value is scaled and scaled back, which rounds.
  properties::ExpectConstantIsFixedPoint(this->GetContext(), TypicalFilter(), 2e-6);
}

TEST_P(BilateralSweep, NoPartTaken)
{
  properties::ExpectNoPartTaken(this->GetContext(), TypicalFilter());
}

TEST_P(BilateralSweep, HugeVoxelsAndFarFromZero)
{
  const cudaneuro::BilateralSweepParameters parameters = TypicalParameters();
  const properties::Filter                  filter = MakeFilter(parameters, typicalOutput);
  const properties::ReferenceFilter         referenceFilter = [&](const reference::Image & image) {
    return reference::Bilateral(ParametersOfOutput(parameters, typicalOutput), image);
  };
  properties::ExpectHugeVoxelsInsideCount(this->GetContext(), filter, referenceFilter, tolerance);
  properties::ExpectHugeVoxelOutsideMaskChangesNothing(this->GetContext(), filter);
  properties::ExpectExactFarFromZero(
    this->GetContext(), filter, referenceFilter, this->GetParam().IsCuda() ? 60.0f : 100.0f);
}

TEST_P(BilateralSweep, AllPixelTypes)
{
  properties::ExpectAllPixelTypes(this->GetContext(), TypicalFilter());
}

/** Outputs of different types in one call. */
TEST_P(BilateralSweep, MixedPixelTypes)
{
  const cudaneuro::Grid                     grid = MakeGrid({ 19, 14, 21 });
  const std::vector<float>                  input = NoisyPhantom(grid);
  const cudaneuro::BilateralSweepParameters parameters = TypicalParameters();
  const auto                                expected = RunSweep(this->GetContext(), parameters, grid, input);
  std::vector<float>                        floats(input.size());
  std::vector<short>                        shorts(input.size());
  std::vector<double>                       doubles(input.size());
  std::vector<unsigned short>               unsignedShorts(input.size());
  cudaneuro::BilateralSweep(this->GetContext(),
                            parameters,
                            grid,
                            ConstView(input),
                            {},
                            { View(shorts), View(floats), View(doubles), View(unsignedShorts) });
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    ASSERT_EQ(shorts[i], std::nearbyint(expected[0][i]));
    ASSERT_EQ(floats[i], expected[1][i]);
    ASSERT_EQ(doubles[i], expected[2][i]);
    ASSERT_EQ(unsignedShorts[i], std::nearbyint(expected[3][i]));
  }
}

TEST_P(BilateralSweep, Repeatable)
{
  properties::ExpectRepeatable(this->GetContext(), TypicalFilter());
}

TEST_P(BilateralSweep, Concurrent)
{
  properties::ExpectConcurrent(this->GetParam(), { TypicalFilter() });
}

TEST_P(BilateralSweep, Progress)
{
  properties::ExpectProgress(this->GetContext(), TypicalFilter());
}

TEST_P(BilateralSweep, Abort)
{
  properties::ExpectAbort(this->GetContext(), TypicalFilter());
}

TEST_P(BilateralSweep, InvalidParameters)
{
  const cudaneuro::Grid    grid = MakeGrid({ 5, 4, 3 });
  const std::vector<float> input = NoisyPhantom(grid);
  const auto expectInvalid = [&](const auto & change, const std::string & name, const std::string & value) {
    cudaneuro::BilateralSweepParameters parameters = TypicalParameters();
    change(parameters);
    ExpectInvalidParameter([&] { RunSweep(this->GetContext(), parameters, grid, input); }, name, value);
  };
  expectInvalid([](auto & p) { p.radii = { 1, 3, 3 }; }, "Radii[2]", "3");
  expectInvalid([](auto & p) { p.radii.clear(); }, "the number of Radii", "0");
  expectInvalid([](auto & p) { p.domainSigmas.clear(); }, "the number of DomainSigmas", "0");

  std::vector<float> output(input.size());
  const auto         run = [&](const std::vector<cudaneuro::Volume> & outputs) {
    cudaneuro::BilateralSweep(this->GetContext(), TypicalParameters(), grid, ConstView(input), {}, outputs);
  };
  ExpectInvalidParameter([&] { run({ View(output) }); }, "the number of outputs", "1");
  ExpectInvalidParameter([&] { run({ View(output), View(output), {}, View(output) }); }, "outputs[2]", "absent");
}

CUDANEURO_TEST_ON_ALL_DEVICES(BilateralSweep);

class BilateralSweepOnGpu : public DeviceTest
{};

TEST_P(BilateralSweepOnGpu, MatchesCpu)
{
  properties::ExpectMatchesCpu(this->GetContext(), TypicalFilter(), tolerance);
  properties::ExpectMatchesCpu(
    this->GetContext(), MakeFilter(MakeParameters({ 1, 2, 3, 5, 7 }, { 2.0, 8.0 }, 200.0), 9), tolerance);
}

TEST_P(BilateralSweepOnGpu, SlabsEqualWhole)
{
  properties::ExpectSlabsEqualWhole(this->GetContext(), TypicalFilter());
}

TEST_P(BilateralSweepOnGpu, NoTransferOnDevice)
{
  properties::ExpectNoTransferOnDevice(this->GetContext(), TypicalFilter());
}

TEST_P(BilateralSweepOnGpu, LargeVolume)
{
  properties::ExpectLargeVolume(this->GetContext(), MakeFilter(MakeParameters({ 1 }, { 1.3 }, 40.0), 0), 1);
}

CUDANEURO_TEST_ON_CUDA(BilateralSweepOnGpu);

} // namespace
