// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_DeviceMemoryPool_h
#define cudaneuro_cuda_DeviceMemoryPool_h

#include "cuda/GpuContext.h"

#include <atomic>

namespace cudaneuro
{

/** The process's stream-ordered memory pool of one device. It belongs to this library, so that the default pool, which
 * other libraries may use, keeps its settings. Memory freed by one filter is reused by the next. */
class DeviceMemoryPool
{
public:
  /** Returns the pool of \p device, which is made by the first call and lives as long as the process. */
  static DeviceMemoryPool &
  OfDevice(int device);

  /** Releases the cached memory of every pool. */
  static void
  TrimAll();

  /** Allocates memory for work on \p stream, which is freed in the order of that stream.
   * \throws OutOfMemoryError if there is not enough even after cached memory was released. */
  DeviceMemory
  Allocate(std::size_t bytes, const std::shared_ptr<Stream> & stream);

  /** Allocates memory that every stream may use after this has returned; all work on it must be complete when it is
   * freed. \throws OutOfMemoryError as Allocate does. */
  DeviceMemory
  AllocateForAllStreams(std::size_t bytes);

  /** Lets another device access this memory directly from now on, in copies and kernels.
   * \returns whether it can: not if the machine does not support it, nor on devices without memory pools. */
  bool
  AllowAccess(int otherDevice);

  /** Returns the number of bytes that are free on the device or cached here. */
  std::size_t
  AvailableBytes() const;

  /** Returns the part of these that is cached here. Unlike AvailableBytes, it does not ask the device. */
  std::size_t
  CachedBytes() const;

  /** Returns the bytes that are allocated from this pool now; 0 on devices without memory pools. */
  std::size_t
  UsedBytes() const;

  /** Returns the maximum of UsedBytes since the last ResetPeak; 0 on devices without memory pools. */
  std::size_t
  PeakBytes() const;

  void
  ResetPeak();

  /** Simulates a shortage of memory for tests: allocations fail if more than this would be in use, as if others used
   * the rest, and AvailableBytes does not include the limit. 0 removes the limit. */
  void
  SetCapacity(std::size_t bytes)
  {
    m_Capacity = bytes;
  }

private:
  explicit DeviceMemoryPool(int device);

  void
  Trim();

  cudaError_t
  TryOnce(void *& data, std::size_t bytes, const Stream & stream) const;

  /** Throws with the bytes that are free on the device, and those that this process has. */
  [[noreturn]] void
  ThrowOutOfMemory(std::size_t bytes) const;

  /** Returns an attribute; 0 without a pool. */
  std::size_t
  GetAttribute(cudaMemPoolAttr attribute) const;

  int m_Device;
  /** The stream for memory that belongs to no context. */
  std::shared_ptr<Stream> m_Stream;
  /** Null on devices without memory pools, where plain allocations are used instead. */
  cudaMemPool_t m_Pool = nullptr;
  /** The limit of SetCapacity; 0 for none. */
  std::atomic<std::size_t> m_Capacity{ 0 };
};

} // namespace cudaneuro

#endif
