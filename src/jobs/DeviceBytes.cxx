// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/DeviceBytes.h"

#include "core/Dispatch.h"

#include <cstring>

namespace cudaneuro
{

void
CopyToHost(Context & context, const void * device, void * host, std::size_t bytes)
{
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      gpu::CopyToHost(context, device, host, bytes);
      return;
    }
  }
  std::memcpy(host, device, bytes);
}

void
CopyToDevice(Context & context, const void * host, void * device, std::size_t bytes)
{
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      gpu::CopyToDevice(context, host, device, bytes);
      return;
    }
  }
  std::memcpy(device, host, bytes);
}

void
EnqueueCopyToDevice(Context & context, const void * host, void * device, std::size_t bytes)
{
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      gpu::EnqueueCopyToDevice(context, host, device, bytes);
      return;
    }
  }
  std::memcpy(device, host, bytes);
}

} // namespace cudaneuro
