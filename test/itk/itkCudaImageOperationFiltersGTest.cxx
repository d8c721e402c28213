// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ItkDeviceTest.h"
#include "FieldImages.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaGradientImageFilter.h"
#include "itkCudaMultiResolutionPyramidImageFilter.h"
#include "itkCudaStatisticsImageFilter.h"
#include "itkDiscreteGaussianImageFilter.h"
#include "itkGradientImageFilter.h"
#include "itkMultiResolutionPyramidImageFilter.h"
#include "itkResampleImageFilter.h"
#include "itkStatisticsImageFilter.h"

#include <algorithm>
#include <limits>

using namespace testimages;

namespace
{

/** The phantom's range. */
constexpr double range = 200.0;

template <typename TImage>
typename itk::CudaDiscreteGaussianImageFilter<TImage>::Pointer
MakeGaussian(const TImage * input, double sigma, const itk::ComputeDevice & device)
{
  const auto filter = OnDevice<itk::CudaDiscreteGaussianImageFilter<TImage>>(device, input);
  filter->SetSigma(sigma);
  return filter;
}

/** Against ITK's, whose kernel is another function with the same variance: with a sigma of 3 voxels the two differ by
 * 1 / (24 sigma^2) = 0.5 % of the peak, and so may results by that share of the range. */
template <unsigned int VDimension>
void
CheckGaussian(const itk::ComputeDevice & device, bool useSpacing)
{
  using ImageType = ImageOf<float, VDimension>;
  const auto input = Phantom<ImageType>();
  const auto filter = MakeGaussian<ImageType>(input, 3.6, device);
  filter->SetUseImageSpacing(useSpacing);
  filter->Update();
  const auto expected = itk::DiscreteGaussianImageFilter<ImageType, ImageType>::New();
  expected->SetInput(input);
  expected->SetSigma(3.6);
  expected->SetUseImageSpacing(useSpacing);
  expected->SetMaximumError(1e-6);
  expected->SetMaximumKernelWidth(200);
  expected->Update();
  ExpectSameGeometry<VDimension>(filter->GetOutput(), input);
  ExpectSame(Pixels(filter->GetOutput()), Pixels(expected->GetOutput()), 0.005 * range);
}

/** The result at one voxel, as the definition says. */
double
GaussianAt(const ImageOf<float, 3> * image, const itk::Index<3> & at, const std::array<double, 3> & sigmaInVoxels)
{
  const auto &                       region = image->GetLargestPossibleRegion();
  std::array<std::vector<double>, 3> weights;
  std::array<int, 3>                 radius{};
  for (int axis = 0; axis < 3; ++axis)
  {
    radius[axis] = static_cast<int>(std::ceil(6.0 * sigmaInVoxels[axis]));
    double sum = 0.0;
    for (int d = -radius[axis]; d <= radius[axis]; ++d)
    {
      weights[axis].push_back(std::exp(-0.5 * d * d / (sigmaInVoxels[axis] * sigmaInVoxels[axis])));
      sum += weights[axis].back();
    }
    for (double & weight : weights[axis])
    {
      weight /= sum;
    }
  }
  const auto clamped = [&](int axis, int d) {
    const auto first = region.GetIndex(axis);
    return std::clamp<itk::IndexValueType>(
      at[axis] + d, first, first + static_cast<itk::IndexValueType>(region.GetSize(axis)) - 1);
  };
  double result = 0.0;
  for (int z = -radius[2]; z <= radius[2]; ++z)
  {
    for (int y = -radius[1]; y <= radius[1]; ++y)
    {
      for (int x = -radius[0]; x <= radius[0]; ++x)
      {
        result += weights[0][x + radius[0]] * weights[1][y + radius[1]] * weights[2][z + radius[2]] *
                  static_cast<double>(image->GetPixel({ { clamped(0, x), clamped(1, y), clamped(2, z) } }));
      }
    }
  }
  return result;
}

template <unsigned int VDimension>
void
CheckGradient(const itk::ComputeDevice & device, bool useSpacing, bool useDirection)
{
  using ImageType = ImageOf<float, VDimension>;
  const auto input = Phantom<ImageType>();
  const auto filter = OnDevice<itk::CudaGradientImageFilter<ImageType>>(device, input);
  filter->SetUseImageSpacing(useSpacing);
  filter->SetUseImageDirection(useDirection);
  filter->Update();
  const auto expected = itk::GradientImageFilter<ImageType>::New();
  expected->SetInput(input);
  expected->SetUseImageSpacing(useSpacing);
  expected->SetUseImageDirection(useDirection);
  expected->Update();
  ExpectSameGeometry<VDimension>(filter->GetOutput(), input);
  ExpectSame(Components(filter->GetOutput()), Components(expected->GetOutput()), 1e-6 * range); // both are in float
}

/** Where the sizes divide by the factors and the region starts at 0, the geometry is that of ITK. The pixels are those
 * of the two filters that a level consists of. */
template <unsigned int VDimension>
void
CheckPyramid(const itk::ComputeDevice & device)
{
  using ImageType = ImageOf<float, VDimension>;
  typename ImageType::SizeType size;
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    size[axis] = 24 - 4 * axis;
  }
  const auto input = Phantom<ImageType>(0.2, size);
  input->SetRegions(size); // of the same length: the pixels stay
  const auto filter = OnDevice<itk::CudaMultiResolutionPyramidImageFilter<ImageType>>(device, input);
  filter->SetNumberOfLevels(3);
  filter->Update();
  ASSERT_EQ(filter->GetNumberOfIndexedOutputs(), 3u);
  const auto expected = itk::MultiResolutionPyramidImageFilter<ImageType, ImageType>::New();
  expected->SetInput(input);
  expected->SetNumberOfLevels(3);
  expected->UpdateOutputInformation();
  EXPECT_EQ(filter->GetSchedule(), expected->GetSchedule());
  for (unsigned int level = 0; level < 3; ++level)
  {
    const ImageType * const output = filter->GetOutput(level);
    const ImageType * const itks = expected->GetOutput(level);
    EXPECT_EQ(output->GetLargestPossibleRegion(), itks->GetLargestPossibleRegion());
    EXPECT_EQ(output->GetBufferedRegion(), itks->GetLargestPossibleRegion());
    EXPECT_EQ(output->GetSpacing(), itks->GetSpacing());
    EXPECT_LT((output->GetOrigin() - itks->GetOrigin()).GetNorm(), 1e-9);
    EXPECT_EQ(output->GetDirection(), itks->GetDirection());

    const unsigned int factor = 4u >> level;
    const auto         smooth = MakeGaussian<ImageType>(input, factor > 1 ? 0.5 * factor : 0.0, device);
    smooth->UseImageSpacingOff();
    const auto resample = itk::ResampleImageFilter<ImageType, ImageType>::New();
    resample->SetInput(smooth->GetOutput());
    resample->SetOutputParametersFromImage(itks);
    resample->Update();
    ExpectSame(Pixels(output), Pixels(resample->GetOutput()), 1e-5 * range);
  }
}

