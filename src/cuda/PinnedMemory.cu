// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/PinnedMemory.h"

#include "core/HostMemory.h"
#include "core/HostPages.h"
#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"

#include <map>
#include <mutex>
#include <utility>

namespace cudaneuro::pinned
{

namespace
{

/** Memory that is page-locked until it is destroyed. */
class Block
{
public:
  /** \throws OutOfMemoryError */
  explicit Block(std::size_t bytes)
    : m_Bytes(bytes)
  {
    if (!this->LockPages())
    {
      this->AllocateByDriver();
    }
  }
  ~Block()
  {
    // Not checked: at the end of the process the driver may have ended, and its memory with it.
    if (m_IsMapped)
    {
      cudaHostUnregister(m_Data);
      hostpages::Unmap(m_Data, m_Bytes);
    }
    else
    {
      cudaFreeHost(m_Data);
    }
    cudaGetLastError();
  }
  Block(const Block &) = delete;
  Block &
  operator=(const Block &) = delete;

  void *
  Data() const
  {
    return m_Data;
  }
  std::size_t
  Bytes() const
  {
    return m_Bytes;
  }

private:
  /** Tries the fast way, for a block of whole large pages, if the system has them. */
  bool
  LockPages()
  {
    if (m_Bytes % hostpages::pageBytes != 0)
    {
      return false;
    }
    m_Data = hostpages::Map(m_Bytes);
    if (m_Data == nullptr)
    {
      return false;
    }
    m_IsMapped = cudaHostRegister(m_Data, m_Bytes, cudaHostRegisterPortable) == cudaSuccess;
    if (!m_IsMapped)
    {
      cudaGetLastError();
      hostpages::Unmap(m_Data, m_Bytes);
    }
    return m_IsMapped;
  }

  void
  AllocateByDriver()
  {
    const cudaError_t status = cudaHostAlloc(&m_Data, m_Bytes, cudaHostAllocPortable);
    if (status == cudaErrorMemoryAllocation)
    {
      cudaGetLastError();
      throw OutOfMemoryError("Allocation of page-locked host memory", m_Bytes, FreeHostBytes());
    }
    CheckCuda(status, "cudaHostAlloc", __FILE__, __LINE__);
  }

  void *      m_Data = nullptr;
  std::size_t m_Bytes;
  bool        m_IsMapped = false;
};

/** Returns the size of a block with room for \p bytes. Large blocks consist of large pages, which are locked faster. */
std::size_t
BlockBytes(std::size_t bytes)
{
  constexpr std::size_t largeBlock = std::size_t{ 8 } << 20;
  constexpr std::size_t stepOfSmallBlocks = std::size_t{ 1 } << 20;
  return RoundUp(bytes, bytes >= largeBlock ? hostpages::pageBytes : stepOfSmallBlocks);
}

/** A pool of page-locked blocks. Page-locking takes long, so freed blocks are kept here for the next user. */
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

  /** Returns the smallest unused block of at least \p bytes that does not waste more than half of itself, or null. */
  std::unique_ptr<Block>
  Take(std::size_t bytes)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    const auto                        it = m_Unused.lower_bound(bytes);
    if (it == m_Unused.end() || it->first / 2 > bytes)
    {
      return nullptr;
    }
    std::unique_ptr<Block> block = std::move(it->second);
    m_UnusedBytes -= it->first;
    m_Unused.erase(it);
    return block;
  }

  void
  Give(std::unique_ptr<Block> block)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    if (m_UnusedBytes + block->Bytes() <= m_MaximumUnusedBytes)
    {
      m_UnusedBytes += block->Bytes();
      const std::size_t bytes = block->Bytes();
      m_Unused.emplace(bytes, std::move(block));
    }
  }

  void
  Trim()
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_Unused.clear();
    m_UnusedBytes = 0;
  }

private:
  std::mutex                                         m_Mutex;
  std::multimap<std::size_t, std::unique_ptr<Block>> m_Unused;
  std::size_t                                        m_UnusedBytes = 0;
  /** Page-locked memory is unavailable to the rest of the machine: at most an eighth of it is kept unused. */
  const std::size_t m_MaximumUnusedBytes = TotalHostBytes() / 8;
};

/** Owns a block, and returns it to the pool. */
class Loan
{
public:
  explicit Loan(std::unique_ptr<Block> block)
    : m_Block(std::move(block))
  {}
  ~Loan() { Pool::Instance().Give(std::move(m_Block)); }
  Loan(const Loan &) = delete;
  Loan &
  operator=(const Loan &) = delete;

  void *
  Data() const
  {
    return m_Block->Data();
  }

private:
  std::unique_ptr<Block> m_Block;
};

} // namespace

std::shared_ptr<void>
Allocate(int device, std::size_t bytes)
{
  Pool &                 pool = Pool::Instance();
  const std::size_t      blockBytes = BlockBytes(bytes);
  std::unique_ptr<Block> block = pool.Take(blockBytes);
  if (!block)
  {
    const DeviceScope scope(device);
    try
    {
      block = std::make_unique<Block>(blockBytes);
    }
    catch (const OutOfMemoryError &)
    {
      pool.Trim();
      block = std::make_unique<Block>(blockBytes);
    }
  }
  const auto loan = std::make_shared<Loan>(std::move(block));
  return { loan, loan->Data() };
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
