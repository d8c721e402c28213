// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/GpuContext.h"

#include "cuda/DeviceMemoryPool.h"

#include <atomic>

namespace cudaneuro
{

namespace
{
std::atomic<int> numberOfStreams{ 0 };
}

Stream::Stream(int device)
  : m_Device(device)
{
  const DeviceScope scope(device);
  CUDANEURO_CUDA(cudaStreamCreateWithFlags(&m_Stream, cudaStreamNonBlocking));
  ++numberOfStreams;
}

Stream::~Stream()
{
  cudaStreamDestroy(m_Stream);
  --numberOfStreams;
}

int
Stream::GetNumberAlive() noexcept
{
  return numberOfStreams;
}

Event::Event(unsigned int flags)
{
  CUDANEURO_CUDA(cudaEventCreateWithFlags(&m_Event, flags));
}

Event::~Event()
{
  cudaEventDestroy(m_Event);
}

GpuContext::GpuContext(int device, std::shared_ptr<MemoryBudget> budget)
  : m_Compute(std::make_shared<Stream>(device))
  , m_Upload(std::make_shared<Stream>(device))
  , m_Download(std::make_shared<Stream>(device))
  , m_Budget(std::move(budget))
{
  CUDANEURO_CUDA(cudaDeviceGetAttribute(&m_NumberOfMultiprocessors, cudaDevAttrMultiProcessorCount, device));
  m_MultiprocessorsOfShare = m_NumberOfMultiprocessors;
  int sharedBytes = 0;
  CUDANEURO_CUDA(cudaDeviceGetAttribute(&sharedBytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  m_SharedBytesPerBlock = static_cast<std::size_t>(sharedBytes);
}

std::size_t
GpuContext::AvailableBytes() const
{
  return DeviceMemoryPool::OfDevice(this->GetDevice()).AvailableBytes();
}

DeviceMemory
GpuContext::Allocate(std::size_t bytes) const
{
  const auto allocate = [&] { return DeviceMemoryPool::OfDevice(this->GetDevice()).Allocate(bytes, m_Compute).owner; };
  return { MemoryBudget::Allocate(m_Budget, bytes, allocate), bytes };
}

void
GpuContext::SynchronizeNoThrow() const noexcept
{
  cudaStreamSynchronize(m_Upload->Get());
  cudaStreamSynchronize(m_Compute->Get());
  cudaStreamSynchronize(m_Download->Get());
}

} // namespace cudaneuro