template <typename TImage>
typename itk::CudaStatisticsImageFilter<TImage>::Pointer
MakeStatistics(const TImage * input, const itk::ComputeDevice & device)
{
  const auto filter = OnDevice<itk::CudaStatisticsImageFilter<TImage>>(device, input);
  return filter;
}

template <typename TImage>
void
CheckStatistics(const itk::ComputeDevice & device)
{
  const auto input = Phantom<TImage>();
  const auto filter = MakeStatistics<TImage>(input, device);
  filter->Update();
  const auto expected = itk::StatisticsImageFilter<TImage>::New();
  expected->SetInput(input);
  expected->Update();
  EXPECT_EQ(filter->GetMinimum(), static_cast<double>(expected->GetMinimum()));
  EXPECT_EQ(filter->GetMaximum(), static_cast<double>(expected->GetMaximum()));
  // Both accumulate in double.
  EXPECT_NEAR(filter->GetSum(), expected->GetSum(), 1e-10 * expected->GetSum());
  EXPECT_NEAR(filter->GetMean(), expected->GetMean(), 1e-10 * expected->GetMean());
  EXPECT_NEAR(filter->GetVariance(), expected->GetVariance(), 1e-10 * expected->GetVariance());
  EXPECT_NEAR(filter->GetSigma(), expected->GetSigma(), 1e-10 * expected->GetSigma());
  EXPECT_NEAR(filter->GetSumOfSquares(), expected->GetSumOfSquares(), 1e-10 * expected->GetSumOfSquares());
  EXPECT_EQ(filter->GetCount(), input->GetLargestPossibleRegion().GetNumberOfPixels());
  EXPECT_EQ(filter->GetNumberOfNotFinite(), 0u);
  ExpectSameGeometry<TImage::ImageDimension>(filter->GetOutput(), input);
  EXPECT_EQ(filter->GetOutput()->GetBufferPointer(), input->GetBufferPointer());
}

} // namespace

class CudaImageOperationFilters : public ItkDeviceTest
{};

