// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ItkDeviceTest_h
#define ItkDeviceTest_h

#include "DeviceTest.h"
#include "itkComputeDevice.h"

/** A test of an ITK class that runs on a device. */
class ItkDeviceTest : public DeviceTest
{
protected:
  itk::ComputeDevice
  GetDevice() const
  {
    return itk::ComputeDevice(GetParam());
  }
};

#endif
