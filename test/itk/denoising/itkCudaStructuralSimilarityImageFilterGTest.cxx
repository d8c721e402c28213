// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "denoising/ReferenceDenoising.h"
#include "itk/TestImages.h"
#include "itkCudaNeuroException.h"
#include "itkCudaStructuralSimilarityImageFilter.h"

#include <limits>

using namespace testimages;

namespace
{

using ImageType = itk::Image<float, 3>;
using FilterType = itk::CudaStructuralSimilarityImageFilter<ImageType>;

/** The phantom, and the same smoothed a little by averaging neighbors in x. */
template <typename TImage>
typename TImage::Pointer
Smoothed(const TImage * image)
{
  const auto result = TImage::New();
  result->CopyInformation(image);
  result->SetRegions(image->GetLargestPossibleRegion());
  result->Allocate();
  const auto count = static_cast<std::ptrdiff_t>(image->GetLargestPossibleRegion().GetNumberOfPixels());
  for (std::ptrdiff_t i = 0; i < count; ++i)
  {
    const auto at = [&](std::ptrdiff_t j) {
      return static_cast<double>(image->GetBufferPointer()[std::min(std::max<std::ptrdiff_t>(j, 0), count - 1)]);
    };
    result->GetBufferPointer()[i] =
      static_cast<typename TImage::PixelType>(std::floor((at(i - 1) + 2.0 * at(i) + at(i + 1)) / 4.0));
  }
  return result;
}

template <typename TInput, typename TOutput = itk::Image<float, TInput::ImageDimension>>
typename itk::CudaStructuralSimilarityImageFilter<TInput, TOutput>::Pointer
MakeFilter(const TInput * reference, const TInput * image, const itk::ComputeDevice & device)
{
  const auto filter = itk::CudaStructuralSimilarityImageFilter<TInput, TOutput>::New();
  filter->SetComputeDevice(device);
  filter->SetReferenceImage(reference);
  filter->SetTestImage(image);
  return filter;
}

/** Inputs are held exactly by all types, so that their results have the same bits. */
template <typename TIn, typename TOut, unsigned int VDimension>
void
CheckPixelTypes(const itk::ComputeDevice & device)
{
  using FloatImageType = itk::Image<float, VDimension>;
  using InputType = itk::Image<TIn, VDimension>;
  const auto floatReference = Phantom<FloatImageType>();
  const auto expected = MakeFilter<FloatImageType>(floatReference, Smoothed(floatReference.GetPointer()), device);
  expected->Update();

  const auto reference = Phantom<InputType>();
  const auto filter =
    MakeFilter<InputType, itk::Image<TOut, VDimension>>(reference, Smoothed(reference.GetPointer()), device);
  filter->Update();
  EXPECT_EQ(filter->GetMeanStructuralSimilarity(), expected->GetMeanStructuralSimilarity());
  EXPECT_EQ(filter->GetMeanSquaredError(), expected->GetMeanSquaredError());
  EXPECT_EQ(filter->GetDataRange(), expected->GetDataRange());
  ExpectSame(Pixels(filter->GetOutput()), Pixels(expected->GetOutput()));
}

template <unsigned int VDimension>
void
CheckDefinition(const itk::ComputeDevice & device, bool withMask)
{
  using InputType = itk::Image<float, VDimension>;
  itk::Size<VDimension> size;
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    size[axis] = 23 - 4 * axis;
  }
  const auto       reference = Phantom<InputType>(0.2, size);
  const auto       image = Smoothed(reference.GetPointer());
  const auto       filter = MakeFilter<InputType>(reference, image, device);
  const auto       grid = itk::CudaNeuroDetail::GridOf<VDimension>(reference);
  reference::Image first{ grid, Pixels(reference.GetPointer()), {} };
  if (withMask)
  {
    filter->SetMaskImage(BallMaskFor<VDimension>(reference));
    first.mask = testvolumes::BallMask(grid);
  }
  filter->Update();
  cudaneuro::StructuralSimilarityParameters parameters;
  parameters.dataRange = filter->GetDataRange();
  const auto expected = reference::StructuralSimilarity(parameters, first, { grid, Pixels(image.GetPointer()), {} });
  // SSIM is of the order of 1: 1e-5 is what the module promises.
  ExpectSame(Pixels(filter->GetOutput()), expected.map, 1e-5);
  EXPECT_NEAR(filter->GetMeanStructuralSimilarity(), expected.mean, 1e-5);
  EXPECT_NEAR(filter->GetMeanSquaredError(), expected.meanSquaredError, 1e-6 * expected.meanSquaredError);
}

} // namespace

