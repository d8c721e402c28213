// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/Member.h"
#include "cuda/GpuContext.h"

namespace cudaneuro::gpu
{

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
