// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/Member.h"

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
CopyToHost(Context & context, std::int64_t voxels, const SoAField & device, void * host)
{
  auto * to = static_cast<float *>(host);
  for (const float * const component : { device.x, device.y, device.z })
  {
    CopyToHost(context, component, to, static_cast<std::size_t>(voxels) * sizeof(float));
    to += voxels;
  }
}

void
CopyToDevice(Context & context, std::int64_t voxels, const void * host, const SoAField & device)
{
  const auto * from = static_cast<const float *>(host);
  for (float * const component : { device.x, device.y, device.z })
  {
    CopyToDevice(context, from, component, static_cast<std::size_t>(voxels) * sizeof(float));
    from += voxels;
  }
}

} // namespace cudaneuro
