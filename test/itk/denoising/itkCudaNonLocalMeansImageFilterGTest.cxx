// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DenoisingFilterTests.h"
#include "NoiseMapChecks.h"
#include "denoising/ReferenceDenoising.h"
#include "itkCudaNonLocalMeansImageFilter.h"

using namespace testimages;
using filterchecks::MessageAfter;

namespace
{

struct NonLocalMeansTraits
{
  template <typename TInput, typename TOutput>
  using FilterType = itk::CudaNonLocalMeansImageFilter<TInput, TOutput>;

  template <typename TFilter>
  static void
  SetUp(TFilter * filter)
  {
    filter->SetWindowRadius(2);
    filter->SetPatchRadius(1);
    filter->SetSmoothingParameter(8.0);
  }
};

using ImageType = itk::Image<float, 3>;
using FilterType = itk::CudaNonLocalMeansImageFilter<ImageType>;
using WeightingEnum = FilterType::WeightingEnum;
using CenterWeightEnum = FilterType::CenterWeightEnum;

} // namespace

class CudaNonLocalMeansImageFilter : public DeviceTest
{};
class CudaNonLocalMeansImageFilterOnCuda : public DeviceTest
{};

CUDANEURO_DENOISING_FILTER_TESTS(CudaNonLocalMeansImageFilter, NonLocalMeansTraits);

TEST_P(CudaNonLocalMeansImageFilter, RejectsBadParameters)
{
  const itk::ComputeDevice device(GetParam());
  const auto               messageFor = [&](auto change) { return MessageAfter<NonLocalMeansTraits>(device, change); };
  EXPECT_TRUE(Contains(messageFor([](auto * filter) { filter->SetWindowRadius(0); }), "WindowRadius[0] is 0"));
  EXPECT_TRUE(Contains(messageFor([](auto * filter) {
                         filter->AutomaticSmoothingOn();
                         filter->SetSmoothingFactor(-0.5);
                       }),
                       "SmoothingFactor must not be negative; it is -0.5"));
  EXPECT_TRUE(Contains(messageFor([](auto * filter) {
                         filter->AutomaticSmoothingOn();
                         filter->SetNoiseStandardDeviation(0.0);
                       }),
                       "set SmoothingParameter"));
  EXPECT_EQ(messageFor([](auto * filter) { filter->SetPatchRadius(0); }), "");
}

/** Without noise there is nothing that h could be derived from. */
TEST_P(CudaNonLocalMeansImageFilter, RejectsConstantImageWhenAutomatic)
{
  const auto input = Phantom<ImageType>(0.2, { { 7, 6, 5 } });
  input->FillBuffer(3.0f);
  const auto filter = OnDevice<FilterType>(itk::ComputeDevice(GetParam()), input);
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "set SmoothingParameter"));
}

/** Both weightings, both center weights, with and without correction, against the definition in double precision. */
TEST_P(CudaNonLocalMeansImageFilter, AgreesWithDefinition)
{
  const auto             input = Phantom<ImageType>(0.2, { { 13, 11, 9 } });
  const reference::Image image{ itk::CudaNeuroDetail::GridOf<3>(input), Pixels(input.GetPointer()), {} };
  const auto filter = filterchecks::MakeFilter<NonLocalMeansTraits, ImageType>(input, itk::ComputeDevice(GetParam()));
  filter->SetNoiseStandardDeviation(6.0);
  cudaneuro::NonLocalMeansParameters parameters;
  parameters.windowRadius = { 2, 2, 2 };
  parameters.patchRadius = { 1, 1, 1 };
  parameters.smoothingParameter = 8.0;
  parameters.noiseStandardDeviation = 6.0;
  const std::pair<WeightingEnum, CenterWeightEnum> kinds[] = { { WeightingEnum::PatchSum, CenterWeightEnum::One },
                                                               { WeightingEnum::PatchDistance, CenterWeightEnum::One },
                                                               { WeightingEnum::PatchDistance,
                                                                 CenterWeightEnum::Maximum } };
  for (const auto & kind : kinds)
  {
    for (const bool ricianCorrection : { false, true })
    {
      filter->SetWeighting(kind.first);
      filter->SetCenterWeight(kind.second);
      filter->SetRicianCorrection(ricianCorrection);
      filter->Update();
      parameters.weighting = kind.first;
      parameters.centerWeight = kind.second;
      parameters.ricianCorrection = ricianCorrection;
      // 1e-5 of the range of 200; the square root of the correction magnifies errors near 0.
      const double tolerance = ricianCorrection ? 2e-2 : 2e-3;
      ExpectSame(Pixels(filter->GetOutput()), reference::NonLocalMeans(parameters, image), tolerance);
    }
  }
}

