// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_GpuContext_h
#define cudaneuro_cuda_GpuContext_h

#include "core/ContextAccess.h"
#include "core/MemoryBudget.h"
#include "cuda/CudaCheck.h"
#include "cudaneuro/Context.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace cudaneuro
{

/** Owns a stream; shared by the memory that is freed in its order. */
class Stream
{
public:
  explicit Stream(int device);
  ~Stream();
  Stream(const Stream &) = delete;
  Stream &
  operator=(const Stream &) = delete;

  cudaStream_t
  Get() const
  {
    return m_Stream;
  }
  int
  GetDevice() const
  {
    return m_Device;
  }

  /** Returns the number of streams of this library that exist now, on all devices. */
  static int
  GetNumberAlive() noexcept;

private:
  int          m_Device;
  cudaStream_t m_Stream = nullptr;
};

/** Owns an event. */
class Event
{
public:
  /** \param flags flags for cudaEventCreateWithFlags. */
  explicit Event(unsigned int flags = cudaEventDisableTiming);
  ~Event();
  Event(const Event &) = delete;
  Event &
  operator=(const Event &) = delete;

  cudaEvent_t
  Get() const
  {
    return m_Event;
  }
  void
  Record(cudaStream_t stream)
  {
    CUDANEURO_CUDA(cudaEventRecord(m_Event, stream));
  }
  void
  Synchronize() const
  {
    CUDANEURO_CUDA(cudaEventSynchronize(m_Event));
  }
  /** Makes work that is enqueued on \p later after this call wait for work enqueued on \p earlier before it. */
  void
  Order(cudaStream_t earlier, cudaStream_t later)
  {
    this->Record(earlier);
    CUDANEURO_CUDA(cudaStreamWaitEvent(later, m_Event, 0));
  }

private:
  cudaEvent_t m_Event = nullptr;
};

/** Measures the time between two points of a stream. */
class StreamTimer
{
public:
  /** Starts before the work that is enqueued next. */
  explicit StreamTimer(cudaStream_t stream)
    : m_Stream(stream)
  {
    m_Begin.Record(stream);
  }
  /** Stops after the work that has been enqueued. */
  void
  Stop()
  {
    m_End.Record(m_Stream);
  }
  /** Waits until the timer has stopped, and returns its time. */
  double
  GetMilliseconds() const
  {
    m_End.Synchronize();
    float milliseconds = 0.0f;
    CUDANEURO_CUDA(cudaEventElapsedTime(&milliseconds, m_Begin.Get(), m_End.Get()));
    return milliseconds;
  }

private:
  cudaStream_t m_Stream;
  Event        m_Begin{ cudaEventDefault };
  Event        m_End{ cudaEventDefault };
};

/** Typed device memory, freed in the order of the compute stream. */
template <typename T>
class DeviceBuffer
{
public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(DeviceMemory memory)
    : m_Memory(std::move(memory))
  {}

  T *
  Data() const
  {
    return static_cast<T *>(m_Memory.Data());
  }

private:
  DeviceMemory m_Memory;
};

/** Streams, limits and memory of one context on one CUDA device. The device is current while a job runs. */
class GpuContext
{
public:
  /** Allocations are counted in \p budget. */
  GpuContext(int device, std::shared_ptr<MemoryBudget> budget);

  int
  GetDevice() const
  {
    return m_Compute->GetDevice();
  }
  /** Returns the stream on which all kernels run. */
  cudaStream_t
  ComputeStream() const
  {
    return m_Compute->Get();
  }
  cudaStream_t
  UploadStream() const
  {
    return m_Upload->Get();
  }
  cudaStream_t
  DownloadStream() const
  {
    return m_Download->Get();
  }
  int
  NumberOfMultiprocessors() const
  {
    return m_NumberOfMultiprocessors;
  }
  /** Returns this context's share of the multiprocessors if several contexts share the device: for launch shapes that
   * trade work for speed. */
  int
  MultiprocessorsOfShare() const
  {
    return m_MultiprocessorsOfShare;
  }
  /** Announces that \p contexts contexts use the device at the same time. */
  void
  ShareDevice(int contexts)
  {
    m_MultiprocessorsOfShare = std::max(1, m_NumberOfMultiprocessors / contexts);
  }
  /** Returns the shared memory that a block can have after opting in. */
  std::size_t
  SharedBytesPerBlock() const
  {
    return m_SharedBytesPerBlock;
  }

  /** Returns the bytes that can be allocated now: free on the device, or cached in the pool. */
  std::size_t
  AvailableBytes() const;

  /** Returns the context's memory limit, and the bytes of it in use. */
  MemoryBudget &
  GetBudget() const
  {
    return *m_Budget;
  }

  /** \throws OutOfMemoryError if the device has not enough memory, or the context's memory limit does not allow it. */
  DeviceMemory
  Allocate(std::size_t bytes) const;

  template <typename T>
  DeviceBuffer<T>
  AllocateArray(std::size_t count) const
  {
    return DeviceBuffer<T>(this->Allocate(count * sizeof(T)));
  }

  /** Returns a copy of \p host on the device. Waits for the compute stream, so that \p host may end afterwards. */
  template <typename T>
  DeviceBuffer<T>
  CopyToDevice(const std::vector<T> & host) const
  {
    DeviceBuffer<T> array = this->AllocateArray<T>(host.size());
    CUDANEURO_CUDA(cudaMemcpyAsync(
      array.Data(), host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice, this->ComputeStream()));
    CUDANEURO_CUDA(cudaStreamSynchronize(this->ComputeStream()));
    return array;
  }

  /** Returns the first \p count elements of an array. Waits for the compute stream. */
  template <typename T>
  std::vector<T>
  CopyToHost(const DeviceBuffer<T> & array, std::size_t count) const
  {
    std::vector<T> host(count);
    CUDANEURO_CUDA(
      cudaMemcpyAsync(host.data(), array.Data(), count * sizeof(T), cudaMemcpyDeviceToHost, this->ComputeStream()));
    CUDANEURO_CUDA(cudaStreamSynchronize(this->ComputeStream()));
    return host;
  }

  /** Waits for all three streams without throwing, for unwinding while copies of the caller's memory are pending. */
  void
  SynchronizeNoThrow() const noexcept;

private:
  std::shared_ptr<Stream>       m_Compute;
  std::shared_ptr<Stream>       m_Upload;
  std::shared_ptr<Stream>       m_Download;
  std::shared_ptr<MemoryBudget> m_Budget;
  int                           m_NumberOfMultiprocessors = 0;
  int                           m_MultiprocessorsOfShare = 0;
  std::size_t                   m_SharedBytesPerBlock = 0;
};

} // namespace cudaneuro

#endif
