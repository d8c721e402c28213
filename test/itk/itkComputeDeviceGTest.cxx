// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "TestImages.h"
#include "itkComputeDevice.h"
#include "itkCudaBilateralImageFilter.h"
#include "itkCudaNeuroException.h"
#include "itksys/SystemTools.hxx"

#include <sstream>

using namespace testimages;
using itk::ComputeDevice;

namespace
{

/** CUDANEURO_DEVICE, until destroyed. */
class DeviceVariable
{
public:
  explicit DeviceVariable(const std::string & value)
  {
    m_WasSet = itksys::SystemTools::GetEnv("CUDANEURO_DEVICE", m_Before);
    itksys::SystemTools::PutEnv("CUDANEURO_DEVICE=" + value);
  }
  ~DeviceVariable()
  {
    if (m_WasSet)
    {
      itksys::SystemTools::PutEnv("CUDANEURO_DEVICE=" + m_Before);
    }
    else
    {
      itksys::SystemTools::UnPutEnv("CUDANEURO_DEVICE");
    }
  }
  DeviceVariable(const DeviceVariable &) = delete;
  DeviceVariable &
  operator=(const DeviceVariable &) = delete;

private:
  bool        m_WasSet = false;
  std::string m_Before;
};

std::string
MessageFor(const std::string & name)
{
  return MessageOf([&] { ComputeDevice::FromName(name); });
}

} // namespace

TEST(ComputeDevice, IsTheCpuByDefault)
{
  const ComputeDevice device;
  EXPECT_FALSE(device.IsCuda());
  EXPECT_EQ(device.GetName(), "cpu");
  EXPECT_EQ(device, ComputeDevice::FromName("cpu"));
  EXPECT_NE(device, ComputeDevice(cudaneuro::Device{ 0 }));
  std::ostringstream text;
  text << device << ' ' << ComputeDevice(cudaneuro::Device{ 3 });
  EXPECT_EQ(text.str(), "cpu cuda:3");
  EXPECT_TRUE(Contains(device.GetDescription(), "threads"));
  EXPECT_GE(device.GetTotalMemory(), device.GetFreeMemory());
}

TEST(ComputeDevice, RejectsUnknownNamesAndListsDevices)
{
  for (const char * const name : { "gpu", "", "cuda:", "cuda:x", "cuda:-1", "cuda:0 ", "CPU", "cuda:99999999999" })
  {
    EXPECT_TRUE(Contains(MessageFor(name), std::string("Unknown device \"") + name + '"'));
    EXPECT_TRUE(Contains(MessageFor(name), "cpu     CPU"));
  }
  EXPECT_TRUE(Contains(MessageFor("cuda:99"), "There is no device \"cuda:99\""));
  EXPECT_TRUE(Contains(MessageFor("cuda:99"), "cpu     CPU"));
}

TEST(ComputeDevice, NeverThrowsWhenAsked)
{
  EXPECT_EQ(ComputeDevice::IsCudaAvailable(), ComputeDevice::GetNumberOfCudaDevices() > 0);
  EXPECT_TRUE(Contains(ComputeDevice::ListDevices(), "cpu "));
  EXPECT_NO_THROW(ComputeDevice::ReleaseCachedMemory());
}

TEST(ComputeDevice, FollowsEnvironmentVariable)
{
  {
    const DeviceVariable variable("cpu");
    EXPECT_EQ(ComputeDevice::GetDefault(), ComputeDevice());
  }
  {
    const DeviceVariable variable("auto");
    EXPECT_EQ(ComputeDevice::GetDefault().IsCuda(), ComputeDevice::IsCudaAvailable());
  }
  {
    const DeviceVariable variable("");
    EXPECT_EQ(ComputeDevice::GetDefault().IsCuda(), ComputeDevice::IsCudaAvailable());
  }
  for (const char * const name : { "cuda:99", "toaster" })
  {
    const DeviceVariable variable(name);
    const std::string    message = MessageOf([] { ComputeDevice::GetDefault(); });
    EXPECT_TRUE(Contains(message, "CUDANEURO_DEVICE"));
    EXPECT_TRUE(Contains(message, name));
    EXPECT_TRUE(Contains(message, "cpu     CPU"));
  }
}

/** Filters ask when they run, not when they are made. */
TEST(ComputeDevice, OfFiltersIsTheDefaultUntilSet)
{
  using ImageType = itk::Image<float, 2>;
  const auto filter = itk::CudaBilateralImageFilter<ImageType>::New();
  filter->SetInput(Phantom<ImageType>());
  {
    const DeviceVariable variable("cpu");
    EXPECT_EQ(filter->GetComputeDevice(), ComputeDevice());
    filter->Update();
    EXPECT_EQ(filter->GetNumberOfSlabs(), 0u);
  }
  {
    const DeviceVariable variable("toaster");
    filter->Modified();
    EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "CUDANEURO_DEVICE"));
    filter->SetComputeDevice(ComputeDevice());
    EXPECT_EQ(MessageOf([&] { filter->Update(); }), "");
  }
}

/** What users see on a machine without a GPU. */
TEST(ComputeDevice, FallsBackToTheCpuWithoutDriver)
{
  if (ComputeDevice::IsCudaAvailable())
  {
    GTEST_SKIP() << "there is a CUDA device";
  }
  EXPECT_EQ(ComputeDevice::FromName("auto"), ComputeDevice());
  EXPECT_EQ(ComputeDevice::GetNumberOfCudaDevices(), 0u);
  EXPECT_FALSE(cudaneuro::GetReasonForNoCudaDevice().empty());
  const std::string message = MessageFor("cuda:0");
  EXPECT_TRUE(Contains(message, "There is no device \"cuda:0\""));
  EXPECT_TRUE(Contains(message, "no CUDA device: " + cudaneuro::GetReasonForNoCudaDevice()));

  using ImageType = itk::Image<float, 2>;
  const auto filter = itk::CudaBilateralImageFilter<ImageType>::New();
  filter->SetInput(Phantom<ImageType>());
  filter->SetComputeDevice(ComputeDevice(cudaneuro::Device{ 0 }));
  EXPECT_TRUE(Contains(MessageOf<itk::CudaNeuroException>([&] { filter->Update(); }), "CUDA device 0"));
  EXPECT_TRUE(
    Contains(MessageOf<itk::CudaNeuroException>([&] { filter->GetComputeDevice().Prepare(); }), "CUDA device 0"));
  ComputeDevice().Prepare(); // nothing to do
}

TEST(ComputeDevice, DescribesCuda0)
{
  if (!ComputeDevice::IsCudaAvailable())
  {
    GTEST_SKIP() << "no CUDA device: " << cudaneuro::GetReasonForNoCudaDevice();
  }
  const ComputeDevice device = ComputeDevice::FromName("cuda:0");
  EXPECT_EQ(device, ComputeDevice::FromName("cuda"));
  EXPECT_EQ(device, ComputeDevice::FromName("auto"));
  EXPECT_EQ(device, ComputeDevice::FromName(device.GetName()));
  EXPECT_TRUE(Contains(device.GetDescription(), "compute capability"));
  EXPECT_GT(device.GetTotalMemory(), 0u);
  EXPECT_LE(device.GetFreeMemory(), device.GetTotalMemory());
  EXPECT_TRUE(Contains(ComputeDevice::ListDevices(), "cuda:0  "));
  device.Prepare();
}