class CudaStructuralSimilarityImageFilter : public DeviceTest
{};

TEST_P(CudaStructuralSimilarityImageFilter, AcceptsAllPixelTypes)
{
  const itk::ComputeDevice device(GetParam());
  CheckPixelTypes<unsigned char, float, 3>(device);
  CheckPixelTypes<short, float, 3>(device);
  CheckPixelTypes<unsigned short, double, 3>(device);
  CheckPixelTypes<double, float, 3>(device);
  CheckPixelTypes<unsigned char, double, 2>(device);
  CheckPixelTypes<short, float, 2>(device);
}

TEST_P(CudaStructuralSimilarityImageFilter, AgreesWithDefinition)
{
  const itk::ComputeDevice device(GetParam());
  CheckDefinition<3>(device, false);
  CheckDefinition<3>(device, true);
  CheckDefinition<2>(device, false);
}

TEST_P(CudaStructuralSimilarityImageFilter, IsOneForEqualImages)
{
  const auto image = Phantom<ImageType>();
  const auto filter = MakeFilter<ImageType>(image, image, itk::ComputeDevice(GetParam()));
  filter->Update();
  EXPECT_NEAR(filter->GetMeanStructuralSimilarity(), 1.0, 1e-6); // rounding of a quotient of equal sums
  EXPECT_EQ(filter->GetMeanSquaredError(), 0.0);
  ExpectSameGeometry<3>(filter->GetOutput(), image);
}

/** Without the map there are the means, the same, and no pixels. */
TEST_P(CudaStructuralSimilarityImageFilter, ComputesMeansWithoutMap)
{
  const auto reference = Phantom<ImageType>();
  const auto filter =
    MakeFilter<ImageType>(reference, Smoothed(reference.GetPointer()), itk::ComputeDevice(GetParam()));
  filter->Update();
  const double mean = filter->GetMeanStructuralSimilarity();
  const double squaredError = filter->GetMeanSquaredError();
  filter->ComputeMapOff();
  filter->Update();
  EXPECT_EQ(filter->GetMeanStructuralSimilarity(), mean);
  EXPECT_EQ(filter->GetMeanSquaredError(), squaredError);
  EXPECT_EQ(filter->GetOutput()->GetBufferedRegion().GetNumberOfPixels(), 0u);
  EXPECT_LT(filter->GetDeviceToHostBytes(), reference->GetLargestPossibleRegion().GetNumberOfPixels() * sizeof(float));
  filter->ComputeMapOn();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetBufferedRegion(), reference->GetLargestPossibleRegion());
}

TEST_P(CudaStructuralSimilarityImageFilter, ComparesAddedImages)
{
  const auto                      reference = Phantom<ImageType>();
  const auto                      filter = MakeFilter<ImageType>(reference, reference, itk::ComputeDevice(GetParam()));
  std::vector<ImageType::Pointer> images{ reference, Smoothed(reference.GetPointer()) };
  images.push_back(Smoothed(images.back().GetPointer()));
  std::vector<double> means;
  std::vector<double> squaredErrors;
  for (const ImageType * const image : images)
  {
    filter->SetTestImage(image);
    filter->Update();
    means.push_back(filter->GetMeanStructuralSimilarity());
    squaredErrors.push_back(filter->GetMeanSquaredError());
    EXPECT_EQ(filter->GetMeanSquaredErrors(), std::vector<double>{ squaredErrors.back() });
  }
  EXPECT_LT(means[2], means[1]);
  filter->SetTestImage(images[0]);
  filter->AddTestImage(images[1]);
  filter->AddTestImage(images[2]);
  for (const bool withMap : { true, false })
  {
    filter->SetComputeMap(withMap);
    filter->Update();
    EXPECT_EQ(filter->GetMeanStructuralSimilarities(), means);
    EXPECT_EQ(filter->GetMeanSquaredErrors(), squaredErrors);
    EXPECT_EQ(filter->GetMeanStructuralSimilarity(), means[0]);
    EXPECT_EQ(filter->GetOutput()->GetBufferedRegion().GetNumberOfPixels() > 0, withMap);
  }
  filter->RemoveAddedTestImages();
  filter->AddTestImage(images[2]);
  filter->Update();
  EXPECT_EQ(filter->GetMeanSquaredErrors(), (std::vector<double>{ squaredErrors[0], squaredErrors[2] }));

  EXPECT_TRUE(Contains(MessageOf([&] { filter->AddTestImage(nullptr); }), "absent"));
  const auto spaced = Smoothed(reference.GetPointer());
  spaced->SetSpacing(1.5 * reference->GetSpacing());
  filter->AddTestImage(spaced);
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "the spacing of AddedTestImage2"));
}

