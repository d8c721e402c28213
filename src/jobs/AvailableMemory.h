// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_AvailableMemory_h
#define cudaneuro_jobs_AvailableMemory_h

#include "core/Dispatch.h"
#include "cudaneuro/Context.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace cudaneuro::gpu
{

/** Bytes of the device that the context may allocate now, when so many contexts share the device's memory. */
std::size_t
AvailableBytes(Context & context, int contextsOfDevice = 1);

} // namespace cudaneuro::gpu

namespace cudaneuro
{

/** The planes of a volume, all at most, for which the context's device has memory of so many bytes a voxel; on the CPU all. */
inline std::int64_t
PlanesThatFit(Context & context, const Grid & grid, std::size_t bytesPerVoxel)
{
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      const std::size_t perPlane = bytesPerVoxel * static_cast<std::size_t>(grid.VoxelsPerPlane());
      return std::min(static_cast<std::int64_t>(gpu::AvailableBytes(context) / perPlane), grid.size[2]);
    }
  }
  return grid.size[2];
}

} // namespace cudaneuro

#endif