TEST_P(CudaImageOperationFilters, SmoothNearlyAsItk)
{
  CheckGaussian<2>(this->GetDevice(), true);
  CheckGaussian<3>(this->GetDevice(), false);
}

TEST_P(CudaImageOperationFilters, SmoothByDefinition)
{
  const auto input = Phantom<ImageOf<float, 3>>();
  const auto filter = MakeGaussian<ImageOf<float, 3>>(input, 1.3, this->GetDevice());
  filter->Update();
  const auto & spacing = input->GetSpacing();
  const auto & region = input->GetLargestPossibleRegion();
  for (const itk::OffsetValueType offset : { 0, 1, 700, 1570, 2222, 3000 })
  {
    ASSERT_LT(static_cast<itk::SizeValueType>(offset), region.GetNumberOfPixels());
    const auto index = input->ComputeIndex(offset);
    EXPECT_NEAR(filter->GetOutput()->GetPixel(index),
                GaussianAt(input, index, { 1.3 / spacing[0], 1.3 / spacing[1], 1.3 / spacing[2] }),
                1e-5 * range); // the cut at 1e-6 of the peak, and rounding
  }

  filter->SetSigma(0.0);
  ExpectOutput(filter, Pixels(input.GetPointer()));
}

TEST_P(CudaImageOperationFilters, GradientIsItks)
{
  CheckGradient<2>(this->GetDevice(), true, true);
  CheckGradient<3>(this->GetDevice(), true, true);
  CheckGradient<3>(this->GetDevice(), false, true);
  CheckGradient<3>(this->GetDevice(), true, false);
}

TEST_P(CudaImageOperationFilters, PyramidIsWhereItksIs)
{
  CheckPyramid<2>(this->GetDevice());
  CheckPyramid<3>(this->GetDevice());
}

/** Any size, first index and schedule: the first voxel's center is that of its block, no voxel is lost, and a factor of
 * 1 leaves the geometry as it is. */
TEST_P(CudaImageOperationFilters, PyramidCoversAnyImage)
{
  using ImageType = ImageOf<float, 3>;
  const auto input = Phantom<ImageType>();
  input->FillBuffer(42.0f);
  const auto filter = OnDevice<itk::CudaMultiResolutionPyramidImageFilter<ImageType>>(this->GetDevice(), input);
  itk::Array2D<unsigned int> schedule(2, 3);
  schedule.Fill(1);
  schedule(0, 0) = 4;
  schedule(0, 1) = 3;
  filter->SetSchedule(schedule);
  filter->Update();
  const ImageType * const coarse = filter->GetOutput(0);
  EXPECT_EQ(coarse->GetLargestPossibleRegion().GetSize(), (itk::Size<3>{ { 5, 5, 11 } }));
  itk::ContinuousIndex<double, 3> block(input->GetLargestPossibleRegion().GetIndex());
  block[0] += 1.5;
  block[1] += 1.0;
  itk::Point<double, 3> center;
  input->TransformContinuousIndexToPhysicalPoint(block, center);
  itk::Point<double, 3> first;
  coarse->TransformIndexToPhysicalPoint(coarse->GetLargestPossibleRegion().GetIndex(), first);
  EXPECT_LT((first - center).GetNorm(), 1e-9);
  ExpectSame(Pixels(coarse), std::vector<double>(5 * 5 * 11, 42.0), 1e-5 * 42.0);
  ExpectSameGeometry<3>(filter->GetOutput(1), input);
  ExpectSame(Pixels(filter->GetOutput(1)), Pixels(input.GetPointer()));
}

TEST_P(CudaImageOperationFilters, StatisticsAreItks)
{
  CheckStatistics<ImageOf<float, 3>>(this->GetDevice());
  CheckStatistics<ImageOf<unsigned char, 2>>(this->GetDevice());
}

TEST_P(CudaImageOperationFilters, StatisticsOfWhatTakesPart)
{
  using ImageType = ImageOf<float, 3>;
  const auto         input = Phantom<ImageType>();
  const auto         mask = BallMaskFor<3>(input);
  itk::SizeValueType inside = 0;
  double             sum = 0.0;
  std::size_t        last = 0;
  for (std::size_t i = 0; i < input->GetLargestPossibleRegion().GetNumberOfPixels(); ++i)
  {
    if (mask->GetBufferPointer()[i] != 0)
    {
      ++inside;
      sum += input->GetBufferPointer()[i];
      last = i;
    }
  }
  sum -= input->GetBufferPointer()[last];
  input->GetBufferPointer()[last] = std::numeric_limits<float>::quiet_NaN();
  const auto filter = MakeStatistics<ImageType>(input, this->GetDevice());
  filter->SetMaskImage(mask);
  filter->Update();
  EXPECT_EQ(filter->GetCount(), inside - 1);
  EXPECT_EQ(filter->GetNumberOfNotFinite(), 1u);
  EXPECT_NEAR(filter->GetSum(), sum, 1e-10 * sum);
}