TEST_P(CudaStructuralSimilarityImageFilter, DerivesOrTakesDataRange)
{
  const auto reference = Phantom<ImageType>();
  reference->GetBufferPointer()[100] = std::numeric_limits<float>::infinity();
  const auto filter =
    MakeFilter<ImageType>(reference, Smoothed(reference.GetPointer()), itk::ComputeDevice(GetParam()));
  filter->Update();
  std::vector<double> values = Pixels(reference.GetPointer());
  values.erase(values.begin() + 100);
  const auto range = std::minmax_element(values.begin(), values.end());
  EXPECT_EQ(filter->GetDataRange(), *range.second - *range.first);

  const double mean = filter->GetMeanStructuralSimilarity();
  filter->SetDataRange(1000.0);
  EXPECT_FALSE(filter->GetAutomaticDataRange());
  filter->Update();
  EXPECT_GT(filter->GetMeanStructuralSimilarity(), mean); // larger constants
}

/** NaN in the map where either image is not finite; elsewhere finite, and finite means. */
TEST_P(CudaStructuralSimilarityImageFilter, LeavesOutWhatIsNotFinite)
{
  const auto reference = Phantom<ImageType>();
  const auto image = Smoothed(reference.GetPointer());
  reference->GetBufferPointer()[700] = std::numeric_limits<float>::quiet_NaN();
  image->GetBufferPointer()[1500] = std::numeric_limits<float>::infinity();
  const auto filter = MakeFilter<ImageType>(reference, image, itk::ComputeDevice(GetParam()));
  filter->Update();
  const std::vector<double> map = Pixels(filter->GetOutput());
  for (std::size_t i = 0; i < map.size(); ++i)
  {
    ASSERT_EQ(std::isfinite(map[i]), i != 700 && i != 1500) << "at " << i;
  }
  EXPECT_TRUE(std::isfinite(filter->GetMeanStructuralSimilarity()));
  EXPECT_TRUE(std::isfinite(filter->GetMeanSquaredError()));
}

TEST_P(CudaStructuralSimilarityImageFilter, TakesDeviceImages)
{
  using DeviceImageType = itk::DeviceImage<float, 3>;
  const itk::ComputeDevice device(GetParam());
  const auto               reference = Phantom<ImageType>();
  const auto               image = Smoothed(reference.GetPointer());
  const auto               filter = MakeFilter<ImageType>(reference, image, device);
  filter->Update();
  const auto onDevice = MakeFilter<DeviceImageType, DeviceImageType>(
    Upload(reference.GetPointer(), device), Upload(image.GetPointer(), device), device);
  onDevice->Update();
  EXPECT_EQ(onDevice->GetHostToDeviceBytes(), 0u);
  EXPECT_EQ(onDevice->GetMeanStructuralSimilarity(), filter->GetMeanStructuralSimilarity());
  EXPECT_EQ(onDevice->GetMeanSquaredError(), filter->GetMeanSquaredError());
  ExpectSame(Pixels(onDevice->GetOutput()), Pixels(filter->GetOutput()));
}

