// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "core/CudaRuntime.h"
#include "core/Dispatch.h"
#include "itkDeviceImage.h"

#include <vector>

class DeviceStreams : public DeviceTest
{};

/** Images share the stream on which their memory is allocated. */
TEST_P(DeviceStreams, ImagesMakeNone)
{
  using ImageType = itk::DeviceImage<float, 3>;
  const auto makeImage = [&] {
    const auto image = ImageType::New();
    image->SetComputeDevice(itk::ComputeDevice(this->GetParam()));
    image->SetRegions(ImageType::SizeType{ { 30, 20, 10 } });
    image->Allocate();
    return image;
  };
  const auto numberOfStreams = [] {
    if constexpr (cudaneuro::builtWithCuda)
    {
      return cudaneuro::gpu::GetNumberOfStreams();
    }
    return 0;
  };
  const ImageType::Pointer        first = makeImage();
  const int                       before = numberOfStreams();
  std::vector<ImageType::Pointer> images;
  for (int i = 0; i < 50; ++i)
  {
    images.push_back(makeImage());
    EXPECT_NE(images.back()->GetDevicePointer(), nullptr);
  }
  EXPECT_EQ(numberOfStreams(), before);
  if (this->GetParam().IsCuda())
  {
    EXPECT_GT(before, 0) << "streams are not counted";
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(DeviceStreams);
