// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ItkDeviceTest.h"
#include "TestImages.h"
#include "itkCudaBilateralImageFilter.h"
#include "itkCudaNonLocalMeansImageFilter.h"

using namespace testimages;

namespace
{

using ImageType = itk::Image<float, 3>;
using DeviceImageType = itk::DeviceImage<float, 3>;

/** Up and down again: the same pixels, or converted ones. */
template <typename TPixel, typename TDevicePixel, unsigned int VDimension>
void
CheckRoundTrip(const itk::ComputeDevice & device)
{
  using HostType = itk::Image<TPixel, VDimension>;
  using OnDeviceType = itk::DeviceImage<TDevicePixel, VDimension>;
  const auto input = Phantom<HostType>();
  const auto upload = OnDevice<itk::DeviceUploadImageFilter<HostType, OnDeviceType>>(device, input);
  const auto download = itk::DeviceDownloadImageFilter<OnDeviceType, HostType>::New();
  download->SetInput(upload->GetOutput());
  download->Update();
  ExpectSameGeometry<VDimension>(upload->GetOutput(), input);
  ExpectSameGeometry<VDimension>(download->GetOutput(), input);
  ExpectSame(Pixels(download->GetOutput()), Pixels(input.GetPointer()));

  const auto pixels = input->GetLargestPossibleRegion().GetNumberOfPixels();
  const bool isCuda = device.IsCuda();
  EXPECT_EQ(upload->GetHostToDeviceBytes(), isCuda ? pixels * sizeof(TPixel) : 0);
  EXPECT_EQ(upload->GetDeviceToHostBytes(), 0u);
  EXPECT_EQ(download->GetDeviceToHostBytes(), isCuda ? pixels * sizeof(TPixel) : 0);
  EXPECT_EQ(download->GetHostToDeviceBytes(), 0u);
  EXPECT_EQ(download->GetComputeDevice(), device);
}

} // namespace

class DeviceImage : public ItkDeviceTest
{};

TEST_P(DeviceImage, CarriesAllPixelTypes)
{
  CheckRoundTrip<unsigned char, unsigned char, 3>(GetDevice());
  CheckRoundTrip<short, short, 3>(GetDevice());
  CheckRoundTrip<unsigned short, unsigned short, 3>(GetDevice());
  CheckRoundTrip<float, float, 3>(GetDevice());
  CheckRoundTrip<double, double, 3>(GetDevice());
  CheckRoundTrip<float, float, 2>(GetDevice());
  CheckRoundTrip<unsigned char, unsigned char, 2>(GetDevice());
}

TEST_P(DeviceImage, ConvertsOnTheWay)
{
  CheckRoundTrip<unsigned char, float, 3>(GetDevice());
  CheckRoundTrip<short, float, 2>(GetDevice());
  CheckRoundTrip<float, double, 3>(GetDevice());
  CheckRoundTrip<double, unsigned short, 3>(GetDevice()); // the phantom's values are integers
}

TEST_P(DeviceImage, AllocatesAndReleases)
{
  const auto image = DeviceImageType::New();
  image->SetComputeDevice(this->GetDevice());
  EXPECT_EQ(image->GetDevicePointer(), nullptr);
  image->SetRegions(DeviceImageType::SizeType{ { 9, 8, 7 } });
  image->Allocate();
  const void * const memory = image->GetDevicePointer();
  EXPECT_NE(memory, nullptr);
  EXPECT_EQ(image->GetDeviceMemory().bytes, 9u * 8u * 7u * sizeof(float));

  image->SetRegions(DeviceImageType::SizeType{ { 9, 8, 3 } });
  image->Allocate();
  EXPECT_EQ(image->GetDevicePointer(), memory) << "memory that suffices is kept";

  EXPECT_TRUE(Contains(MessageOf([&] { image->Allocate(true); }), "Allocate(true) is not offered"));
  image->Initialize();
  EXPECT_EQ(image->GetDevicePointer(), nullptr);
}

