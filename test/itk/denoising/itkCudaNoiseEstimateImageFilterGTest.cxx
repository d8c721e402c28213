// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "denoising/ReferenceDenoising.h"
#include "itk/TestImages.h"
#include "itkCudaNoiseEstimateImageFilter.h"

#include <algorithm>

using namespace testimages;

namespace
{

using ImageType = ImageOf<float, 3>;

class CudaNoiseEstimateImageFilter : public DeviceTest
{
protected:
  template <typename TImage>
  double
  Estimate(const TImage * image, const MaskOf<3> * mask = nullptr)
  {
    const auto filter = OnDevice<itk::CudaNoiseEstimateImageFilter<TImage>>(itk::ComputeDevice(GetParam()), image);
    filter->SetMaskImage(mask);
    filter->Update();
    ExpectSameGeometry<3>(filter->GetOutput(), image);
    return filter->GetNoiseStandardDeviation();
  }
};

/** Residuals are of float. */
constexpr double relativeTolerance = 1e-5;

} // namespace

TEST_P(CudaNoiseEstimateImageFilter, MatchesReference)
{
  const auto input = Phantom<ImageType>(1.0, { { 41, 37, 33 } });
  const auto mask = BallMaskFor<3>(input);
  auto       maskValues = testvolumes::BallMask(itk::CudaNeuroDetail::GridOf<3>(input));
  // Half of the ball: all bright voxels of the phantom are in the whole.
  std::fill_n(maskValues.begin(), maskValues.size() / 2, static_cast<unsigned char>(0));
  std::copy(maskValues.begin(), maskValues.end(), mask->GetBufferPointer());
  const auto grid = itk::CudaNeuroDetail::GridOf<3>(input);
  const auto expected = reference::EstimateNoiseSigma({ grid, Pixels(input.GetPointer()), {} });
  EXPECT_NEAR(this->Estimate(input.GetPointer()), expected, relativeTolerance * expected);
  const auto inMask = reference::EstimateNoiseSigma({ grid, Pixels(input.GetPointer()), maskValues });
  EXPECT_NE(inMask, expected);
  EXPECT_NEAR(this->Estimate(input.GetPointer(), mask), inMask, relativeTolerance * expected);

  const auto integers = Phantom<ImageOf<short, 3>>(1.0, { { 41, 37, 33 } });
  const auto ofIntegers = reference::EstimateNoiseSigma({ grid, Pixels(integers.GetPointer()), {} });
  EXPECT_NEAR(this->Estimate(integers.GetPointer()), ofIntegers, relativeTolerance * ofIntegers);
}

TEST_P(CudaNoiseEstimateImageFilter, SharesItsInput)
{
  const auto input = Phantom<ImageType>();
  const auto filter = OnDevice<itk::CudaNoiseEstimateImageFilter<ImageType>>(itk::ComputeDevice(GetParam()), input);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetBufferPointer(), input->GetBufferPointer());
  const auto onDevice = Upload(input.GetPointer(), itk::ComputeDevice(GetParam()));
  EXPECT_EQ(this->Estimate(onDevice.GetPointer()), filter->GetNoiseStandardDeviation());
}

TEST_P(CudaNoiseEstimateImageFilter, NothingThatIsBrightGivesZero)
{
  const auto input = Phantom<ImageType>();
  input->FillBuffer(3.0f);
  EXPECT_EQ(this->Estimate(input.GetPointer()), 0.0);
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaNoiseEstimateImageFilter);
