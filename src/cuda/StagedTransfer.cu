// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/StagedTransfer.h"
#include "core/IntegerMath.h"

#include "core/Threads.h"
#include "cuda/PinnedMemory.h"

#include <algorithm>
#include <cstring>

namespace cudaneuro
{

namespace
{
/** Large enough that a copy runs at full PCIe speed, small enough that a thread's two blocks stay in its cache. */
constexpr std::size_t blockBytes = std::size_t{ 1 } << 20;

/** As many threads as have a block to fill, each \p blocksOfThread of them, and no more than \p threads. */
unsigned int
NumberOfThreadsFor(std::size_t bytes, std::size_t blocksOfThread, unsigned int threads)
{
  const std::size_t full = bytes / (blocksOfThread * blockBytes);
  return static_cast<unsigned int>(std::clamp<std::size_t>(full, 1, std::max(1U, threads)));
}

void
RequireThreads(const std::vector<std::thread> & threads)
{
  if (threads.empty())
  {
    throw Error("Start of a copying thread", "the system grants no more threads");
  }
}
} // namespace

StagedUpload::StagedUpload(
  GpuContext & gpu, const void * source, void * destination, std::size_t bytes, unsigned int threads)
  : m_Gpu(gpu)
  , m_Source(static_cast<const char *>(source))
  , m_Destination(static_cast<char *>(destination))
  , m_Bytes(bytes)
  , m_Direct(pinned::IsPinned(source))
  , m_BlockEnqueued(DivideUp(bytes, blockBytes), false)
{
  if (m_Direct)
  {
    return;
  }
  const unsigned int numberOfThreads = NumberOfThreadsFor(bytes, 2, threads);
  for (unsigned int i = 0; i < numberOfThreads; ++i)
  {
    m_PinnedBlocks.push_back(pinned::Allocate(gpu.GetDevice(), 2 * blockBytes));
  }
  m_Threads = StartThreads(numberOfThreads,
                           [this](unsigned int i) { this->CopyBlocks(static_cast<char *>(m_PinnedBlocks[i].get())); });
  RequireThreads(m_Threads);
}

StagedUpload::~StagedUpload()
{
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_Stop = true;
  }
  JoinThreads(m_Threads);
  cudaStreamSynchronize(m_Gpu.UploadStream());
}

void
StagedUpload::CopyBlocks(char * pinnedPair)
{
  try
  {
    CUDANEURO_CUDA(cudaSetDevice(m_Gpu.GetDevice()));
    Event copied[2];
    for (int turn = 0;; turn ^= 1)
    {
      std::size_t block;
      {
        const std::lock_guard<std::mutex> lock(m_Mutex);
        if (m_Stop || m_NextBlock == m_BlockEnqueued.size())
        {
          break;
        }
        block = m_NextBlock++;
      }
      copied[turn].Synchronize(); // the block's earlier content has left
      this->CopyOneBlock(block, pinnedPair + turn * blockBytes);
      copied[turn].Record(m_Gpu.UploadStream());
      {
        const std::lock_guard<std::mutex> lock(m_Mutex);
        m_BlockEnqueued[block] = true;
        while (m_EnqueuedPrefix < m_BlockEnqueued.size() && m_BlockEnqueued[m_EnqueuedPrefix])
        {
          ++m_EnqueuedPrefix;
        }
      }
      m_Changed.notify_one();
    }
  }
  catch (...)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_Failure = std::current_exception();
    m_Stop = true;
    m_Changed.notify_one();
  }
}

void
StagedUpload::CopyOneBlock(std::size_t block, void * pinned)
{
  const std::size_t begin = block * blockBytes;
  const std::size_t bytes = std::min(blockBytes, m_Bytes - begin);
  std::memcpy(pinned, m_Source + begin, bytes);
  CUDANEURO_CUDA(cudaMemcpyAsync(m_Destination + begin, pinned, bytes, cudaMemcpyHostToDevice, m_Gpu.UploadStream()));
}

