// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/Member.h"
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

void
ShareDevice(Context & context, int contextsOfDevice)
{
  GpuOf(context).ShareDevice(contextsOfDevice);
}

void
CopyToHost(Context & context, const void * device, void * host, std::size_t bytes)
{
  const cudaStream_t stream = GpuOf(context).ComputeStream();
  CUDANEURO_CUDA(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream));
  CUDANEURO_CUDA(cudaStreamSynchronize(stream));
}

void
CopyToDevice(Context & context, const void * host, void * device, std::size_t bytes)
{
  const cudaStream_t stream = GpuOf(context).ComputeStream();
  CUDANEURO_CUDA(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream));
  CUDANEURO_CUDA(cudaStreamSynchronize(stream));
}

} // namespace cudaneuro::gpu