TEST_P(CudaStructuralSimilarityImageFilter, RejectsBadInput)
{
  const itk::ComputeDevice device(GetParam());
  const auto               reference = Phantom<ImageType>();
  const auto               messageFor = [&](auto change) {
    const auto filter = MakeFilter<ImageType>(reference, Smoothed(reference.GetPointer()), device);
    change(filter.GetPointer());
    return MessageOf([&] { filter->Update(); });
  };
  EXPECT_EQ(messageFor([](FilterType *) {}), "");
  EXPECT_TRUE(Contains(messageFor([](FilterType * filter) { filter->SetTestImage(nullptr); }), "TestImage"));
  EXPECT_TRUE(
    Contains(messageFor([](FilterType * filter) { filter->SetReferenceImage(nullptr); }), "Input ReferenceImage"));
  EXPECT_TRUE(Contains(messageFor([](FilterType * filter) { filter->SetDataRange(0.0); }), "DataRange is 0"));

  const auto spaced = Smoothed(reference.GetPointer());
  spaced->SetSpacing(1.5 * reference->GetSpacing());
  EXPECT_TRUE(
    Contains(messageFor([&](FilterType * filter) { filter->SetTestImage(spaced); }), "the spacing of TestImage"));

  const auto other = ImageType::New();
  other->CopyInformation(reference);
  auto region = reference->GetLargestPossibleRegion();
  region.SetSize(0, 11);
  other->SetRegions(region);
  other->Allocate();
  const std::string message = messageFor([&](FilterType * filter) { filter->SetTestImage(other); });
  EXPECT_TRUE(Contains(message, "the size of TestImage is [11, 15, 11], that of the first input [19, 15, 11]"));

  const auto constant = Smoothed(reference.GetPointer());
  constant->FillBuffer(4.0f);
  EXPECT_TRUE(Contains(messageFor([&](FilterType * filter) { filter->SetReferenceImage(constant); }), "set DataRange"));
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaStructuralSimilarityImageFilter);

class CudaStructuralSimilarityImageFilterOnCuda : public DeviceTest
{};

TEST_P(CudaStructuralSimilarityImageFilterOnCuda, AgreesWithCpu)
{
  const auto reference = Phantom<ImageType>(0.2, { { 45, 37, 29 } });
  const auto image = Smoothed(reference.GetPointer());
  const auto onDevice = MakeFilter<ImageType>(reference, image, itk::ComputeDevice(GetParam()));
  onDevice->Update();
  const auto onCpu = MakeFilter<ImageType>(reference, image, itk::ComputeDevice());
  onCpu->Update();
  ExpectSame(Pixels(onDevice->GetOutput()), Pixels(onCpu->GetOutput()), 1e-5); // promised
  EXPECT_NEAR(onDevice->GetMeanStructuralSimilarity(), onCpu->GetMeanStructuralSimilarity(), 1e-6);
  EXPECT_NEAR(onDevice->GetMeanSquaredError(), onCpu->GetMeanSquaredError(), 1e-6 * onCpu->GetMeanSquaredError());
}

/** Slabs have the map's bits; the means are sums in another order. */
TEST_P(CudaStructuralSimilarityImageFilterOnCuda, WorksInSlabs)
{
  const auto reference = Phantom<ImageType>(0.2, { { 61, 45, 203 } });
  const auto filter =
    MakeFilter<ImageType>(reference, Smoothed(reference.GetPointer()), itk::ComputeDevice(GetParam()));
  filter->Update();
  EXPECT_EQ(filter->GetNumberOfSlabs(), 1u);
  const std::vector<double> expected = Pixels(filter->GetOutput());
  const double              mean = filter->GetMeanStructuralSimilarity();
  const double              squaredError = filter->GetMeanSquaredError();

  filter->SetMaximumDeviceMemory(expected.size() * sizeof(float) * 3 / 2);
  filter->Update();
  EXPECT_GT(filter->GetNumberOfSlabs(), 1u);
  ExpectSame(Pixels(filter->GetOutput()), expected);
  EXPECT_NEAR(filter->GetMeanStructuralSimilarity(), mean, 1e-9);
  EXPECT_NEAR(filter->GetMeanSquaredError(), squaredError, 1e-9 * squaredError);

  filter->SetMaximumDeviceMemory(1000);
  EXPECT_THROW(filter->Update(), itk::CudaNeuroException);
  filter->SetMaximumDeviceMemory(0);
  ExpectOutput(filter, expected);
}

CUDANEURO_TEST_ON_CUDA(CudaStructuralSimilarityImageFilterOnCuda);
