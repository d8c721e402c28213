// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_Device_h
#define cudaneuro_Device_h

#include "CudaNeuroExport.h"

#include <cstddef>
#include <string>

namespace cudaneuro
{

/** The CPU, or one CUDA device. */
struct Device
{
  /** Index of the CUDA device, or -1 for the CPU. */
  int cudaIndex = -1;
  /** Whether it is a CUDA device; equality of two devices. */
  bool
  IsCuda() const
  {
    return cudaIndex >= 0;
  }
  friend bool
  operator==(const Device & a, const Device & b)
  {
    return a.cudaIndex == b.cudaIndex;
  }
  friend bool
  operator!=(const Device & a, const Device & b)
  {
    return !(a == b);
  }
};

/** Name and size of a device. Numbers of bytes are 0 where those of the CPU are unknown. */
struct DeviceProperties
{
  std::string name;
  int         computeCapabilityMajor = 0;
  int         computeCapabilityMinor = 0;
  int         numberOfMultiprocessors = 0;
  std::size_t totalBytes = 0;
  std::size_t freeBytes = 0;
};

/** Whether this library was compiled with CUDA. */
CudaNeuro_EXPORT bool
IsBuiltWithCuda() noexcept;

/** Returns the number of usable CUDA devices; 0 without a driver, without a device, or in a build without CUDA. */
CudaNeuro_EXPORT int
GetNumberOfCudaDevices() noexcept;

/** Returns why GetNumberOfCudaDevices is 0, or an empty string. */
CudaNeuro_EXPORT std::string
                 GetReasonForNoCudaDevice();

/** Returns the properties of a device. \throws Error when the device does not exist. */
CudaNeuro_EXPORT DeviceProperties
GetDeviceProperties(const Device & device);

/** Returns cached device memory and cached pinned host memory to the system. */
CudaNeuro_EXPORT void
ReleaseCachedMemory();

} // namespace cudaneuro

#endif