void
StagedUpload::EnqueueUpTo(std::size_t end)
{
  if (m_Direct)
  {
    CUDANEURO_CUDA(cudaMemcpyAsync(m_Destination + m_DirectEnd,
                                   m_Source + m_DirectEnd,
                                   end - m_DirectEnd,
                                   cudaMemcpyHostToDevice,
                                   m_Gpu.UploadStream()));
    m_DirectEnd = end;
    return;
  }
  const std::size_t            blocks = DivideUp(end, blockBytes);
  std::unique_lock<std::mutex> lock(m_Mutex);
  m_Changed.wait(lock, [&] { return m_EnqueuedPrefix >= blocks || m_Failure; });
  if (m_Failure)
  {
    std::rethrow_exception(m_Failure);
  }
}

StagedDownload::StagedDownload(
  GpuContext & gpu, const void * source, void * destination, std::size_t bytes, unsigned int threads)
  : m_Gpu(gpu)
  , m_Source(static_cast<const char *>(source))
  , m_Destination(static_cast<char *>(destination))
  , m_Direct(pinned::IsPinned(destination))
{
  if (m_Direct)
  {
    return;
  }
  const unsigned int numberOfThreads = NumberOfThreadsFor(bytes, 1, threads);
  for (unsigned int i = 0; i < numberOfThreads; ++i)
  {
    m_PinnedBlocks.push_back(pinned::Allocate(gpu.GetDevice(), blockBytes));
  }
  m_Threads = StartThreads(numberOfThreads,
                           [this](unsigned int i) { this->CopyBlocks(static_cast<char *>(m_PinnedBlocks[i].get())); });
  RequireThreads(m_Threads);
}

StagedDownload::~StagedDownload()
{
  this->WaitForThreads();
  cudaStreamSynchronize(m_Gpu.DownloadStream());
}

void
StagedDownload::CopyBlocks(char * pinnedBlock)
{
  try
  {
    CUDANEURO_CUDA(cudaSetDevice(m_Gpu.GetDevice()));
    Event arrived(cudaEventDisableTiming | cudaEventBlockingSync);
    for (;;)
    {
      Block block{};
      {
        std::unique_lock<std::mutex> lock(m_Mutex);
        m_Changed.wait(lock, [&] { return !m_Pending.empty() || m_NoMore; });
        if (m_Pending.empty())
        {
          return;
        }
        block = m_Pending.front();
        m_Pending.pop_front();
      }
      const std::size_t bytes = block.end - block.begin;
      CUDANEURO_CUDA(
        cudaMemcpyAsync(pinnedBlock, m_Source + block.begin, bytes, cudaMemcpyDeviceToHost, m_Gpu.DownloadStream()));
      arrived.Record(m_Gpu.DownloadStream());
      arrived.Synchronize();
      std::memcpy(m_Destination + block.begin, pinnedBlock, bytes);
    }
  }
  catch (...)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_Failure = std::current_exception();
  }
}

void
StagedDownload::Enqueue(std::size_t begin, std::size_t end)
{
  if (m_Direct)
  {
    CUDANEURO_CUDA(cudaMemcpyAsync(
      m_Destination + begin, m_Source + begin, end - begin, cudaMemcpyDeviceToHost, m_Gpu.DownloadStream()));
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    for (; begin < end; begin += blockBytes)
    {
      m_Pending.push_back({ begin, std::min(end, begin + blockBytes) });
    }
  }
  m_Changed.notify_all();
}

void
StagedDownload::WaitForThreads()
{
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_NoMore = true;
  }
  m_Changed.notify_all();
  JoinThreads(m_Threads);
}

void
StagedDownload::Finish()
{
  this->WaitForThreads();
  if (m_Failure)
  {
    std::rethrow_exception(m_Failure);
  }
  CUDANEURO_CUDA(cudaStreamSynchronize(m_Gpu.DownloadStream()));
}

} // namespace cudaneuro