/** A map of one value gives the result of that number, and one that varies that of the definition. */
TEST_P(CudaNonLocalMeansImageFilter, TakesANoiseMap)
{
  const auto             input = Phantom<ImageType>(0.2, { { 13, 11, 9 } });
  const reference::Image image{ itk::CudaNeuroDetail::GridOf<3>(input), Pixels(input.GetPointer()), {} };
  const auto             filter = OnDevice<FilterType>(itk::ComputeDevice(GetParam()), input);
  filter->SetWindowRadius(2);
  filter->SetPatchRadius(1);
  filterchecks::CheckNoiseMap(
    filter.GetPointer(),
    [&](double noise) { filter->SetSmoothingParameter(0.7 * noise); },
    [&] { filter->AutomaticSmoothingOn(); },
    [&](const std::vector<double> & noise) {
      cudaneuro::NonLocalMeansParameters parameters = filter->GetParameters();
      parameters.smoothingParameter = 0.7;
      return reference::NonLocalMeansWithNoiseMap(parameters, image, noise);
    },
    "set SmoothingFactor in place of SmoothingParameter");

  // The Rician correction takes the noise of the map, too.
  const auto map = Phantom<ImageType>(0.2, { { 13, 11, 9 } });
  map->FillBuffer(6.0f);
  filter->SetNoiseMapImage(map);
  filter->RicianCorrectionOn();
  filter->Update();
  const std::vector<double> ofMap = Pixels(filter->GetOutput());
  filter->SetNoiseMapImage(nullptr);
  filter->SetNoiseStandardDeviation(6.0);
  ExpectOutput(filter, ofMap);
}

TEST_P(CudaNonLocalMeansImageFilter, RicianCorrectionRefusesManyNegativeVoxels)
{
  const auto input = Phantom<ImageType>(0.2, { { 13, 11, 9 } });
  input->FillBuffer(-1000.0f);
  input->GetBufferPointer()[500] = 40.0f;
  const auto filter = OnDevice<FilterType>(itk::ComputeDevice(GetParam()), input);
  filter->SetNoiseStandardDeviation(12.0);
  filter->Update();
  filter->RicianCorrectionOn();
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "1286 negative voxels of 1287"));
}

/** h is derived from the noise, the noise from the image, unless they are set. */
TEST_P(CudaNonLocalMeansImageFilter, DerivesSmoothingFromNoise)
{
  const auto             input = Phantom<ImageType>(1.0, { { 41, 37, 33 } });
  const reference::Image image{ itk::CudaNeuroDetail::GridOf<3>(input), Pixels(input.GetPointer()), {} };
  const auto             filter = OnDevice<FilterType>(itk::ComputeDevice(GetParam()), input);
  filter->SetWindowRadius(1);
  filter->SetPatchRadius(1);
  filter->SetSmoothingFactor(1.5);
  filter->Update();
  const double expected = reference::EstimateNoiseSigma(image);
  EXPECT_NEAR(filter->GetNoiseStandardDeviation(), expected, 1e-5 * expected); // residuals are of float
  EXPECT_DOUBLE_EQ(filter->GetSmoothingParameter(), 1.5 * filter->GetNoiseStandardDeviation());
  const std::vector<double> automatic = Pixels(filter->GetOutput());

  const double sigma = filter->GetNoiseStandardDeviation();
  filter->SetNoiseStandardDeviation(sigma);
  EXPECT_FALSE(filter->GetAutomaticNoiseEstimation());
  ExpectOutput(filter, automatic);

  filter->SetSmoothingParameter(1.5 * sigma);
  EXPECT_FALSE(filter->GetAutomaticSmoothing());
  ExpectOutput(filter, automatic);
  EXPECT_EQ(filter->GetSmoothingParameter(), 1.5 * sigma);

  filter->AutomaticSmoothingOn();
  filter->SetSmoothingFactor(0.0);
  filter->Update();
  EXPECT_DOUBLE_EQ(filter->GetSmoothingParameter(), 0.7 * sigma);
  filter->SetWeighting(WeightingEnum::PatchSum);
  filter->Update();
  EXPECT_DOUBLE_EQ(filter->GetSmoothingParameter(), 0.01 * sigma);
}
