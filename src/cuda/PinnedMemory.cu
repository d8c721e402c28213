// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/PinnedMemory.h"
#include "core/IntegerMath.h"

#include "core/HostMemory.h"
#include "cuda/CudaCheck.h"

#include <map>
#include <mutex>

namespace cudaneuro::pinned
{

namespace
{

/** Page-locking 400 MB takes longer than every filter of this library: freed blocks wait here for the next user. */
class Pool
{
public:
  static Pool &
  Instance()
  {
    // Never destroyed: images may outlive every static object.
    static auto * pool = new Pool;
    return *pool;
  }

  /** The smallest unused block of at least \p bytes that does not waste more than half of itself, or null. */
  void *
  Take(std::size_t bytes, std::size_t & blockBytes)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    const auto                        it = m_Unused.lower_bound(bytes);
    if (it == m_Unused.end() || it->first / 2 > bytes)
    {
      return nullptr;
    }
    void * data = it->second;
    blockBytes = it->first;
    m_UnusedBytes -= it->first;
    m_Unused.erase(it);
    return data;
  }

  void
  Give(void * data, std::size_t bytes)
  {
    {
      const std::lock_guard<std::mutex> lock(m_Mutex);
      if (m_UnusedBytes + bytes <= m_MaximumUnusedBytes)
      {
        m_Unused.emplace(bytes, data);
        m_UnusedBytes += bytes;
        return;
      }
    }
    cudaFreeHost(data);
    cudaGetLastError();
  }

  void
  Trim()
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    for (const auto & entry : m_Unused)
    {
      cudaFreeHost(entry.second);
      cudaGetLastError();
    }
    m_Unused.clear();
    m_UnusedBytes = 0;
  }

private:
  std::mutex                         m_Mutex;
  std::multimap<std::size_t, void *> m_Unused;
  std::size_t                        m_UnusedBytes = 0;
  /** Page-locked memory is lost to the rest of the machine: keep at most an eighth of it idle. */
  const std::size_t m_MaximumUnusedBytes = TotalHostBytes() / 8;
};
} // namespace

std::shared_ptr<void>
Allocate(int device, std::size_t bytes)
{
  Pool &      pool = Pool::Instance();
  std::size_t blockBytes = RoundUp(bytes, std::size_t{ 1 } << 20);
  void *      data = pool.Take(blockBytes, blockBytes);
  if (data == nullptr)
  {
    const DeviceScope scope(device);
    cudaError_t       status = cudaHostAlloc(&data, blockBytes, cudaHostAllocPortable);
    if (status == cudaErrorMemoryAllocation)
    {
      cudaGetLastError();
      pool.Trim();
      status = cudaHostAlloc(&data, blockBytes, cudaHostAllocPortable);
    }
    if (status == cudaErrorMemoryAllocation)
    {
      cudaGetLastError();
      throw OutOfMemoryError("Allocation of page-locked host memory", blockBytes, FreeHostBytes());
    }
    CheckCuda(status, "cudaHostAlloc", __FILE__, __LINE__);
  }
  return std::shared_ptr<void>(data, [blockBytes](void * p) { Pool::Instance().Give(p, blockBytes); });
}

void
Trim()
{
  Pool::Instance().Trim();
}

bool
IsPinned(const void * data)
{
  cudaPointerAttributes attributes{};
  const cudaError_t     status = cudaPointerGetAttributes(&attributes, data);
  cudaGetLastError();
  return status == cudaSuccess && attributes.type == cudaMemoryTypeHost;
}

} // namespace cudaneuro::pinned
