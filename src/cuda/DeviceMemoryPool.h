// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_DeviceMemoryPool_h
#define cudaneuro_cuda_DeviceMemoryPool_h

#include "cuda/GpuContext.h"

#include <atomic>

namespace cudaneuro
{

/** The process's stream-ordered memory pool of one device. It is this library's own, so that the default pool, which
 * other libraries may use, keeps its settings. Memory freed by one filter serves the next. */
class DeviceMemoryPool
{
public:
  /** The pool of \p device, which is made when first asked for and lives as long as the process. */
  static DeviceMemoryPool &
  OfDevice(int device);

  /** Releases the cached memory of every pool. */
  static void
  TrimAll();

  /** Memory for work on \p stream, freed in the order of that stream.
   * \throws OutOfMemoryError when there is not enough even after cached memory was released. */
  DeviceMemory
  Allocate(std::size_t bytes, const std::shared_ptr<Stream> & stream);

  /** Memory that every stream may use when this has returned; all work on it must be complete when it is freed.
   * \throws OutOfMemoryError as Allocate does. */
  DeviceMemory
  AllocateForAllStreams(std::size_t bytes);

  /** Lets another device reach this memory directly from now on, in copies and kernels.
   * \returns whether it does: not where the machine cannot do that, nor on devices without memory pools. */
  bool
  AllowAccess(int otherDevice);

  /** Bytes free on the device or cached here. */
  std::size_t
  AvailableBytes() const;

  /** The part of these that is cached here. Unlike them, it is known without asking what is free on the device. */
  std::size_t
  CachedBytes() const;

  /** Bytes that are allocated from here now; 0 on devices without memory pools. */
  std::size_t
  UsedBytes() const;

  /** The most that was allocated at once since the last ResetPeak; 0 on devices without memory pools. */
  std::size_t
  PeakBytes() const;

  void
  ResetPeak();

  /** Lets tests be short of memory: allocations fail where more than this would be in use, as if other processes had
   * the rest, and AvailableBytes does not know of it. 0 ends that. */
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

  /** What is free on the device, and what this process has of it. */
  [[noreturn]] void
  ThrowOutOfMemory(std::size_t bytes) const;

  /** 0 without a pool. */
  std::size_t
  GetAttribute(cudaMemPoolAttr attribute) const;

  int m_Device;
  /** The stream of memory that belongs to no context. */
  std::shared_ptr<Stream> m_Stream;
  /** Null on devices without memory pools; plain allocations serve there. */
  cudaMemPool_t m_Pool = nullptr;
  /** 0 is all that the device has. */
  std::atomic<std::size_t> m_Capacity{ 0 };
};

} // namespace cudaneuro

#endif
