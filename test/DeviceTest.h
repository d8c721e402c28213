// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef DeviceTest_h
#define DeviceTest_h

#include "ExpectedErrors.h"
#include "cudaneuro/Context.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

/** A test that runs on a device: the names of its instances end in "Cpu" or "Cuda0". It is skipped, and reported as
 * skipped, where there is no such device. */
class DeviceTest : public ::testing::TestWithParam<cudaneuro::Device>
{
protected:
  void
  SetUp() override
  {
    if (this->GetParam().IsCuda() && cudaneuro::GetNumberOfCudaDevices() == 0)
    {
      GTEST_SKIP() << "no CUDA device: " << cudaneuro::GetReasonForNoCudaDevice();
    }
    m_Context = std::make_unique<cudaneuro::Context>(this->GetParam());
  }

  cudaneuro::Context &
  GetContext()
  {
    return *m_Context;
  }

private:
  std::unique_ptr<cudaneuro::Context> m_Context;
};

inline std::string
DeviceTestName(const ::testing::TestParamInfo<cudaneuro::Device> & info)
{
  return info.param.IsCuda() ? "Cuda" + std::to_string(info.param.cudaIndex) : "Cpu";
}

/** Runs the tests of a fixture derived from DeviceTest on the CPU and on the first CUDA device. */
#define CUDANEURO_TEST_ON_ALL_DEVICES(fixture) \
  INSTANTIATE_TEST_SUITE_P(, fixture, ::testing::Values(cudaneuro::Device{}, cudaneuro::Device{ 0 }), DeviceTestName)

/** Runs them on the first CUDA device only. */
#define CUDANEURO_TEST_ON_CUDA(fixture) \
  INSTANTIATE_TEST_SUITE_P(, fixture, ::testing::Values(cudaneuro::Device{ 0 }), DeviceTestName)

template <typename T>
cudaneuro::ConstVolume
ConstView(const std::vector<T> & values)
{
  return { values.empty() ? nullptr : values.data(), cudaneuro::PixelTypeOf<T>::value, cudaneuro::MemorySpace::Host };
}

template <typename T>
cudaneuro::Volume
View(std::vector<T> & values)
{
  return { values.empty() ? nullptr : values.data(), cudaneuro::PixelTypeOf<T>::value, cudaneuro::MemorySpace::Host };
}

#endif
