// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/Bilateral.h"

#include "NoiseMapTest.h"

namespace
{

using namespace testvolumes;

/** What cudaneuro/Bilateral.h documents of numbers, with one more rounded factor in the exponents. */
constexpr double tolerance = 1e-5;

/** \param rangeSigma in multiples of the noise */
cudaneuro::BilateralParameters
MakeParameters(std::array<int, 3> radius, double rangeSigma)
{
  cudaneuro::BilateralParameters parameters;
  parameters.radius = radius;
  parameters.rangeSigma = rangeSigma;
  parameters.domainSigma = { 1.5, 2.0, 1.8 };
  return parameters;
}

noisemaps::Filter
MakeMapFilter(const cudaneuro::BilateralParameters & parameters)
{
  return [=](auto & context, auto & grid, auto & input, auto & mask, auto & noise, auto & output) {
    return cudaneuro::BilateralWithNoiseMap(context, parameters, grid, input, mask, noise, output);
  };
}

properties::Filter
MakeFilter(const cudaneuro::BilateralParameters & parameters)
{
  return noisemaps::WithNoiseThatVaries(MakeMapFilter(parameters));
}

cudaneuro::BilateralParameters
TypicalParameters()
{
  return MakeParameters({ 2, 2, 2 }, 3.0);
}

/** Radii of every kernel, along x from 1 to 7, and of the kernel for all others. */
std::vector<cudaneuro::BilateralParameters>
AllParameters()
{
  std::vector<cudaneuro::BilateralParameters> all;
  for (int radius = 1; radius <= 8; ++radius)
  {
    all.push_back(MakeParameters({ radius, radius % 3 + 1, 1 }, 2.0));
  }
  all.push_back(MakeParameters({ 1, 2, 5 }, 3.0));
  all.push_back(TypicalParameters());
  return all;
}

properties::ReferenceFilter
MakeReference(const cudaneuro::BilateralParameters & parameters)
{
  return [=](const reference::Image & image) {
    const std::vector<float> noise = NoiseThatVaries(image.grid);
    return reference::BilateralWithNoiseMap(parameters, image, { noise.begin(), noise.end() });
  };
}

class BilateralNoiseMap : public DeviceTest
{};

TEST_P(BilateralNoiseMap, MatchesReference)
{
  for (const cudaneuro::BilateralParameters & parameters : AllParameters())
  {
    SCOPED_TRACE(parameters.radius[0]);
    properties::ExpectMatchesReference(
      this->GetContext(), MakeFilter(parameters), MakeReference(parameters), tolerance);
  }
}

TEST_P(BilateralNoiseMap, OneValueIsThatNumber)
{
  for (const cudaneuro::BilateralParameters & parameters : AllParameters())
  {
    SCOPED_TRACE(parameters.radius[0]);
    noisemaps::ExpectOneValueIsThatNumber(this->GetContext(), MakeMapFilter(parameters), [&](double number) {
      cudaneuro::BilateralParameters ofNumber = parameters;
      ofNumber.rangeSigma *= number;
      return [=](auto & context, auto & grid, auto & input, auto & mask, auto & output) {
        cudaneuro::Bilateral(context, ofNumber, grid, input, mask, output);
      };
    });
  }
}

TEST_P(BilateralNoiseMap, ZerosTakeNoPart)
{
  noisemaps::ExpectZerosTakeNoPart(this->GetContext(), MakeMapFilter(TypicalParameters()), tolerance);
}

TEST_P(BilateralNoiseMap, CountsInsideTheMaskAlone)
{
  noisemaps::ExpectMapCountsInMaskAlone(this->GetContext(), MakeMapFilter(TypicalParameters()));
}

TEST_P(BilateralNoiseMap, ScalesWithTheImage)
{
  noisemaps::ExpectScales(this->GetContext(), MakeMapFilter(TypicalParameters()), tolerance);
}

TEST_P(BilateralNoiseMap, TinyNoiseKeepsTheVoxel)
{
  noisemaps::ExpectTinyNoiseKeepsTheVoxel(this->GetContext(), MakeMapFilter(TypicalParameters()));
}

TEST_P(BilateralNoiseMap, RefusesBadMaps)
{
  noisemaps::ExpectRefusals(this->GetContext(),
                            MakeMapFilter(TypicalParameters()),
                            MakeMapFilter(MakeParameters({ 1, 1, 1 }, 1e30)),
                            "RangeSigma");
}

TEST_P(BilateralNoiseMap, KeepsTheProperties)
{
  const properties::Filter filter = MakeFilter(TypicalParameters());
  // Weighted means round as those of numbers do.
  properties::ExpectConstantIsFixedPoint(this->GetContext(), filter, 2e-6);
  properties::ExpectNoPartTaken(this->GetContext(), filter);
  properties::ExpectAllPixelTypes(this->GetContext(), filter);
  properties::ExpectRepeatable(this->GetContext(), filter);
}

TEST_P(BilateralNoiseMap, ExtremeIntensities)
{
  for (const double rangeSigma : { 3.0, 0.05 })
  {
    const auto parameters = MakeParameters({ 2, 2, 2 }, rangeSigma);
    properties::ExpectHugeVoxelsInsideCount(
      this->GetContext(), MakeFilter(parameters), MakeReference(parameters), tolerance);
    properties::ExpectHugeVoxelOutsideMaskChangesNothing(this->GetContext(), MakeFilter(parameters));
  }
  // The GPU subtracts no reference, and float resolves less far from 0; see cudaneuroBilateralGTest.cxx.
  const float farthest = this->GetContext().GetDevice().IsCuda() ? 60.0f : 100.0f;
  properties::ExpectExactFarFromZero(
    this->GetContext(), MakeFilter(TypicalParameters()), MakeReference(TypicalParameters()), farthest);
}

TEST_P(BilateralNoiseMap, Progress)
{
  properties::ExpectProgress(this->GetContext(), MakeFilter(TypicalParameters()));
}

TEST_P(BilateralNoiseMap, Abort)
{
  properties::ExpectAbort(this->GetContext(), MakeFilter(TypicalParameters()));
}

CUDANEURO_TEST_ON_ALL_DEVICES(BilateralNoiseMap);

class BilateralNoiseMapOnGpu : public DeviceTest
{};

TEST_P(BilateralNoiseMapOnGpu, MatchesCpu)
{
  properties::ExpectMatchesCpu(this->GetContext(), MakeFilter(TypicalParameters()), tolerance);
  properties::ExpectMatchesCpu(this->GetContext(), MakeFilter(MakeParameters({ 5, 4, 3 }, 5.0)), tolerance);
}

TEST_P(BilateralNoiseMapOnGpu, SlabsEqualWhole)
{
  properties::ExpectSlabsEqualWhole(this->GetContext(), MakeFilter(TypicalParameters()));
}

TEST_P(BilateralNoiseMapOnGpu, MapsInDeviceMemory)
{
  noisemaps::ExpectMapsInDeviceMemory(this->GetContext(), MakeMapFilter(TypicalParameters()));
}

CUDANEURO_TEST_ON_CUDA(BilateralNoiseMapOnGpu);

} // namespace
