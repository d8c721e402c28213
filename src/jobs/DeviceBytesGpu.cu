// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/ContextAccess.h"
#include "cuda/GpuContext.h"
#include "jobs/DeviceBytes.h"

namespace cudaneuro::gpu
{

void
CopyToHost(Context & context, const void * device, void * host, std::size_t bytes)
{
  const GpuContext & gpu = GpuOf(context);
  const DeviceScope  scope(gpu.GetDevice());
  CUDANEURO_CUDA(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, gpu.ComputeStream()));
  CUDANEURO_CUDA(cudaStreamSynchronize(gpu.ComputeStream()));
  StatisticsOf(context).deviceToHostBytes += bytes;
}

void
CopyToDevice(Context & context, const void * host, void * device, std::size_t bytes)
{
  gpu::EnqueueCopyToDevice(context, host, device, bytes);
  CUDANEURO_CUDA(cudaStreamSynchronize(GpuOf(context).ComputeStream()));
}

void
EnqueueCopyToDevice(Context & context, const void * host, void * device, std::size_t bytes)
{
  const GpuContext & gpu = GpuOf(context);
  const DeviceScope  scope(gpu.GetDevice());
  CUDANEURO_CUDA(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, gpu.ComputeStream()));
  StatisticsOf(context).hostToDeviceBytes += bytes;
}

} // namespace cudaneuro::gpu
