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

/** Runs \p body with the context's CUDA device current, waits for the work that it enqueued, and sets the statistics'
 * time on the device. After an exception, too, none of the caller's memory is in use any more. */
void
RunDeviceJob(Context & context, const std::function<void()> & body);

} // namespace gpu

/** Runs \p body, which consists of operations on whole volumes, on the context's device. */
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