TEST_P(CudaImageOperationFilters, ChainOnTheDevice)
{
  using ImageType = ImageOf<float, 3>;
  using DeviceImageType = itk::DeviceImage<float, 3>;
  using DeviceGradientType = itk::DeviceImage<itk::CovariantVector<float, 3>, 3>;
  const auto device = this->GetDevice();
  const auto input = Phantom<ImageType>();
  const auto deviceInput = Upload(input.GetPointer(), device);
  const auto smooth = MakeGaussian<DeviceImageType>(deviceInput, 1.0, device);
  const auto pyramid = itk::CudaMultiResolutionPyramidImageFilter<DeviceImageType>::New();
  pyramid->SetInput(smooth->GetOutput());
  const auto gradient = itk::CudaGradientImageFilter<DeviceImageType, DeviceGradientType>::New();
  gradient->SetInput(pyramid->GetOutput(0));
  gradient->Update();
  const auto statistics = MakeStatistics<DeviceImageType>(smooth->GetOutput(), device);
  statistics->Update();
  EXPECT_EQ(statistics->GetOutput()->GetDevicePointer(), smooth->GetOutput()->GetDevicePointer());
  EXPECT_EQ(smooth->GetHostToDeviceBytes() + smooth->GetDeviceToHostBytes(), 0u);
  EXPECT_EQ(pyramid->GetHostToDeviceBytes() + pyramid->GetDeviceToHostBytes(), 0u);
  EXPECT_EQ(gradient->GetHostToDeviceBytes() + gradient->GetDeviceToHostBytes(), 0u);
  EXPECT_EQ(statistics->GetHostToDeviceBytes(), 0u);
  EXPECT_LT(statistics->GetDeviceToHostBytes(), 5000u); // the figures alone

  const auto onHost = MakeGaussian<ImageType>(input, 1.0, device);
  const auto hostPyramid = OnDevice<itk::CudaMultiResolutionPyramidImageFilter<ImageType>>(device, onHost->GetOutput());
  const auto hostGradient = OnDevice<itk::CudaGradientImageFilter<ImageType>>(device, hostPyramid->GetOutput(0));
  hostGradient->Update();
  ExpectSame(Components(gradient->GetOutput()), Components(hostGradient->GetOutput()));
  const auto hostStatistics = MakeStatistics<ImageType>(onHost->GetOutput(), device);
  hostStatistics->Update();
  EXPECT_EQ(statistics->GetVariance(), hostStatistics->GetVariance());
}

TEST_P(CudaImageOperationFilters, RejectBadInput)
{
  using ImageType = ImageOf<float, 3>;
  const auto device = this->GetDevice();
  const auto input = Phantom<ImageType>();
  const auto smooth = MakeGaussian<ImageType>(nullptr, 1.0, device);
  EXPECT_TRUE(Contains(MessageOf([&] { smooth->Update(); }), "Input Primary is required"));
  EXPECT_TRUE(Contains(MessageOf([&] { smooth->SetSigma(-1.0); }), "must be 0 or more"));
  smooth->SetInput(input);
  smooth->SetVariance(-1.0);
  EXPECT_TRUE(Contains(MessageOf([&] { smooth->Update(); }), "Variance is [-1, -1, -1]; it must be 0 or more"));

  const auto pyramid = itk::CudaMultiResolutionPyramidImageFilter<ImageType>::New();
  EXPECT_TRUE(Contains(MessageOf([&] { pyramid->SetNumberOfLevels(0); }), "NumberOfLevels is 0; it must be between"));
  EXPECT_TRUE(Contains(MessageOf([&] { pyramid->SetStartingShrinkFactors(0); }), "is 0; it must be 1 or more"));
  EXPECT_TRUE(
    Contains(MessageOf([&] { pyramid->SetSchedule(itk::Array2D<unsigned int>(1, 3)); }), "has 1 rows and 3 columns"));

  const auto statistics = MakeStatistics<ImageType>(input, device);
  const auto mask = BallMaskFor<3>(input);
  mask->SetOrigin(ImageType::PointType());
  statistics->SetMaskImage(mask);
  EXPECT_TRUE(Contains(MessageOf([&] { statistics->Update(); }), "the origin of MaskImage is"));
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaImageOperationFilters);
