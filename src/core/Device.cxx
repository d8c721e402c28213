// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/Device.h"

#include "core/CudaRuntime.h"
#include "core/Dispatch.h"
#include "core/HostMemory.h"
#include "cudaneuro/Error.h"

#include <thread>

namespace cudaneuro
{

bool
IsBuiltWithCuda() noexcept
{
  return builtWithCuda;
}

int
GetNumberOfCudaDevices() noexcept
{
  if constexpr (builtWithCuda)
  {
    return gpu::GetNumberOfDevices();
  }
  return 0;
}

std::string
GetReasonForNoCudaDevice()
{
  if constexpr (builtWithCuda)
  {
    return gpu::GetReasonForNoDevice();
  }
  return "this build has no CUDA";
}

DeviceProperties
GetDeviceProperties(const Device & device)
{
  if constexpr (builtWithCuda)
  {
    if (device.IsCuda())
    {
      return gpu::GetProperties(device.cudaIndex);
    }
  }
  if (device.IsCuda())
  {
    throw Error("Use of CUDA device " + std::to_string(device.cudaIndex), GetReasonForNoCudaDevice());
  }
  DeviceProperties properties;
  properties.name = "CPU, " + std::to_string(std::thread::hardware_concurrency()) + " threads";
  properties.totalBytes = TotalHostBytes();
  properties.freeBytes = FreeHostBytes();
  return properties;
}

void
ReleaseCachedMemory()
{
  if constexpr (builtWithCuda)
  {
    gpu::ReleaseCachedMemory();
  }
}

} // namespace cudaneuro
