// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "FilterChecks.h"
#include "MaskChecks.h"
#include "denoising/ReferenceNoiseMap.h"
#include "itkCudaNoiseMapImageFilter.h"

using namespace testimages;

namespace
{

struct NoiseMapTraits
{
  template <typename TInput, typename TOutput>
  using FilterType = itk::CudaNoiseMapImageFilter<TInput, TOutput>;

  template <typename TFilter>
  static void
  SetUp(TFilter * filter)
  {
    filter->RicianCorrectionOn();
  }
};

template <unsigned int VDimension>
void
CheckDefinition(const itk::ComputeDevice & device, bool withMask)
{
  using ImageType = ImageOf<float, VDimension>;
  itk::Size<VDimension> size;
  size.Fill(35);
  const auto       input = Phantom<ImageType>(1.0, size);
  const auto       grid = itk::CudaNeuroDetail::GridOf<VDimension>(input);
  const auto       filter = filterchecks::MakeFilter<NoiseMapTraits, ImageType>(input, device);
  reference::Image image{ grid, Pixels(input.GetPointer()), {} };
  if (withMask)
  {
    filter->SetMaskImage(BallMaskFor<VDimension>(input));
    image.mask = testvolumes::BallMask(grid);
  }
  filter->Update();
  const std::vector<double> map = Pixels(filter->GetOutput());
  ExpectSame(map, reference::NoiseMap(filter->GetParameters(), image), 1e-4);

  double      sum = 0.0;
  std::size_t count = 0;
  for (const double value : map)
  {
    sum += value;
    count += value > 0.0 ? 1 : 0;
  }
  EXPECT_EQ(filter->GetNumberOfVoxels(), count);
  EXPECT_EQ(filter->GetNumberOfExcludedVoxels(), 0U);
  EXPECT_NEAR(filter->GetMeanNoise(), sum / static_cast<double>(count), 1e-5 * filter->GetMeanNoise());
  EXPECT_EQ(filter->GetMaximumNoise(), *std::max_element(map.begin(), map.end()));
  EXPECT_GT(filter->GetMinimumNoise(), 0.0);
}

} // namespace

class CudaNoiseMapImageFilter : public DeviceTest
{};

TEST_P(CudaNoiseMapImageFilter, AgreesWithDefinition)
{
  const itk::ComputeDevice device(GetParam());
  CheckDefinition<2>(device, false);
  CheckDefinition<3>(device, false);
  CheckDefinition<3>(device, true);
}

TEST_P(CudaNoiseMapImageFilter, AcceptsAllPixelTypes)
{
  filterchecks::CheckAllPixelTypes<NoiseMapTraits, 2>(itk::ComputeDevice(GetParam()));
  filterchecks::CheckAllPixelTypes<NoiseMapTraits, 3>(itk::ComputeDevice(GetParam()));
}

TEST_P(CudaNoiseMapImageFilter, KeepsGeometry)
{
  filterchecks::CheckGeometry<NoiseMapTraits>(itk::ComputeDevice(GetParam()));
}

TEST_P(CudaNoiseMapImageFilter, RejectsMaskOfOtherGeometry)
{
  filterchecks::CheckMaskOfOtherGeometry<NoiseMapTraits>(itk::ComputeDevice(GetParam()));
}

TEST_P(CudaNoiseMapImageFilter, TakesAndGivesDeviceImages)
{
  filterchecks::CheckDeviceImages<NoiseMapTraits>(itk::ComputeDevice(GetParam()));
}

TEST_P(CudaNoiseMapImageFilter, RejectsBadInput)
{
  filterchecks::CheckBadInput<NoiseMapTraits>(itk::ComputeDevice(GetParam()));
}

TEST_P(CudaNoiseMapImageFilter, ReportsProgressAndStops)
{
  filterchecks::CheckProgressAndAbort<NoiseMapTraits>(itk::ComputeDevice(GetParam()));
}

TEST_P(CudaNoiseMapImageFilter, SaysThatAnImageTellsNothing)
{
  using ImageType = ImageOf<float, 2>;
  const auto input = Phantom<ImageType>();
  input->FillBuffer(3.0f);
  const auto filter = filterchecks::MakeFilter<NoiseMapTraits, ImageType>(input, itk::ComputeDevice(GetParam()));
  filter->Update();
  EXPECT_TRUE(std::isnan(filter->GetMeanNoise()));
  EXPECT_EQ(filter->GetNumberOfVoxels(), 0U);
  EXPECT_EQ(filter->GetNumberOfExcludedVoxels(), Pixels(input.GetPointer()).size());
  ExpectSame(Pixels(filter->GetOutput()), std::vector<double>(Pixels(input.GetPointer()).size(), 0.0));
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaNoiseMapImageFilter);

class CudaNoiseMapImageFilterOnCuda : public DeviceTest
{};

TEST_P(CudaNoiseMapImageFilterOnCuda, AgreesWithCpu)
{
  filterchecks::CheckAgainstCpu<NoiseMapTraits>(itk::ComputeDevice(GetParam()));
}

TEST_P(CudaNoiseMapImageFilterOnCuda, WorksInSlabs)
{
  filterchecks::CheckSlabs<NoiseMapTraits>(itk::ComputeDevice(GetParam()));
}

CUDANEURO_TEST_ON_CUDA(CudaNoiseMapImageFilterOnCuda);
