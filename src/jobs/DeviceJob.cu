// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/DeviceJob.h"

#include "cuda/GpuContext.h"

namespace cudaneuro::gpu
{

void
RunDeviceJob(Context & context, const std::function<void()> & body)
{
  const GpuContext & gpu = GpuOf(context);
  const DeviceScope  scope(gpu.GetDevice());
  try
  {
    // The time of nested jobs is part of this job's time, so it is not added to it.
    const double before = StatisticsOf(context).deviceMilliseconds;
    StreamTimer  timer(gpu.ComputeStream());
    body();
    timer.Stop();
    StatisticsOf(context).deviceMilliseconds = before + timer.GetMilliseconds();
    StatisticsOf(context).numberOfSlabs = 1;
  }
  catch (...)
  {
    gpu.SynchronizeNoThrow();
    throw;
  }
}

} // namespace cudaneuro::gpu
