// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_StagedTransfer_h
#define cudaneuro_cuda_StagedTransfer_h

#include "cuda/GpuContext.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace cudaneuro
{

/** Copies host memory to the device, in order, on the upload stream. Page-locked memory goes directly; pageable memory
 * through page-locked blocks that several threads fill while earlier ones travel. */
class StagedUpload
{
public:
  StagedUpload(GpuContext & gpu, const void * source, void * destination, std::size_t bytes, unsigned int threads);
  /** Stops after the blocks in hand, and waits for the copies. */
  ~StagedUpload();
  StagedUpload(const StagedUpload &) = delete;
  StagedUpload &
  operator=(const StagedUpload &) = delete;

  /** Whether the source is page-locked, so that EnqueueUpTo returns at once. */
  bool
  IsDirect() const
  {
    return m_Direct;
  }

  /** Returns when the copies of bytes [0, end) are on the upload stream.
   * \throws Error of a copying thread. */
  void
  EnqueueUpTo(std::size_t end);

private:
  /** A thread's work: fills the two halves of \p pinnedPair in turn. */
  void
  CopyBlocks(char * pinnedPair);
  void
  CopyOneBlock(std::size_t block, void * pinned);

  GpuContext &                       m_Gpu;
  const char *                       m_Source;
  char *                             m_Destination;
  std::size_t                        m_Bytes;
  std::size_t                        m_BlockBytes;
  bool                               m_Direct;
  std::size_t                        m_DirectEnd = 0;
  std::vector<std::shared_ptr<void>> m_PinnedBlocks;
  std::vector<std::thread>           m_Threads;

  std::mutex              m_Mutex;
  std::condition_variable m_Changed;
  std::size_t             m_NextBlock = 0;
  std::vector<bool>       m_BlockEnqueued;
  std::size_t             m_EnqueuedPrefix = 0;
  bool                    m_Stop = false;
  std::exception_ptr      m_Failure;
};

/** Copies device memory to the host on the download stream, pageable memory again through page-locked blocks. One thread
 * enqueues copies into free blocks and waits for them; several threads empty the blocks that have arrived. (Threads that
 * each wait for a copy of their own wake so late that they get a third of the rate.) */
class StagedDownload
{
public:
  /** For \p bytes in all. \param threads that empty blocks, at most */
  StagedDownload(GpuContext & gpu, const void * source, void * destination, std::size_t bytes, unsigned int threads);
  ~StagedDownload();
  StagedDownload(const StagedDownload &) = delete;
  StagedDownload &
  operator=(const StagedDownload &) = delete;

  /** Copies bytes [begin, end) after what the download stream has been made to wait for by now. */
  void
  Enqueue(std::size_t begin, std::size_t end);

  /** Returns when all bytes have arrived.
   * \throws Error of a copying thread. */
  void
  Finish();

private:
  /** Bytes of the source, and the number of the page-locked block that they come to. */
  struct Block
  {
    std::size_t begin;
    std::size_t end;
    std::size_t pinned = 0;
  };

  /** The work of the thread that enqueues copies. */
  void
  ReceiveBlocks();
  /** Enqueues copies until all were, and tells of blocks that have arrived.
   * \throws Error of the driver */
  void
  ReceiveAll();
  /** Takes the next bytes, and a free page-locked block for them.
   * \returns false if there are none, and copies are under way or no more bytes will come; else waits. */
  bool
  TakePending(bool isAnyUnderway, Block & block);
  /** The work of a thread that empties blocks. */
  void
  EmptyBlocks();
  void
  WaitForThreads();

  GpuContext &                       m_Gpu;
  const char *                       m_Source;
  char *                             m_Destination;
  std::size_t                        m_BlockBytes;
  bool                               m_Direct;
  std::vector<std::shared_ptr<void>> m_PinnedBlocks;
  std::vector<std::thread>           m_Threads;

  std::mutex               m_Mutex;
  std::condition_variable  m_CanReceive;
  std::condition_variable  m_CanEmpty;
  std::deque<Block>        m_Pending;
  std::deque<Block>        m_Arrived;
  std::vector<std::size_t> m_FreePinned;
  bool                     m_NoMore = false;
  bool                     m_AllArrived = false;
  std::exception_ptr       m_Failure;
};

} // namespace cudaneuro

#endif
