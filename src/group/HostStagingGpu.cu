// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "group/HostStaging.h"

#include "cuda/GpuContext.h"

namespace cudaneuro
{

void *
HostStaging::FetchBytes(const void * values, std::size_t bytes)
{
  const cudaStream_t stream = GpuOf(m_Context).ComputeStream();
  if (bytes > m_MemoryBytes)
  {
    CUDANEURO_CUDA(cudaStreamSynchronize(stream)); // The last delivery may still read the memory.
    m_Memory = AllocatePinned(m_Context.GetDevice(), bytes);
    m_MemoryBytes = bytes;
  }
  CUDANEURO_CUDA(cudaMemcpyAsync(m_Memory.get(), values, bytes, cudaMemcpyDeviceToHost, stream));
  CUDANEURO_CUDA(cudaStreamSynchronize(stream));
  StatisticsOf(m_Context).deviceToHostBytes += bytes;
  return m_Memory.get();
}

void
HostStaging::DeliverBytes(void * values, std::size_t bytes)
{
  const cudaStream_t stream = GpuOf(m_Context).ComputeStream();
  CUDANEURO_CUDA(cudaMemcpyAsync(values, m_Memory.get(), bytes, cudaMemcpyHostToDevice, stream));
  StatisticsOf(m_Context).hostToDeviceBytes += bytes;
}

} // namespace cudaneuro
