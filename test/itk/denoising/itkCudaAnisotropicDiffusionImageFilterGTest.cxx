// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DenoisingFilterTests.h"
#include "NoiseMapChecks.h"
#include "denoising/ReferenceDenoising.h"
#include "itkCudaAnisotropicDiffusionImageFilter.h"

#include <numeric>

using namespace testimages;
using filterchecks::MessageAfter;

namespace
{

struct DiffusionTraits
{
  template <typename TInput, typename TOutput>
  using FilterType = itk::CudaAnisotropicDiffusionImageFilter<TInput, TOutput>;

  template <typename TFilter>
  static void
  SetUp(TFilter * filter)
  {
    filter->SetKappa(10.0);
    filter->SetNumberOfIterations(5);
  }
};

using ImageType = itk::Image<float, 3>;
using FilterType = itk::CudaAnisotropicDiffusionImageFilter<ImageType>;

constexpr FilterType::StencilEnum     allStencils[] = { FilterType::StencilEnum::PeronaMalik6,
                                                        FilterType::StencilEnum::Gerig26,
                                                        FilterType::StencilEnum::Weickert26,
                                                        FilterType::StencilEnum::GeometricMean26 };
constexpr FilterType::ConductanceEnum allConductances[] = { FilterType::ConductanceEnum::PeronaMalikExponential,
                                                            FilterType::ConductanceEnum::PeronaMalikRational,
                                                            FilterType::ConductanceEnum::Charbonnier,
                                                            FilterType::ConductanceEnum::TukeyBiweight };

} // namespace

class CudaAnisotropicDiffusionImageFilter : public DeviceTest
{};
class CudaAnisotropicDiffusionImageFilterOnCuda : public DeviceTest
{};

CUDANEURO_DENOISING_FILTER_TESTS(CudaAnisotropicDiffusionImageFilter, DiffusionTraits);

TEST_P(CudaAnisotropicDiffusionImageFilter, RejectsBadParameters)
{
  const itk::ComputeDevice device(GetParam());
  const auto               messageFor = [&](auto change) { return MessageAfter<DiffusionTraits>(device, change); };
  EXPECT_TRUE(Contains(messageFor([](auto * filter) { filter->SetTimeStep(0.0); }), "TimeStep is 0"));
}

/** A time step above the limit warns, and names both; one below does not. */
TEST_P(CudaAnisotropicDiffusionImageFilter, WarnsOfUnstableTimeStep)
{
  const auto input = Phantom<ImageType>(0.2, { { 7, 6, 5 } });
  const auto filter = filterchecks::MakeFilter<DiffusionTraits, ImageType>(input, itk::ComputeDevice(GetParam()));
  {
    const WarningCapture warnings;
    filter->SetTimeStep(0.99 * filter->GetStableTimeStep());
    filter->Update();
    EXPECT_EQ(warnings.GetText(), "");
  }
  const WarningCapture warnings;
  filter->SetTimeStep(0.75);
  filter->Update();
  std::ostringstream limit;
  limit << filter->GetStableTimeStep();
  EXPECT_TRUE(Contains(warnings.GetText(), "time step 0.75 is unstable"));
  EXPECT_TRUE(Contains(warnings.GetText(), limit.str()));
}

/** 1 over the sum of 1 over the edge lengths, which are of float. */
TEST(CudaAnisotropicDiffusionImageFilterTest, KnowsStableTimeStep)
{
  const auto filter = FilterType::New();
  EXPECT_TRUE(Contains(MessageOf([&] { filter->GetStableTimeStep(); }), "needs the input"));
  EXPECT_TRUE(Contains(MessageOf([&] { filter->GetConductanceNoise(); }), "needs the input"));

  filter->SetInput(Phantom<ImageType>()); // spacing 0.9, 1.2, 1.5
  filter->SetStencil(FilterType::StencilEnum::PeronaMalik6);
  EXPECT_NEAR(filter->GetStableTimeStep(), 1.0 / (2.0 / 0.9 + 2.0 / 1.2 + 2.0 / 1.5), 1e-7);
  filter->UseImageSpacingOff();
  EXPECT_NEAR(filter->GetStableTimeStep(), 1.0 / 6.0, 1e-7);
  filter->SetStencil(FilterType::StencilEnum::Weickert26);
  EXPECT_NEAR(filter->GetStableTimeStep(), 1.0 / (6.0 + 12.0 / std::sqrt(2.0) + 8.0 / std::sqrt(3.0)), 1e-7);
}