TEST_P(DeviceImage, GraftsAndTakesMemory)
{
  const auto source = Upload(Phantom<ImageType>().GetPointer(), this->GetDevice());
  const auto grafted = DeviceImageType::New();
  grafted->Graft(source);
  EXPECT_EQ(grafted->GetDevicePointer(), source->GetDevicePointer());
  EXPECT_EQ(grafted->GetComputeDevice(), this->GetDevice());
  ExpectSameGeometry<3>(grafted, source);
  ExpectSame(Pixels(grafted.GetPointer()), Pixels(source.GetPointer()));
  grafted->Graft(static_cast<const itk::DataObject *>(nullptr));
  EXPECT_EQ(grafted->GetDevicePointer(), source->GetDevicePointer());
  const auto other = itk::DeviceImage<short, 3>::New();
  EXPECT_TRUE(Contains(MessageOf([&] { grafted->Graft(other); }), "of another type"));

  // Code that knows images by their base class only shares the pixels, too.
  using BaseType = itk::ImageBase<3>;
  const auto byBase = DeviceImageType::New();
  const auto base = static_cast<BaseType *>(byBase.GetPointer());
  base->Graft(static_cast<const BaseType *>(source.GetPointer()));
  EXPECT_EQ(byBase->GetDevicePointer(), source->GetDevicePointer());
  ExpectSameGeometry<3>(byBase, source);
  const BaseType * const otherBase = other.GetPointer();
  EXPECT_TRUE(Contains(MessageOf([&] { base->Graft(otherBase); }), "of another type"));

  const auto taker = DeviceImageType::New();
  taker->SetComputeDevice(this->GetDevice());
  taker->SetRegions(source->GetLargestPossibleRegion().GetSize());
  taker->SetDeviceMemory(source->GetDeviceMemory());
  ExpectSame(Pixels(taker.GetPointer()), Pixels(source.GetPointer()));
  auto tooSmall = source->GetDeviceMemory();
  tooSmall.bytes -= 1;
  const std::string message = MessageOf([&] { taker->SetDeviceMemory(tooSmall); });
  EXPECT_TRUE(Contains(message, std::to_string(tooSmall.bytes) + " bytes"));

  const std::size_t bytes = taker->GetDeviceMemory().bytes;
  taker->SetRegions(itk::Size<3>::Filled(100));
  EXPECT_TRUE(Contains(MessageOf([&] { taker->GetDeviceArray(); }), std::to_string(bytes) + " bytes"));
}

/** Two filters and the crossing at either end: between the filters nothing crosses, counted. */
TEST_P(DeviceImage, ChainsFiltersWithoutTransfer)
{
  const auto input = Phantom<ImageType>();
  const auto upload = OnDevice<itk::DeviceUploadImageFilter<ImageType>>(this->GetDevice(), input);
  const auto bilateral = itk::CudaBilateralImageFilter<DeviceImageType>::New();
  bilateral->SetInput(upload->GetOutput());
  bilateral->SetRangeSigma(20.0);
  const auto nonLocalMeans = itk::CudaNonLocalMeansImageFilter<DeviceImageType>::New();
  nonLocalMeans->SetInput(bilateral->GetOutput());
  nonLocalMeans->SetWindowRadius(1);
  nonLocalMeans->SetPatchRadius(1);
  nonLocalMeans->SetSmoothingParameter(10.0);
  const auto download = itk::DeviceDownloadImageFilter<DeviceImageType>::New();
  download->SetInput(nonLocalMeans->GetOutput());
  download->Update();
  EXPECT_EQ(bilateral->GetHostToDeviceBytes(), 0u);
  EXPECT_EQ(bilateral->GetDeviceToHostBytes(), 0u);
  EXPECT_EQ(nonLocalMeans->GetHostToDeviceBytes(), 0u);
  EXPECT_EQ(nonLocalMeans->GetDeviceToHostBytes(), 0u);
  ExpectSameGeometry<3>(download->GetOutput(), input);

  const auto hostBilateral = OnDevice<itk::CudaBilateralImageFilter<ImageType>>(this->GetDevice(), input);
  hostBilateral->SetRangeSigma(20.0);
  const auto hostNonLocalMeans =
    OnDevice<itk::CudaNonLocalMeansImageFilter<ImageType>>(this->GetDevice(), hostBilateral->GetOutput());
  hostNonLocalMeans->SetWindowRadius(1);
  hostNonLocalMeans->SetPatchRadius(1);
  hostNonLocalMeans->SetSmoothingParameter(10.0);
  hostNonLocalMeans->Update();
  ExpectSame(Pixels(download->GetOutput()), Pixels(hostNonLocalMeans->GetOutput()));
}

/** A second update uses the memory of the first; released data comes back. */
TEST_P(DeviceImage, ReleasesAndRebuildsInPipeline)
{
  const auto upload = OnDevice<itk::DeviceUploadImageFilter<ImageType>>(this->GetDevice(), Phantom<ImageType>());
  const auto bilateral = itk::CudaBilateralImageFilter<DeviceImageType>::New();
  bilateral->SetInput(upload->GetOutput());
  bilateral->Update();
  const void * const        memory = bilateral->GetOutput()->GetDevicePointer();
  const std::vector<double> expected = Pixels(bilateral->GetOutput());
  bilateral->Modified();
  bilateral->Update();
  EXPECT_EQ(bilateral->GetOutput()->GetDevicePointer(), memory);

  upload->GetOutput()->ReleaseDataFlagOn();
  bilateral->Modified();
  bilateral->Update();
  EXPECT_TRUE(upload->GetOutput()->GetDataReleased());
  EXPECT_EQ(upload->GetOutput()->GetDevicePointer(), nullptr);
  bilateral->Modified();
  ExpectOutput(bilateral, expected);
}

CUDANEURO_TEST_ON_ALL_DEVICES(DeviceImage);

