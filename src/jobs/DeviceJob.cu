// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/DeviceJob.h"

#include "cuda/GpuContext.h"

namespace cudaneuro::gpu
{

void
RunDeviceJob(Context & context, const std::function<void()> & body)
{
  GpuContext &      gpu = context.Gpu();
  const DeviceScope scope(gpu.GetDevice());
  try
  {
    Event begin(cudaEventDefault);
    Event end(cudaEventDefault);
    begin.Record(gpu.ComputeStream());
    body();
    end.Record(gpu.ComputeStream());
    end.Synchronize();
    float milliseconds = 0.0f;
    CUDANEURO_CUDA(cudaEventElapsedTime(&milliseconds, begin.Get(), end.Get()));
    context.GetStatistics().deviceMilliseconds = milliseconds;
    context.GetStatistics().numberOfSlabs = 1;
  }
  catch (...)
  {
    gpu.SynchronizeNoThrow();
    throw;
  }
}

} // namespace cudaneuro::gpu
