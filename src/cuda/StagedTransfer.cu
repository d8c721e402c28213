// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/StagedTransfer.h"
#include "core/IntegerMath.h"

#include "core/Threads.h"
#include "cuda/PinnedMemory.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace cudaneuro
{

namespace
{
/** Returns the size of the blocks of a transfer: large enough that a copy runs at full PCIe speed, small enough that a
 * thread's two blocks stay in its cache, and that small transfers have a block for each thread. */
std::size_t
BlockBytesOf(std::size_t bytes)
{
  constexpr std::size_t large = std::size_t{ 128 } << 20;
  return std::size_t{ 1 } << (bytes < large ? 20 : 21);
}

/** The number of page-locked blocks of a download: more than arrive while a waiting thread wakes up. */
constexpr std::size_t maximumNumberOfDownloadBlocks = 32;

/** The time for which a thread polls whether a copy is done: longer than a copy takes that follows another, so
 * that a thread sleeps only while the device computes. */
constexpr std::chrono::microseconds timeOfAsking{ 200 };

/** Returns the number of threads that have a block to fill, each \p blocksOfThread blocks, at most \p threads. */
unsigned int
NumberOfThreadsFor(std::size_t bytes, std::size_t blocksOfThread, unsigned int threads)
{
  const std::size_t full = bytes / (blocksOfThread * BlockBytesOf(bytes));
  return static_cast<unsigned int>(std::clamp<std::size_t>(full, 1, std::max(1U, threads)));
}

bool
IsDone(const Event & event)
{
  const cudaError_t state = cudaEventQuery(event.Get());
  if (state == cudaErrorNotReady)
  {
    cudaGetLastError(); // clears the state, or the next check would report it
    return false;
  }
  CUDANEURO_CUDA(state);
  return true;
}

/** Waits for an event. \param event made with cudaEventBlockingSync */
void
WaitFor(const Event & event)
{
  const auto begin = std::chrono::steady_clock::now();
  while (!IsDone(event))
  {
    if (std::chrono::steady_clock::now() - begin > timeOfAsking)
    {
      event.Synchronize();
      return;
    }
    std::this_thread::yield();
  }
}

[[noreturn]] void
ThrowNoThreads()
{
  throw Error("Start of a copying thread", "the system grants no more threads");
}
} // namespace

StagedUpload::StagedUpload(
  GpuContext & gpu, const void * source, void * destination, std::size_t bytes, unsigned int threads)
  : m_Gpu(gpu)
  , m_Source(static_cast<const char *>(source))
  , m_Destination(static_cast<char *>(destination))
  , m_Bytes(bytes)
  , m_BlockBytes(BlockBytesOf(bytes))
  , m_Direct(pinned::IsPinned(source))
  , m_BlockEnqueued(DivideUp(bytes, m_BlockBytes), false)
{
  if (m_Direct)
  {
    return;
  }
  const unsigned int numberOfThreads = NumberOfThreadsFor(bytes, 2, threads);
  for (unsigned int i = 0; i < numberOfThreads; ++i)
  {
    m_PinnedBlocks.push_back(pinned::Allocate(gpu.GetDevice(), 2 * m_BlockBytes));
  }
  m_Threads = StartThreads(numberOfThreads,
                           [this](unsigned int i) { this->CopyBlocks(static_cast<char *>(m_PinnedBlocks[i].get())); });
  if (m_Threads.empty())
  {
    ThrowNoThreads();
  }
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
      copied[turn].Synchronize(); // the block's previous content has been copied
      this->CopyOneBlock(block, pinnedPair + turn * m_BlockBytes);
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
  const std::size_t begin = block * m_BlockBytes;
  const std::size_t bytes = std::min(m_BlockBytes, m_Bytes - begin);
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
  const std::size_t            blocks = DivideUp(end, m_BlockBytes);
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
  , m_BlockBytes(BlockBytesOf(bytes))
  , m_Direct(pinned::IsPinned(destination))
{
  if (m_Direct)
  {
    return;
  }
  const std::size_t numberOfBlocks = std::min(DivideUp(bytes, m_BlockBytes), maximumNumberOfDownloadBlocks);
  for (std::size_t i = 0; i < numberOfBlocks; ++i)
  {
    m_PinnedBlocks.push_back(pinned::Allocate(gpu.GetDevice(), m_BlockBytes));
    m_FreePinned.push_back(i);
  }
  // The first thread enqueues copies.
  const unsigned int numberOfThreads = 1 + NumberOfThreadsFor(bytes, 1, threads);
  m_Threads = StartThreads(numberOfThreads, [this](unsigned int i) {
    if (i == 0)
    {
      this->ReceiveBlocks();
    }
    else
    {
      this->EmptyBlocks();
    }
  });
  if (m_Threads.size() < 2)
  {
    this->WaitForThreads();
    ThrowNoThreads();
  }
}

StagedDownload::~StagedDownload()
{
  this->WaitForThreads();
  cudaStreamSynchronize(m_Gpu.DownloadStream());
}

void
StagedDownload::ReceiveBlocks()
{
  std::exception_ptr failure;
  try
  {
    this->ReceiveAll();
  }
  catch (...)
  {
    failure = std::current_exception();
  }
  const std::lock_guard<std::mutex> lock(m_Mutex);
  m_Failure = failure;
  m_AllArrived = true;
  m_CanEmpty.notify_all();
}

bool
StagedDownload::TakePending(bool isAnyUnderway, Block & block)
{
  std::unique_lock<std::mutex> lock(m_Mutex);
  const auto                   canReceive = [this] { return !m_Pending.empty() && !m_FreePinned.empty(); };
  m_CanReceive.wait(lock, [&] { return canReceive() || isAnyUnderway || (m_Pending.empty() && m_NoMore); });
  if (!canReceive())
  {
    return false;
  }
  block = m_Pending.front();
  m_Pending.pop_front();
  block.pinned = m_FreePinned.back();
  m_FreePinned.pop_back();
  return true;
}

void
StagedDownload::ReceiveAll()
{
  CUDANEURO_CUDA(cudaSetDevice(m_Gpu.GetDevice()));
  std::deque<Event> arrived; // one event for each page-locked block
  while (arrived.size() < m_PinnedBlocks.size())
  {
    arrived.emplace_back(cudaEventDisableTiming | cudaEventBlockingSync);
  }
  std::deque<Block> underway;
  for (;;)
  {
    Block block{};
    if (this->TakePending(!underway.empty(), block))
    {
      CUDANEURO_CUDA(cudaMemcpyAsync(m_PinnedBlocks[block.pinned].get(),
                                     m_Source + block.begin,
                                     block.end - block.begin,
                                     cudaMemcpyDeviceToHost,
                                     m_Gpu.DownloadStream()));
      arrived[block.pinned].Record(m_Gpu.DownloadStream());
      underway.push_back(block);
    }
    else if (!underway.empty())
    {
      WaitFor(arrived[underway.front().pinned]);
      const std::lock_guard<std::mutex> lock(m_Mutex);
      m_Arrived.push_back(underway.front());
      m_CanEmpty.notify_one();
      underway.pop_front();
    }
    else
    {
      return;
    }
  }
}

void
StagedDownload::EmptyBlocks()
{
  std::unique_lock<std::mutex> lock(m_Mutex);
  for (;;)
  {
    m_CanEmpty.wait(lock, [&] { return !m_Arrived.empty() || m_AllArrived; });
    if (m_Arrived.empty())
    {
      return;
    }
    const Block block = m_Arrived.front();
    m_Arrived.pop_front();
    lock.unlock();
    std::memcpy(m_Destination + block.begin, m_PinnedBlocks[block.pinned].get(), block.end - block.begin);
    lock.lock();
    m_FreePinned.push_back(block.pinned);
    m_CanReceive.notify_one();
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
    for (; begin < end; begin += m_BlockBytes)
    {
      m_Pending.push_back({ begin, std::min(end, begin + m_BlockBytes) });
    }
  }
  m_CanReceive.notify_one();
}

void
StagedDownload::WaitForThreads()
{
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_NoMore = true;
  }
  m_CanReceive.notify_one();
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
