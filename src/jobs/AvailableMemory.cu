// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/AvailableMemory.h"

#include "cuda/GpuContext.h"

#include <algorithm>

namespace cudaneuro::gpu
{

std::size_t
AvailableBytes(Context & context, int contextsOfDevice)
{
  const GpuContext & gpu = GpuOf(context);
  return std::min(gpu.AvailableBytes() / static_cast<std::size_t>(contextsOfDevice), gpu.GetBudget().GetRemaining());
}

} // namespace cudaneuro::gpu
