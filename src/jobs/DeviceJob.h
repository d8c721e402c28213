// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_DeviceJob_h
#define cudaneuro_jobs_DeviceJob_h

#include "core/Dispatch.h"
#include "cudaneuro/Context.h"

#include <functional>

namespace cudaneuro
{
namespace gpu
{

/** Runs \p body with the context's CUDA device current, waits for what it has enqueued, and sets the statistics' time
 * on the device. Also when an exception passes, nothing of the caller's is in use afterwards. */
void
RunDeviceJob(Context & context, const std::function<void()> & body);

} // namespace gpu

/** Runs \p body, which is made of operations on whole volumes, on the context's device. */
template <typename TBody>
void
RunDeviceJob(Context & context, const TBody & body)
{
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      gpu::RunDeviceJob(context, body);
      return;
    }
  }
  body();
}

} // namespace cudaneuro

#endif
