// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/AnisotropicDiffusion.h"

#include "NoiseMapTest.h"

#include <cmath>

namespace
{

using namespace testvolumes;
using cudaneuro::AnisotropicDiffusionParameters;
using cudaneuro::DiffusionConductance;
using cudaneuro::DiffusionStencil;

/** What cudaneuro/AnisotropicDiffusion.h documents. */
constexpr double tolerance = 1e-5;

constexpr DiffusionStencil stencils[] = { DiffusionStencil::PeronaMalik6,
                                          DiffusionStencil::Gerig26,
                                          DiffusionStencil::Weickert26,
                                          DiffusionStencil::GeometricMean26 };

/** With kappa in multiples of the noise. */
AnisotropicDiffusionParameters
MakeParameters(DiffusionStencil     stencil,
               DiffusionConductance conductance = DiffusionConductance::PeronaMalikRational,
               int                  numberOfIterations = 5)
{
  AnisotropicDiffusionParameters parameters;
  parameters.stencil = stencil;
  parameters.conductance = conductance;
  parameters.numberOfIterations = numberOfIterations;
  parameters.timeStep = 1.0 / 64.0;
  parameters.kappa = 2.5;
  return parameters;
}

/** Every stencil with every conductance. */
std::vector<AnisotropicDiffusionParameters>
AllParameters(int numberOfIterations)
{
  std::vector<AnisotropicDiffusionParameters> all;
  for (const DiffusionStencil stencil : stencils)
  {
    for (const DiffusionConductance conductance : { DiffusionConductance::PeronaMalikExponential,
                                                    DiffusionConductance::PeronaMalikRational,
                                                    DiffusionConductance::Charbonnier,
                                                    DiffusionConductance::TukeyBiweight })
    {
      all.push_back(MakeParameters(stencil, conductance, numberOfIterations));
    }
  }
  return all;
}

noisemaps::Filter
MakeMapFilter(const AnisotropicDiffusionParameters & parameters)
{
  return [=](auto & context, auto & grid, auto & input, auto & mask, auto & noise, auto & output) {
    return cudaneuro::AnisotropicDiffusionWithNoiseMap(context, parameters, grid, input, mask, noise, output);
  };
}

properties::Filter
MakeFilter(const AnisotropicDiffusionParameters & parameters)
{
  return noisemaps::WithNoiseThatVaries(MakeMapFilter(parameters));
}

std::vector<double>
ReferenceOf(const AnisotropicDiffusionParameters & parameters, const reference::Image & image)
{
  const std::vector<float> noise = NoiseThatVaries(image.grid);
  return reference::AnisotropicDiffusionWithNoiseMap(parameters, image, { noise.begin(), noise.end() });
}

class DiffusionNoiseMap : public DeviceTest
{};

TEST_P(DiffusionNoiseMap, MatchesReference)
{
  for (const AnisotropicDiffusionParameters & parameters : AllParameters(5))
  {
    SCOPED_TRACE(::testing::Message() << parameters.stencil << ", " << parameters.conductance);
    properties::ExpectMatchesReference(
      this->GetContext(),
      MakeFilter(parameters),
      [&](const reference::Image & image) { return ReferenceOf(parameters, image); },
      tolerance);
  }
}

TEST_P(DiffusionNoiseMap, OneValueIsThatNumber)
{
  for (const AnisotropicDiffusionParameters & parameters : AllParameters(3))
  {
    SCOPED_TRACE(::testing::Message() << parameters.stencil << ", " << parameters.conductance);
    noisemaps::ExpectOneValueIsThatNumber(this->GetContext(), MakeMapFilter(parameters), [&](double number) {
      AnisotropicDiffusionParameters ofNumber = parameters;
      ofNumber.kappa *= number;
      return [=](auto & context, auto & grid, auto & input, auto & mask, auto & output) {
        cudaneuro::AnisotropicDiffusion(context, ofNumber, grid, input, mask, output);
      };
    });
  }
}

/** Both ends of an edge see the same flux, however unlike their noises are: up to a thousand times. */
TEST_P(DiffusionNoiseMap, SumIsConserved)
{
  const cudaneuro::Grid            grid = MakeGrid({ 33, 31, 29 }, { 1.0, 1.2, 0.9 });
  const std::vector<unsigned char> mask = BallMask(grid);
  const std::vector<float>         input = NoisyPhantom(grid);
  std::vector<float>               noise(input.size());
  for (std::size_t i = 0; i < noise.size(); ++i)
  {
    noise[i] = i % 41 == 7 ? 0.0f : static_cast<float>(std::pow(10.0, 3.0 * UniformNoise(3, i)));
  }
  for (const AnisotropicDiffusionParameters & parameters : AllParameters(20))
  {
    SCOPED_TRACE(::testing::Message() << parameters.stencil << ", " << parameters.conductance);
    std::vector<float> result(input.size());
    MakeMapFilter(parameters)(
      this->GetContext(), grid, ConstView(input), ConstView(mask), ConstView(noise), View(result));
    double before = 0.0;
    double after = 0.0;
    double movement = 0.0;
    for (std::size_t i = 0; i < input.size(); ++i)
    {
      const bool takesPart = mask[i] != 0 && noise[i] > 0.0f;
      before += takesPart ? input[i] : 0.0;
      after += takesPart ? result[i] : 0.0;
      movement += std::abs(result[i] - input[i]);
      EXPECT_TRUE(takesPart || result[i] == input[i]) << i;
    }
    // Rounding errors of random sign remain, as without a map.
    EXPECT_NEAR(after, before, 1e-7 * before);
    EXPECT_GT(movement, 1e-3 * before) << "nothing moved";
  }
}

/** Steps of the stable length keep all intensities between the least and the largest, whatever the map. */
TEST_P(DiffusionNoiseMap, StableStepsStayInRange)
{
  const cudaneuro::Grid    grid = MakeGrid({ 21, 19, 17 });
  const std::vector<float> input = NoisyPhantom(grid);
  std::vector<float>       noise(input.size());
  for (std::size_t i = 0; i < noise.size(); ++i)
  {
    noise[i] = static_cast<float>(std::pow(10.0, 4.0 * UniformNoise(4, i)));
  }
  const auto [least, most] = std::minmax_element(input.begin(), input.end());
  for (AnisotropicDiffusionParameters parameters : AllParameters(50))
  {
    SCOPED_TRACE(::testing::Message() << parameters.stencil << ", " << parameters.conductance);
    parameters.timeStep = cudaneuro::StableTimeStep(parameters.stencil, grid, true);
    std::vector<float> result(input.size());
    MakeMapFilter(parameters)(this->GetContext(), grid, ConstView(input), {}, ConstView(noise), View(result));
    const auto [lowest, highest] = std::minmax_element(result.begin(), result.end());
    EXPECT_GE(*lowest, *least - tolerance * properties::dataRange);
    EXPECT_LE(*highest, *most + tolerance * properties::dataRange);
  }
}

TEST_P(DiffusionNoiseMap, ZerosTakeNoPart)
{
  for (const DiffusionStencil stencil : stencils)
  {
    noisemaps::ExpectZerosTakeNoPart(this->GetContext(), MakeMapFilter(MakeParameters(stencil)), tolerance);
  }
}

TEST_P(DiffusionNoiseMap, CountsInsideTheMaskAlone)
{
  for (const DiffusionStencil stencil : stencils)
  {
    noisemaps::ExpectMapCountsInMaskAlone(this->GetContext(), MakeMapFilter(MakeParameters(stencil)));
  }
}

TEST_P(DiffusionNoiseMap, ScalesWithTheImage)
{
  for (const DiffusionStencil stencil : stencils)
  {
    noisemaps::ExpectScales(this->GetContext(), MakeMapFilter(MakeParameters(stencil)), tolerance);
  }
}

/** With the stencils that compare along edges: the others take half of their conductance, or its root, from the other
 * end. */
TEST_P(DiffusionNoiseMap, TinyNoiseKeepsTheVoxel)
{
  for (const DiffusionStencil stencil : { DiffusionStencil::PeronaMalik6, DiffusionStencil::Gerig26 })
  {
    for (const auto conductance : { DiffusionConductance::PeronaMalikExponential, DiffusionConductance::TukeyBiweight })
    {
      noisemaps::ExpectTinyNoiseKeepsTheVoxel(this->GetContext(), MakeMapFilter(MakeParameters(stencil, conductance)));
    }
  }
}

TEST_P(DiffusionNoiseMap, RefusesBadMaps)
{
  AnisotropicDiffusionParameters large = MakeParameters(DiffusionStencil::Gerig26);
  large.kappa = 1e30;
  noisemaps::ExpectRefusals(
    this->GetContext(), MakeMapFilter(MakeParameters(DiffusionStencil::Gerig26)), MakeMapFilter(large), "Kappa");
}

TEST_P(DiffusionNoiseMap, KeepsTheProperties)
{
  for (const DiffusionStencil stencil : stencils)
  {
    SCOPED_TRACE(::testing::Message() << stencil);
    const properties::Filter filter = MakeFilter(MakeParameters(stencil));
    properties::ExpectConstantIsFixedPoint(this->GetContext(), filter, 0.0);
    properties::ExpectNoPartTaken(this->GetContext(), filter);
    properties::ExpectAllPixelTypes(this->GetContext(), filter);
    properties::ExpectRepeatable(this->GetContext(), filter);
  }
}

/** Voxels as large as float has them, and noise that varies by four orders of magnitude, of which 4e37 times the smallest
 * kappa is more than any difference. */
TEST_P(DiffusionNoiseMap, ExtremeIntensities)
{
  const cudaneuro::Grid grid = MakeGrid({ 23, 17, 13 });
  std::vector<float>    input = NoisyPhantom(grid);
  std::vector<float>    noise(input.size());
  for (std::size_t i = 0; i < noise.size(); ++i)
  {
    noise[i] = static_cast<float>(10.0 * std::pow(10.0, 4.0 * UniformNoise(5, i)));
  }
  const std::size_t middle = input.size() / 2;
  input[middle] = std::numeric_limits<float>::max();
  input[middle + 1] = -std::numeric_limits<float>::max();
  input[middle + 23] = 1e20f;
  for (const AnisotropicDiffusionParameters & parameters : AllParameters(3))
  {
    SCOPED_TRACE(::testing::Message() << parameters.stencil << ", " << parameters.conductance);
    std::vector<float> result(input.size());
    MakeMapFilter(parameters)(this->GetContext(), grid, ConstView(input), {}, ConstView(noise), View(result));
    const std::vector<double> expected =
      reference::AnisotropicDiffusionWithNoiseMap(parameters, ToReference(grid, input), { noise.begin(), noise.end() });
    for (std::size_t i = 0; i < result.size(); ++i)
    {
      // The stencils with a field of conductances spread huge values, of which digits are lost where they cancel.
      const bool isFar = std::abs(expected[i]) < 1e6;
      const bool isNearHuge =
        parameters.stencil == DiffusionStencil::Weickert26 || parameters.stencil == DiffusionStencil::GeometricMean26;
      ASSERT_TRUE(std::isfinite(result[i])) << i;
      if (isFar && !isNearHuge)
      {
        ASSERT_NEAR(result[i], expected[i], tolerance * properties::dataRange) << i;
      }
    }
  }
}

TEST_P(DiffusionNoiseMap, Progress)
{
  properties::ExpectProgress(this->GetContext(), MakeFilter(MakeParameters(DiffusionStencil::Gerig26)));
}

TEST_P(DiffusionNoiseMap, Abort)
{
  properties::ExpectAbort(this->GetContext(), MakeFilter(MakeParameters(DiffusionStencil::GeometricMean26)));
}

CUDANEURO_TEST_ON_ALL_DEVICES(DiffusionNoiseMap);

class DiffusionNoiseMapOnGpu : public DeviceTest
{};

TEST_P(DiffusionNoiseMapOnGpu, MatchesCpu)
{
  for (const AnisotropicDiffusionParameters & parameters : AllParameters(20))
  {
    SCOPED_TRACE(::testing::Message() << parameters.stencil << ", " << parameters.conductance);
    properties::ExpectMatchesCpu(this->GetContext(), MakeFilter(parameters), tolerance);
  }
}

TEST_P(DiffusionNoiseMapOnGpu, SlabsEqualWhole)
{
  for (const DiffusionStencil stencil : stencils)
  {
    properties::ExpectSlabsEqualWhole(this->GetContext(), MakeFilter(MakeParameters(stencil)));
  }
}

TEST_P(DiffusionNoiseMapOnGpu, ChunksEqualWhole)
{
  properties::ExpectChunksEqualWhole(this->GetContext(), MakeFilter(MakeParameters(DiffusionStencil::Weickert26)));
}

TEST_P(DiffusionNoiseMapOnGpu, MapsInDeviceMemory)
{
  for (const DiffusionStencil stencil : stencils)
  {
    noisemaps::ExpectMapsInDeviceMemory(this->GetContext(), MakeMapFilter(MakeParameters(stencil)));
  }
}

CUDANEURO_TEST_ON_CUDA(DiffusionNoiseMapOnGpu);

} // namespace