/** All stencils and conductances against the definition in double precision, and the sum is kept. */
TEST_P(CudaAnisotropicDiffusionImageFilter, AgreesWithDefinition)
{
  const auto             input = Phantom<ImageType>(0.2, { { 13, 11, 9 } });
  const reference::Image image{ itk::CudaNeuroDetail::GridOf<3>(input), Pixels(input.GetPointer()), {} };
  const auto             filter = OnDevice<FilterType>(itk::ComputeDevice(GetParam()), input);
  filter->SetNumberOfIterations(4);
  filter->SetKappa(12.0);
  cudaneuro::AnisotropicDiffusionParameters parameters;
  parameters.numberOfIterations = 4;
  parameters.kappa = 12.0;
  for (const auto stencil : allStencils)
  {
    for (const auto conductance : allConductances)
    {
      std::ostringstream trace;
      trace << stencil << ", " << conductance;
      SCOPED_TRACE(trace.str());
      filter->SetStencil(stencil);
      filter->SetConductance(conductance);
      filter->Update();
      parameters.stencil = stencil;
      parameters.conductance = conductance;
      const std::vector<double> result = Pixels(filter->GetOutput());
      ExpectSame(result, reference::AnisotropicDiffusion(parameters, image), 2e-3); // 1e-5 of the range of 200
      const double sum = std::accumulate(image.values.begin(), image.values.end(), 0.0);
      // Each of 4 steps rounds each voxel by 2^-24 of 250 at most, and the signs are mixed.
      EXPECT_NEAR(std::accumulate(result.begin(), result.end(), 0.0), sum, 1e-6 * sum);
    }
  }
}

/** A map of one value gives the result of that number, and one that varies that of the definition. */
TEST_P(CudaAnisotropicDiffusionImageFilter, TakesANoiseMap)
{
  const auto             input = Phantom<ImageType>(0.2, { { 13, 11, 9 } });
  const reference::Image image{ itk::CudaNeuroDetail::GridOf<3>(input), Pixels(input.GetPointer()), {} };
  const auto             filter = OnDevice<FilterType>(itk::ComputeDevice(GetParam()), input);
  filter->SetNumberOfIterations(4);
  for (const auto stencil : allStencils)
  {
    for (const double factor : { 0.0, 1.5 })
    {
      std::ostringstream trace;
      trace << stencil << ", " << factor;
      SCOPED_TRACE(trace.str());
      filter->SetStencil(stencil);
      filter->SetKappaFactor(factor);
      filter->AutomaticKappaOn();
      const double used =
        (factor > 0.0 ? factor : cudaneuro::UsualKappaFactor(stencil)) * filter->GetConductanceNoise();
      filterchecks::CheckNoiseMap(
        filter.GetPointer(),
        [&](double noise) { filter->SetKappa(used * noise); },
        [&] { filter->AutomaticKappaOn(); },
        [&](const std::vector<double> & noise) {
          cudaneuro::AnisotropicDiffusionParameters parameters = filter->GetParameters();
          parameters.kappa = used;
          return reference::AnisotropicDiffusionWithNoiseMap(parameters, image, noise);
        },
        "set KappaFactor in place of Kappa");
    }
  }
  const auto map = Phantom<ImageType>(0.2, { { 13, 11, 9 } });
  map->FillBuffer(6.0f);
  filter->SetNoiseMapImage(map);
  filter->SetKappaFactor(-1.0);
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "KappaFactor must not be negative; it is -1"));
}
