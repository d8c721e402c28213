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

/** Copies host memory to the device, in order, on the upload stream. Page-locked memory is copied directly; pageable
 * memory through page-locked blocks that several threads fill while earlier blocks are being copied. */
class StagedUpload
{
public:
  StagedUpload(GpuContext & gpu, const void * source, void * destination, std::size_t bytes, unsigned int threads);
  /** Stops after the current blocks, and waits for the copies. */
  ~StagedUpload();
  StagedUpload(const StagedUpload &) = delete;
  StagedUpload &
  operator=(const StagedUpload &) = delete;

  /** Returns whether the source is page-locked, so that EnqueueUpTo returns at once. */
  bool
  IsDirect() const
  {
    return m_Direct;
  }

  /** Returns when the copies of bytes [0, end) are enqueued on the upload stream.
   * \throws Error of a copying thread. */
  void
  EnqueueUpTo(std::size_t end);

private:
  /** The work of a thread: fills the two halves of \p pinnedPair alternately. */
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

/** Copies device memory to the host on the download stream, pageable memory through page-locked blocks. One thread
 * enqueues copies into free blocks and waits for them; several threads empty the blocks that have arrived. (If each
 * thread waited for its own copy, the threads would wake so late that the rate would be a third.) */
class StagedDownload
{
public:
  /** \param bytes total size \param threads maximum number of threads that empty blocks */
  StagedDownload(GpuContext & gpu, const void * source, void * destination, std::size_t bytes, unsigned int threads);
  ~StagedDownload();
  StagedDownload(const StagedDownload &) = delete;
  StagedDownload &
  operator=(const StagedDownload &) = delete;

  /** Copies bytes [begin, end) after the work for which the download stream waits when this is called. */
  void
  Enqueue(std::size_t begin, std::size_t end);

  /** Returns when all bytes have arrived.
   * \throws Error of a copying thread. */
  void
  Finish();

private:
  /** A range of the source's bytes, and the number of the page-locked block that receives them. */
  struct Block
  {
    std::size_t begin;
    std::size_t end;
    std::size_t pinned = 0;
  };

  /** The work of the thread that enqueues copies. */
  void
  ReceiveBlocks();
  /** Enqueues copies until all are enqueued, and announces blocks that have arrived.
   * \throws Error of the driver */
  void
  ReceiveAll();
  /** Takes the next bytes, and a free page-locked block for them, and waits until there are some.
   * \returns false if there are none, and copies are under way or no more bytes will come. */
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
