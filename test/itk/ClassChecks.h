// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ClassChecks_h
#define ClassChecks_h

#include "ParameterTable.h"
#include "TestImages.h"
#include "itkComputeDevice.h"

#include <gtest/gtest.h>

/** What all classes have: names, Print, the device, its memory and what is copied to it. */
namespace classchecks
{

using namespace parametertable;
using namespace testimages;

/** What all classes have that compute on a device. */
template <typename TProcess>
void
CheckProcess(const char * name)
{
  const auto process = TProcess::New();
  EXPECT_STREQ(process->GetNameOfClass(), name);
  EXPECT_EQ(process->GetReferenceCount(), 1);
  const itk::LightObject::Pointer another = process->CreateAnother();
  EXPECT_NE(dynamic_cast<TProcess *>(another.GetPointer()), nullptr);
  EXPECT_NE(another.GetPointer(), process.GetPointer());
  ExpectPrints(process,
               { name,
                 "ComputeDevice: (default)",
                 "MaximumDeviceMemory: 0",
                 "HostToDeviceBytes: 0",
                 "DeviceToHostBytes: 0",
                 "DeviceMilliseconds: 0" });
  EXPECT_EQ(process->GetMaximumDeviceMemory(), 0u);
  ExpectSets(process.GetPointer(), &TProcess::SetMaximumDeviceMemory, &TProcess::GetMaximumDeviceMemory, 123456u);
  const auto before = process->GetMTime();
  process->SetComputeDevice(itk::ComputeDevice());
  EXPECT_GT(process->GetMTime(), before) << "from the default to a device is a change";
  EXPECT_EQ(process->GetComputeDevice(), itk::ComputeDevice());
  ExpectPrints(process, { "ComputeDevice: cpu", "MaximumDeviceMemory: 123456" });
}

/** And filters of images. */
template <typename TFilter>
void
CheckBasics(const char * name)
{
  CheckProcess<TFilter>(name);
  const auto filter = TFilter::New();
  ExpectPrints(filter, { "UsePinnedOutput: On", "NumberOfSlabs: 0" });
  EXPECT_TRUE(filter->GetUsePinnedOutput());
  ExpectSets(filter.GetPointer(), &TFilter::SetUsePinnedOutput, &TFilter::GetUsePinnedOutput, false);
  ExpectPrints(filter, { "UsePinnedOutput: Off" });
}

} // namespace classchecks

#endif
