// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "itkCudaNeuroDetail.h"
#include "itkDeviceImage.h"
#include "itkPinnedImageContainer.h"

#include <memory>
#include <numeric>

namespace
{

using ContainerType = itk::PinnedImageContainer<short>;

} // namespace

class PinnedImageContainer : public DeviceTest
{
protected:
  ContainerType::Pointer
  MakeContainer() const
  {
    const auto container = ContainerType::New();
    container->SetComputeDevice(itk::ComputeDevice(GetParam()));
    return container;
  }
};

TEST_P(PinnedImageContainer, GrowsAndShrinks)
{
  const auto container = this->MakeContainer();
  EXPECT_EQ(container->GetComputeDevice(), itk::ComputeDevice(GetParam()));
  container->Reserve(1000);
  ASSERT_EQ(container->Size(), 1000u);
  std::iota(container->GetBufferPointer(), container->GetBufferPointer() + 1000, short{ 0 });

  container->Reserve(50000);
  ASSERT_EQ(container->Size(), 50000u);
  EXPECT_GE(container->Capacity(), 50000u);
  for (short i = 0; i < 1000; ++i)
  {
    ASSERT_EQ((*container)[i], i) << "what was there is copied";
  }
  const short * const memory = container->GetBufferPointer();
  container->Reserve(500);
  EXPECT_EQ(container->GetBufferPointer(), memory) << "memory that suffices is kept";
  EXPECT_EQ(container->Size(), 500u);

  container->Squeeze();
  EXPECT_EQ(container->Capacity(), 500u);
  for (short i = 0; i < 500; ++i)
  {
    ASSERT_EQ((*container)[i], i);
  }
  container->Initialize();
  EXPECT_EQ(container->Size(), 0u);
  EXPECT_EQ(container->GetBufferPointer(), nullptr);
  container->Reserve(10, true);
  EXPECT_EQ(std::accumulate(container->GetBufferPointer(), container->GetBufferPointer() + 10, 0), 0);
}

/** Memory of others comes and goes as in itk::ImportImageContainer. */
TEST_P(PinnedImageContainer, ImportsMemory)
{
  const auto         container = this->MakeContainer();
  std::vector<short> borrowed(100, 7);
  container->Reserve(10);
  container->SetImportPointer(borrowed.data(), borrowed.size(), false);
  EXPECT_EQ(container->GetBufferPointer(), borrowed.data());
  EXPECT_EQ(container->Size(), 100u);

  auto * const owned = new short[20];
  container->SetImportPointer(owned, 20, true);
  EXPECT_EQ(container->GetBufferPointer(), owned);
  container->Reserve(1000);
  EXPECT_NE(container->GetBufferPointer(), owned);
  EXPECT_EQ(borrowed[99], 7);
}

/** Shared memory is let go of when replaced and when the container ends. */
TEST_P(PinnedImageContainer, SharesMemory)
{
  std::weak_ptr<void> first;
  std::weak_ptr<void> second;
  {
    const auto container = this->MakeContainer();
    for (std::weak_ptr<void> * const watch : { &first, &second })
    {
      const std::shared_ptr<void> memory = cudaneuro::AllocatePinned(GetParam(), 200);
      *watch = memory;
      container->ShareMemory(memory, 100);
      EXPECT_EQ(static_cast<void *>(container->GetBufferPointer()), memory.get());
    }
    EXPECT_TRUE(first.expired());
    EXPECT_FALSE(second.expired());
  }
  EXPECT_TRUE(second.expired());
}

/** An image does not notice what its pixels lie in. */
TEST_P(PinnedImageContainer, HoldsPixelsOfAnImage)
{
  const auto image = itk::Image<short, 3>::New();
  image->SetPixelContainer(this->MakeContainer());
  image->SetRegions(itk::Size<3>{ { 10, 9, 8 } });
  image->Allocate();
  image->FillBuffer(5);
  EXPECT_EQ(image->GetPixel({ { 9, 8, 7 } }), 5);
  image->SetRegions(itk::Size<3>{ { 20, 19, 18 } });
  image->Allocate();
  image->FillBuffer(6);
  EXPECT_EQ(image->GetPixel({ { 19, 18, 17 } }), 6);
  image->Initialize();
  EXPECT_EQ(image->GetBufferPointer(), nullptr);
}

CUDANEURO_TEST_ON_ALL_DEVICES(PinnedImageContainer);
