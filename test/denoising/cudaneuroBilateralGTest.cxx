// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/Bilateral.h"

#include "DenoisingProperties.h"

namespace
{

using namespace testvolumes;

// Float sums of up to 5000 terms with relative rounding errors of 6e-8 each, and exponentials accurate to 2e-7.
constexpr double tolerance = 1e-6;

cudaneuro::BilateralParameters
MakeParameters(std::array<int, 3> radius, double rangeSigma)
{
  cudaneuro::BilateralParameters parameters;
  parameters.radius = radius;
  parameters.rangeSigma = rangeSigma;
  parameters.domainSigma = { 1.5, 2.0, 1.8 };
  return parameters;
}

properties::Filter
MakeFilter(const cudaneuro::BilateralParameters & parameters)
{
  return [=](auto & context, const auto & grid, const auto & input, const auto & mask, const auto & output) {
    cudaneuro::Bilateral(context, parameters, grid, input, mask, output);
  };
}

properties::Filter
TypicalFilter()
{
  return MakeFilter(MakeParameters({ 2, 2, 2 }, 80.0));
}

/** Offset of the intensities, in multiples of their range. The GPU filter takes 0.1 ms and subtracts no reference,
 * since finding one would take longer. */
float
FarthestFor(const cudaneuro::Context & context)
{
  return context.GetDevice().IsCuda() ? 60.0f : 100.0f;
}

void
ExpectReference(cudaneuro::Context & context, const cudaneuro::BilateralParameters & parameters)
{
  properties::ExpectMatchesReference(
    context,
    MakeFilter(parameters),
    [&](const reference::Image & image) { return reference::Bilateral(parameters, image); },
    tolerance);
}

class Bilateral : public DeviceTest
{};

TEST_P(Bilateral, MatchesReference)
{
  ExpectReference(this->GetContext(), MakeParameters({ 2, 2, 2 }, 80.0));
}

TEST_P(Bilateral, MatchesReferenceInVoxelUnits)
{
  cudaneuro::BilateralParameters parameters = MakeParameters({ 2, 3, 1 }, 80.0);
  parameters.useImageSpacing = false;
  ExpectReference(this->GetContext(), parameters);
}

TEST_P(Bilateral, MatchesReferenceForEveryRadius)
{
  const cudaneuro::Grid    grid = MakeGrid({ 21, 12, 7 }, { 1.0, 1.1, 0.9 });
  const std::vector<float> input = NoisyPhantom(grid);
  for (int radius = 1; radius <= 8; ++radius)
  {
    cudaneuro::BilateralParameters parameters = MakeParameters({ radius, radius, radius }, 120.0);
    parameters.domainSigma = { 0.5 * radius, 0.6 * radius, 0.7 * radius };
    const std::vector<float> result = properties::Run(this->GetContext(), MakeFilter(parameters), grid, input);
    EXPECT_LE(properties::LargestDifference(result, reference::Bilateral(parameters, ToReference(grid, input))),
              tolerance * properties::dataRange)
      << "radius " << radius;
  }
}

TEST_P(Bilateral, MatchesReferenceForUnequalRadii)
{
  ExpectReference(this->GetContext(), MakeParameters({ 1, 2, 5 }, 80.0));
  ExpectReference(this->GetContext(), MakeParameters({ 9, 1, 2 }, 80.0));
}

TEST_P(Bilateral, MatchesReferenceForExtremeSigmas)
{
  ExpectReference(this->GetContext(), MakeParameters({ 2, 2, 2 }, 1e-3));
  ExpectReference(this->GetContext(), MakeParameters({ 2, 2, 2 }, 1e30));
  cudaneuro::BilateralParameters narrow = MakeParameters({ 2, 2, 2 }, 80.0);
  narrow.domainSigma = { 0.01, 0.3, 1e6 };
  ExpectReference(this->GetContext(), narrow);
}

TEST_P(Bilateral, ConstantIsFixedPoint)
{
  // The value may be scaled, averaged over 125 terms, and scaled back, each of which rounds.
  properties::ExpectConstantIsFixedPoint(this->GetContext(), TypicalFilter(), 2e-6);
}

TEST_P(Bilateral, NoPartTaken)
{
  properties::ExpectNoPartTaken(this->GetContext(), TypicalFilter());
}

TEST_P(Bilateral, HugeVoxels)
{
  for (const double rangeSigma : { 80.0, 0.5 })
  {
    const cudaneuro::BilateralParameters parameters = MakeParameters({ 2, 2, 2 }, rangeSigma);
    properties::ExpectHugeVoxelsInsideCount(
      this->GetContext(),
      MakeFilter(parameters),
      [&](const reference::Image & image) { return reference::Bilateral(parameters, image); },
      tolerance);
    properties::ExpectHugeVoxelOutsideMaskChangesNothing(this->GetContext(), MakeFilter(parameters));
  }
}

TEST_P(Bilateral, FarFromZero)
{
  for (const double rangeSigma : { 80.0, 10.0 })
  {
    const cudaneuro::BilateralParameters parameters = MakeParameters({ 2, 2, 2 }, rangeSigma);
    properties::ExpectExactFarFromZero(
      this->GetContext(),
      MakeFilter(parameters),
      [&](const reference::Image & image) { return reference::Bilateral(parameters, image); },
      FarthestFor(this->GetContext()));
  }
}

TEST_P(Bilateral, AllPixelTypes)
{
  properties::ExpectAllPixelTypes(this->GetContext(), TypicalFilter());
}

TEST_P(Bilateral, Repeatable)
{
  properties::ExpectRepeatable(this->GetContext(), TypicalFilter());
}

TEST_P(Bilateral, Concurrent)
{
  // Radii of different sizes need different amounts of a GPU's shared memory in the same kernel.
  properties::ExpectConcurrent(
    this->GetParam(),
    { TypicalFilter(), MakeFilter(MakeParameters({ 2, 14, 2 }, 80.0)), MakeFilter(MakeParameters({ 2, 9, 2 }, 80.0)) });
}

TEST_P(Bilateral, Progress)
{
  properties::ExpectProgress(this->GetContext(), TypicalFilter());
}

TEST_P(Bilateral, Abort)
{
  properties::ExpectAbort(this->GetContext(), TypicalFilter());
}

CUDANEURO_TEST_ON_ALL_DEVICES(Bilateral);

class BilateralOnGpu : public DeviceTest
{};

TEST_P(BilateralOnGpu, MatchesCpu)
{
  properties::ExpectMatchesCpu(this->GetContext(), TypicalFilter(), tolerance);
  properties::ExpectMatchesCpu(this->GetContext(), MakeFilter(MakeParameters({ 5, 4, 3 }, 200.0)), tolerance);
}

TEST_P(BilateralOnGpu, SlabsEqualWhole)
{
  properties::ExpectSlabsEqualWhole(this->GetContext(), TypicalFilter());
}

TEST_P(BilateralOnGpu, ChunksEqualWhole)
{
  properties::ExpectChunksEqualWhole(this->GetContext(), TypicalFilter());
}

TEST_P(BilateralOnGpu, NoTransferOnDevice)
{
  properties::ExpectNoTransferOnDevice(this->GetContext(), TypicalFilter());
}

TEST_P(BilateralOnGpu, LargeVolume)
{
  properties::ExpectLargeVolume(this->GetContext(), MakeFilter(MakeParameters({ 1, 1, 1 }, 40.0)), 1);
}

CUDANEURO_TEST_ON_CUDA(BilateralOnGpu);

} // namespace