/** A download on the CPU device shares memory, which stays alive without the image it came from. */
TEST(DeviceImageTest, SharesMemoryOnTheCpu)
{
  const auto                input = Phantom<ImageType>();
  const std::vector<double> expected = Pixels(input.GetPointer());
  auto                      onDevice = Upload(input.GetPointer(), itk::ComputeDevice());
  const void * const        memory = onDevice->GetDevicePointer();

  const auto download = itk::DeviceDownloadImageFilter<DeviceImageType>::New();
  download->SetInput(onDevice);
  download->Update();
  EXPECT_EQ(download->GetOutput()->GetBufferPointer(), memory);
  onDevice = nullptr;
  download->SetInput(nullptr);
  ExpectSame(Pixels(download->GetOutput()), expected);
}

/** As a reader does that goes from file to file: the image on the host gets other pixels, and then more of them. */
TEST_P(DeviceImage, KeepsItsPixelsWhenTheHostImageChanges)
{
  const auto                input = Phantom<ImageType>();
  const std::vector<double> expected = Pixels(input.GetPointer());
  const auto                upload = OnDevice<itk::DeviceUploadImageFilter<ImageType>>(GetDevice(), input);
  upload->Update();
  const DeviceImageType::Pointer kept = upload->GetOutput();
  kept->DisconnectPipeline();
  input->FillBuffer(7.0f);
  input->Modified();
  upload->Update();
  ExpectSame(Pixels(kept.GetPointer()), expected);
  ExpectSame(Pixels(upload->GetOutput()), Pixels(input.GetPointer()));

  auto size = input->GetLargestPossibleRegion().GetSize();
  size[2] += 9;
  input->SetRegions(size);
  input->Allocate(true);
  ExpectSame(Pixels(kept.GetPointer()), expected);

  // Nor is the host image written to through the device.
  input->FillBuffer(7.0f);
  input->Modified();
  upload->UpdateLargestPossibleRegion();
  const auto scaled = itk::DeviceDownloadImageFilter<DeviceImageType>::New();
  scaled->SetInput(upload->GetOutput());
  scaled->Update();
  scaled->GetOutput()->FillBuffer(-5.0f);
  EXPECT_EQ(input->GetBufferPointer()[0], 7.0f);
}

/** Changing the device of an image lets go of its pixels. */
TEST(DeviceImageTest, ForgetsPixelsOfAnotherDevice)
{
  const auto image = Upload(Phantom<ImageType>().GetPointer(), itk::ComputeDevice());
  image->SetComputeDevice(itk::ComputeDevice());
  EXPECT_NE(image->GetDevicePointer(), nullptr);
  image->SetComputeDevice(itk::ComputeDevice(cudaneuro::Device{ 7 }));
  EXPECT_EQ(image->GetDevicePointer(), nullptr);
}

/** Memory that somebody shares is not written to by the next update. */
TEST_P(DeviceImage, KeepsSharedPixelsFromTheNextUpdate)
{
  using FilterType = itk::CudaBilateralImageFilter<DeviceImageType>;
  const auto filter = FilterType::New();
  filter->SetInput(Upload(Phantom<ImageType>().GetPointer(), GetDevice()));
  filter->Update();
  const auto * const first = filter->GetOutput()->GetDevicePointer();
  const auto         shared = DeviceImageType::New();
  shared->Graft(filter->GetOutput());
  const std::vector<double> expected = Pixels(shared.GetPointer());
  filter->SetRangeSigma(2.0 * filter->GetRangeSigma());
  filter->Update();
  EXPECT_NE(filter->GetOutput()->GetDevicePointer(), first);
  ExpectSame(Pixels(shared.GetPointer()), expected);

  // What nobody shares is used again.
  const auto * const second = filter->GetOutput()->GetDevicePointer();
  filter->SetRangeSigma(2.0 * filter->GetRangeSigma());
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetDevicePointer(), second);
}

/** An array goes into an image and out again with its memory, its size and its device. */
TEST_P(DeviceImage, ExchangesArrays)
{
  const auto                   image = Upload(Phantom<ImageType>().GetPointer(), GetDevice());
  const cudaneuro::DeviceArray array = image->GetDeviceArray();
  EXPECT_EQ(array.device, GetParam());
  EXPECT_EQ(array.type, cudaneuro::PixelType::Float);
  ASSERT_EQ(array.shape.size(), 3u);
  const auto size = image->GetLargestPossibleRegion().GetSize();
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    EXPECT_EQ(array.shape[2 - axis], static_cast<std::int64_t>(size[axis]));
  }
  const auto other = DeviceImageType::New();
  other->SetDeviceArray(array);
  EXPECT_EQ(other->GetDevicePointer(), image->GetDevicePointer());
  EXPECT_EQ(other->GetBufferedRegion().GetSize(), size);
  EXPECT_EQ(other->GetComputeDevice(), GetDevice());

  EXPECT_TRUE(Contains(MessageOf([&] { itk::DeviceImage<unsigned char, 3>::New()->SetDeviceArray(array); }),
                       "elements are of type float32 and the image's pixels of type uint8"));
  EXPECT_TRUE(Contains(MessageOf([&] { itk::DeviceImage<float, 2>::New()->SetDeviceArray(array); }),
                       "The array has 3 axes and the image 2"));
  EXPECT_TRUE(Contains(MessageOf([] { DeviceImageType::New()->GetDeviceArray(); }), "no pixels"));
}
