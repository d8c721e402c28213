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

/** Returns the bytes of the device that the context may allocate now, if \p contextsOfDevice contexts share them. */
std::size_t
AvailableBytes(Context & context, int contextsOfDevice = 1);

} // namespace cudaneuro::gpu

namespace cudaneuro
{

/** Returns for how many planes of a volume the context's device has memory, at most all of them; on the CPU all. */
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
