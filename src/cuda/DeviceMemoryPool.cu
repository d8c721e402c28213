// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/DeviceMemoryPool.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>

namespace cudaneuro
{

namespace
{

struct PoolRegistry
{
  std::mutex                                       mutex;
  std::map<int, std::unique_ptr<DeviceMemoryPool>> pools;
};

PoolRegistry &
Registry()
{
  // Never destroyed: images may outlive every static object, and the driver reclaims the memory.
  static auto * registry = new PoolRegistry;
  return *registry;
}

} // namespace

DeviceMemoryPool &
DeviceMemoryPool::OfDevice(int device)
{
  PoolRegistry &                      registry = Registry();
  const std::lock_guard<std::mutex>   lock(registry.mutex);
  std::unique_ptr<DeviceMemoryPool> & pool = registry.pools[device];
  if (!pool)
  {
    pool.reset(new DeviceMemoryPool(device));
  }
  return *pool;
}

void
DeviceMemoryPool::TrimAll()
{
  PoolRegistry &                    registry = Registry();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  for (auto & entry : registry.pools)
  {
    entry.second->Trim();
  }
}

DeviceMemoryPool::DeviceMemoryPool(int device)
  : m_Device(device)
  , m_Stream(std::make_shared<Stream>(device))
{
  int supported = 0;
  CUDANEURO_CUDA(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device));
  if (supported == 0)
  {
    return;
  }
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  CUDANEURO_CUDA(cudaMemPoolCreate(&m_Pool, &properties));
  std::uint64_t keepEverything = UINT64_MAX;
  CUDANEURO_CUDA(cudaMemPoolSetAttribute(m_Pool, cudaMemPoolAttrReleaseThreshold, &keepEverything));
}

void
DeviceMemoryPool::Trim()
{
  if (m_Pool != nullptr)
  {
    const DeviceScope scope(m_Device);
    CUDANEURO_CUDA(cudaDeviceSynchronize()); // memory freed in stream order is cached only after its stream gets there
    CUDANEURO_CUDA(cudaMemPoolTrimTo(m_Pool, 0));
  }
}

bool
DeviceMemoryPool::AllowAccess(int otherDevice)
{
  if (otherDevice == m_Device)
  {
    return true;
  }
  int isPossible = 0;
  CUDANEURO_CUDA(cudaDeviceCanAccessPeer(&isPossible, otherDevice, m_Device));
  if (m_Pool == nullptr || isPossible == 0)
  {
    return false;
  }
  cudaMemAccessDesc access{};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = otherDevice;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  CUDANEURO_CUDA(cudaMemPoolSetAccess(m_Pool, &access, 1));
  return true;
}

std::size_t
DeviceMemoryPool::AvailableBytes() const
{
  const DeviceScope scope(m_Device);
  std::size_t       free = 0;
  std::size_t       total = 0;
  CUDANEURO_CUDA(cudaMemGetInfo(&free, &total));
  return free + this->CachedBytes();
}

std::size_t
DeviceMemoryPool::CachedBytes() const
{
  const std::size_t reserved = this->GetAttribute(cudaMemPoolAttrReservedMemCurrent);
  return reserved - std::min(reserved, this->UsedBytes()); // other threads may allocate in between
}

std::size_t
DeviceMemoryPool::GetAttribute(cudaMemPoolAttr attribute) const
{
  std::uint64_t value = 0;
  if (m_Pool != nullptr)
  {
    CUDANEURO_CUDA(cudaMemPoolGetAttribute(m_Pool, attribute, &value));
  }
  return static_cast<std::size_t>(value);
}

std::size_t
DeviceMemoryPool::UsedBytes() const
{
  return this->GetAttribute(cudaMemPoolAttrUsedMemCurrent);
}

std::size_t
DeviceMemoryPool::PeakBytes() const
{
  return this->GetAttribute(cudaMemPoolAttrUsedMemHigh);
}

void
DeviceMemoryPool::ResetPeak()
{
  if (m_Pool != nullptr)
  {
    std::uint64_t none = 0; // the only value that CUDA accepts
    CUDANEURO_CUDA(cudaMemPoolSetAttribute(m_Pool, cudaMemPoolAttrUsedMemHigh, &none));
  }
}

DeviceMemory
DeviceMemoryPool::AllocateForAllStreams(std::size_t bytes)
{
  const DeviceScope scope(m_Device);
  DeviceMemory      memory = this->Allocate(bytes, m_Stream);
  CUDANEURO_CUDA(cudaStreamSynchronize(m_Stream->Get()));
  return memory;
}

cudaError_t
DeviceMemoryPool::TryOnce(void *& data, std::size_t bytes, const Stream & stream) const
{
  const std::size_t capacity = m_Capacity;
  if (capacity != 0 && this->UsedBytes() + bytes > capacity)
  {
    return cudaErrorMemoryAllocation;
  }
  return m_Pool != nullptr ? cudaMallocFromPoolAsync(&data, bytes, m_Pool, stream.Get()) : cudaMalloc(&data, bytes);
}

void
DeviceMemoryPool::ThrowOutOfMemory(std::size_t bytes) const
{
  std::size_t free = 0;
  std::size_t total = 0;
  CUDANEURO_CUDA(cudaMemGetInfo(&free, &total));
  const std::size_t reserved = this->GetAttribute(cudaMemPoolAttrReservedMemCurrent);
  const std::size_t used = std::min(reserved, this->UsedBytes()); // other threads may allocate in between
  throw OutOfMemoryError("Allocation of " + std::to_string(bytes) + " bytes on CUDA device " + std::to_string(m_Device),
                         bytes,
                         free,
                         OutOfMemoryError::Bound::FreeMemory,
                         "of the device's " + std::to_string(total) + " bytes, this process uses " +
                           std::to_string(used) + " and has " + std::to_string(reserved - used) +
                           " more in pieces that do not serve");
}

DeviceMemory
DeviceMemoryPool::Allocate(std::size_t bytes, const std::shared_ptr<Stream> & stream)
{
  const DeviceScope scope(m_Device);
  void *            data = nullptr;
  cudaError_t       status = this->TryOnce(data, bytes, *stream);
  if (status == cudaErrorMemoryAllocation)
  {
    cudaGetLastError();
    this->Trim(); // cached blocks of other sizes may prevent the allocation
    status = this->TryOnce(data, bytes, *stream);
    if (status == cudaErrorMemoryAllocation)
    {
      cudaGetLastError();
      this->ThrowOutOfMemory(bytes);
    }
  }
  CheckCuda(status, "allocation of device memory", __FILE__, __LINE__);

  const bool fromPool = m_Pool != nullptr;
  const auto release = [stream, fromPool](void * p) {
    // Not checked: at the end of the process the driver may have ended, and its memory with it.
    if (fromPool)
    {
      cudaFreeAsync(p, stream->Get());
    }
    else
    {
      cudaFree(p);
    }
    cudaGetLastError();
  };
  return { std::shared_ptr<void>(data, release), bytes };
}

} // namespace cudaneuro
