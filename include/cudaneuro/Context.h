// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_Context_h
#define cudaneuro_Context_h

#include "cudaneuro/Device.h"
#include "cudaneuro/Volume.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace cudaneuro
{

/** Memory of a context's device. Releasing the last copy of \c owner frees it, in the order of the device's work. */
struct DeviceMemory
{
  std::shared_ptr<void> owner;
  std::size_t           bytes = 0;
  /** The address; null where there is no memory. */
  void *
  Data() const
  {
    return owner.get();
  }
};

/** Times and counts of the work that a context has done since ResetStatistics. */
struct Statistics
{
  std::uint64_t hostToDeviceBytes = 0;
  std::uint64_t deviceToHostBytes = 0;
  /** Time between the first and the last kernel of a job on the device, including transfers between them, summed over
   * all jobs. */
  double deviceMilliseconds = 0.0;
  /** Number of slabs into which the last job was cut to fit in memory; 1 is the whole volume at once. */
  unsigned int numberOfSlabs = 0;

  /** Adds the work of another context. */
  Statistics &
  operator+=(const Statistics & other)
  {
    hostToDeviceBytes += other.hostToDeviceBytes;
    deviceToHostBytes += other.deviceToHostBytes;
    deviceMilliseconds += other.deviceMilliseconds;
    numberOfSlabs = other.numberOfSlabs;
    return *this;
  }
};

class GpuContext;
class MemoryBudget;

/** \class Context
 * Holds the resources of a computation: device, streams, memory, threads, progress. Functions that compute take one.
 *
 * One context serves one thread at a time; several contexts may be used at once. Calls on a CUDA context leave the
 * caller's current CUDA device as it was.
 *
 * \ingroup CudaNeuro */
class CudaNeuro_EXPORT Context
{
public:
  /** \param numberOfThreads CPU threads to use, 0 for all cores.
   * \throws Error when the device cannot be used. */
  explicit Context(const Device & device, unsigned int numberOfThreads = 0);
  ~Context();
  Context(const Context &) = delete;
  Context &
  operator=(const Context &) = delete;
  /** The device that the context computes on. */
  const Device &
  GetDevice() const
  {
    return m_Device;
  }
  /** CPU threads to use; setting 0 selects the number of all cores, and the getter never returns 0. */
  void
  SetNumberOfThreads(unsigned int numberOfThreads);
  unsigned int
  GetNumberOfThreads() const
  {
    return m_NumberOfThreads;
  }

  /** Maximum memory of a CUDA device that this context may have allocated at any time, in bytes; 0 (the default) is all
   * that is free. Denoising filters, the noise estimate, StructuralSimilarity and CopyVolume work in slabs so as to
   * stay within it; functions that cannot do so throw OutOfMemoryError with the bytes needed and allowed.
   *
   * All memory of the device that a function takes for itself counts: copies of host volumes, converted volumes, work
   * areas of transforms, tables and partial sums, and memory from Allocate. Not counted are volumes that the caller has
   * on the device already, AllocateDeviceMemory, and memory that the CUDA runtime and cuFFT keep for themselves. Host
   * memory is not limited: on a context of the CPU the limit has no effect. */
  void
  SetMemoryLimit(std::size_t bytes);
  std::size_t
  GetMemoryLimit() const;

  /** Called, on the thread that runs the job, with the fraction done in [0, 1]; returns false to abort. */
  using ProgressFunction = std::function<bool(float)>;
  void
  SetProgressFunction(ProgressFunction function)
  {
    m_ProgressFunction = std::move(function);
  }
  /** Reports the fraction that is done. \throws Aborted when the progress function returns false. */
  void
  ReportProgress(double fraction);

  /** Maps later progress, until destroyed, to [begin, end] of the enclosing range. */
  class CudaNeuro_EXPORT ProgressRange
  {
  public:
    ProgressRange(Context & context, double begin, double end); ///< The mapping begins now.
    ~ProgressRange();
    ProgressRange(const ProgressRange &) = delete;
    ProgressRange &
    operator=(const ProgressRange &) = delete;

  private:
    Context & m_Context;
    double    m_OuterBegin;
    double    m_OuterEnd;
  };

  /** The successive steps of a computation: UpTo begins a step. Reported progress is then mapped to the part of the
   * enclosing range from the end of the previous step to \p end, until the next step begins or this is destroyed:
   * \code
   * Context::ProgressSteps progress(context);
   * progress.UpTo(0.2);
   * Read();
   * progress.UpTo(1.0);
   * Compute();
   * \endcode */
  class CudaNeuro_EXPORT ProgressSteps
  {
  public:
    explicit ProgressSteps(Context & context); ///< The enclosing range is the context's current one.
    ~ProgressSteps();
    ProgressSteps(const ProgressSteps &) = delete;
    ProgressSteps &
    operator=(const ProgressSteps &) = delete;
    /** Begins the step that ends at this part of the enclosing range. */
    void
    UpTo(double end);

  private:
    Context & m_Context;
    double    m_OuterBegin;
    double    m_OuterEnd;
    double    m_End = 0.0;
  };

  /** Suppresses progress reports until it is destroyed, so that nothing is aborted meanwhile. */
  class CudaNeuro_EXPORT ProgressPause
  {
  public:
    explicit ProgressPause(Context & context); ///< The pause begins now.
    ~ProgressPause();
    ProgressPause(const ProgressPause &) = delete;
    ProgressPause &
    operator=(const ProgressPause &) = delete;

  private:
    Context &        m_Context;
    ProgressFunction m_Function;
  };

  /** Calls body(i) for i in [0, count) on the context's threads, in no particular order, and reports progress. The
   * first exception of a body is rethrown here after all threads have stopped. */
  void
  ParallelFor(std::int64_t count, const std::function<void(std::int64_t)> & body);

  /** Returns uninitialized memory of the device, for work on the context's streams (host memory, 64-byte aligned, on
   * the CPU). It counts for the memory limit until it is freed.
   * \throws OutOfMemoryError */
  DeviceMemory
  Allocate(std::size_t bytes);
  /** Returns the work of the context since it was created, or since the last reset. */
  void
  ResetStatistics()
  {
    m_Statistics = Statistics();
  }
  const Statistics &
  GetStatistics() const
  {
    return m_Statistics;
  }

private:
  friend struct ContextAccess;
  /** \param budget shared with other contexts, whose allocations count in it, too */
  Context(const Device & device, unsigned int numberOfThreads, std::shared_ptr<MemoryBudget> budget);

  Device                        m_Device;
  unsigned int                  m_NumberOfThreads = 1;
  ProgressFunction              m_ProgressFunction;
  double                        m_ProgressBegin = 0.0;
  double                        m_ProgressEnd = 1.0;
  Statistics                    m_Statistics;
  std::shared_ptr<MemoryBudget> m_Budget;
  std::shared_ptr<GpuContext>   m_Gpu;
};

/** Returns uninitialized memory of a device that belongs to no context (host memory, 64-byte aligned, on the CPU):
 * every stream may use it when this has returned, and no context's limit counts it. It is freed with the last copy of
 * the owner, when all work on it must be complete. All such memory of a device is allocated on one stream, which lives
 * as long as the process.
 * \throws Error when the device cannot be used, OutOfMemoryError */
CudaNeuro_EXPORT DeviceMemory
AllocateDeviceMemory(const Device & device, std::size_t bytes);

/** Returns host memory that a CUDA device reads and writes at full PCIe speed, from a pool that keeps freed blocks for
 * reuse; plain aligned memory for the CPU. It is freed with the last copy of the pointer.
 * \throws OutOfMemoryError */
CudaNeuro_EXPORT std::shared_ptr<void>
                 AllocatePinned(const Device & device, std::size_t bytes);

/** Copies a volume, between host and device and between pixel types. Real values become integers by rounding to
 * nearest and saturating at the type's range; NaN becomes 0. */
CudaNeuro_EXPORT void
CopyVolume(Context & context, const Grid & grid, const ConstVolume & from, const Volume & to);

} // namespace cudaneuro

#endif
