// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/PlanePipeline.h"

#include "jobs/DeviceTransfer.h"
#include "jobs/SlabPlan.h"

#include <algorithm>
#include <deque>
#include <optional>

namespace cudaneuro
{

namespace
{

/** Waits on destruction, also after an exception, until the device uses none of the caller's memory. */
class SynchronizeOnExit
{
public:
  /** \param all whether streams other than the compute stream are in use */
  SynchronizeOnExit(const GpuContext & gpu, bool all)
    : m_Gpu(gpu)
    , m_All(all)
  {}
  ~SynchronizeOnExit()
  {
    if (m_All)
    {
      m_Gpu.SynchronizeNoThrow();
    }
    else
    {
      cudaStreamSynchronize(m_Gpu.ComputeStream());
    }
  }
  SynchronizeOnExit(const SynchronizeOnExit &) = delete;
  SynchronizeOnExit &
  operator=(const SynchronizeOnExit &) = delete;

private:
  const GpuContext & m_Gpu;
  bool               m_All;
};

/** The number of chunks that are enqueued before kernels need them, so that the copy engine works on during a long
 * kernel. An abort waits for them, some 30 ms. */
constexpr std::int64_t chunksAhead = 64;

/** The execution of a job on one slab. */
class SlabRun
{
public:
  /** Allocates memory, and makes the stage. */
  SlabRun(Context & context, const PlaneJob & job, const SlabRange & range)
    : m_Context(context)
    , m_Gpu(GpuOf(context))
    , m_Job(job)
  {
    m_Slab.grid = job.grid;
    m_Slab.grid.size[2] = range.end - range.begin;
    m_Slab.firstPlane = range.begin;
    m_Slab.keepBegin = range.keepBegin - range.begin;
    m_Slab.keepEnd = range.keepEnd - range.begin;
    for (const ConstVolume & input : job.inputs)
    {
      m_Slab.inputs.push_back(static_cast<const float *>(this->AddInput(input, PixelType::Float)));
    }
    if (job.mask.data != nullptr)
    {
      m_Slab.mask = static_cast<const unsigned char *>(this->AddInput(job.mask, job.mask.type));
    }
    const bool isWhole = m_Slab.grid.size[2] == job.grid.size[2];
    m_Output.emplace(context, job.output, m_Slab.grid, range.begin, isWhole && IsFloatOnDevice(job.output));
    m_Slab.output = m_Output->Data();
    m_Stage = job.makeStage(m_Gpu, m_Slab);
    m_Chunk = PlanesPerChunk(job, m_Slab.grid, this->UsesHost());
    m_Batches.emplace(
      this->UsesHost() ? job.batches : PlaneBatches(), m_Slab.grid.size[2], PlanesPerChunk(job, m_Slab.grid, false));
  }

  /** Allocates the memory of transfers, and starts them. On failure, waits for those that have started. */
  void
  StartTransfers()
  {
    if (!this->UsesHost())
    {
      return;
    }
    try
    {
      // Memory is allocated in the order of the compute stream; the copying streams may use it after these events.
      Event allocated;
      allocated.Order(m_Gpu.ComputeStream(), m_Gpu.UploadStream());
      allocated.Order(m_Gpu.ComputeStream(), m_Gpu.DownloadStream());
      const unsigned int threads = NumberOfCopyingThreads(m_Context);
      const unsigned int threadsPerInput = std::max(1U, threads / std::max(1U, this->NumberOfInputsOnHost()));
      for (const auto & input : m_Inputs)
      {
        input->StartUpload(threadsPerInput);
      }
      // The download is last, because its threads would delay those of the uploads.
      m_Output->StartDownload(threads);
    }
    catch (...)
    {
      m_Gpu.SynchronizeNoThrow();
      throw;
    }
  }

  /** Runs all chunks. StartTransfers must have been called. */
  void
  Run()
  {
    const SynchronizeOnExit synchronizeOnExit(m_Gpu, this->UsesHost());
    StreamTimer             timer(m_Gpu.ComputeStream());
    std::optional<Event>    chunkDone[2];
    const std::int64_t      planes = m_Slab.grid.size[2];
    int                     turn = 0;
    for (std::int64_t begin = 0; begin < planes; begin += m_Chunk, turn ^= 1)
    {
      const std::int64_t end = std::min(begin + m_Chunk, planes);
      this->RunChunk(begin, end);
      // Two chunks in flight keep the device busy while the host waits for an earlier one to report progress.
      if (chunkDone[turn])
      {
        chunkDone[turn]->Synchronize();
      }
      if (end < planes)
      {
        chunkDone[turn].emplace();
        chunkDone[turn]->Record(m_Gpu.ComputeStream());
      }
      m_Context.ReportProgress(0.95 * static_cast<double>(end) / static_cast<double>(planes));
    }
    timer.Stop();
    m_Output->FinishDownload();
    StatisticsOf(m_Context).deviceMilliseconds += timer.GetMilliseconds();
    m_Context.ReportProgress(1.0);
  }

private:
  /** Adds an input. \returns the data that kernels read */
  const void *
  AddInput(const ConstVolume & volume, PixelType type)
  {
    m_Inputs.push_back(std::make_unique<DeviceInput>(m_Context, volume, m_Slab.grid, m_Slab.firstPlane, type));
    return m_Inputs.back()->Data();
  }

  unsigned int
  NumberOfInputsOnHost() const
  {
    return static_cast<unsigned int>(
      std::count_if(m_Inputs.begin(), m_Inputs.end(), [](const auto & input) { return input->IsOnHost(); }));
  }

  /** Returns whether anything is uploaded or downloaded. */
  bool
  UsesHost() const
  {
    return this->NumberOfInputsOnHost() > 0 || m_Output->IsOnHost();
  }

  /** Enqueues the uploads of chunks until planes [0, end) are among them. */
  void
  UploadChunks(std::int64_t end)
  {
    while (m_UploadEnd < end)
    {
      m_UploadEnd = std::min(m_UploadEnd + m_Chunk, m_Slab.grid.size[2]);
      for (const auto & input : m_Inputs)
      {
        input->UploadUpTo(m_UploadEnd);
      }
      m_Uploaded.emplace_back().Record(m_Gpu.UploadStream());
    }
  }

  /** Makes the compute stream wait for the upload of planes [0, end), while later chunks are being uploaded. */
  void
  WaitForUpload(std::int64_t end)
  {
    // Threads that copy pageable memory proceed by themselves.
    const bool isAhead =
      std::all_of(m_Inputs.begin(), m_Inputs.end(), [](const auto & input) { return !input->IsCopiedByThreads(); });
    this->UploadChunks(std::min(isAhead ? end + chunksAhead * m_Chunk : end, m_Slab.grid.size[2]));
    CUDANEURO_CUDA(cudaStreamWaitEvent(m_Gpu.ComputeStream(), m_Uploaded.front().Get(), 0));
    m_Uploaded.pop_front();
  }

  /** Enqueues all work on planes [begin, end). */
  void
  RunChunk(std::int64_t begin, std::int64_t end)
  {
    if (this->NumberOfInputsOnHost() > 0)
    {
      this->WaitForUpload(end);
    }
    for (const auto & input : m_Inputs)
    {
      input->ConvertPlanes(begin, end);
    }
    if (!m_Batches->Begins(end))
    {
      return;
    }
    do
    {
      const std::int64_t done = m_Stage->Advance(end);
      m_Output->DeliverPlanes(std::max(m_Done, m_Slab.keepBegin), std::min(done, m_Slab.keepEnd));
      m_Done = done;
    } while (end == m_Slab.grid.size[2] && m_Done < end);
  }

  Context &                                 m_Context;
  GpuContext &                              m_Gpu;
  const PlaneJob &                          m_Job;
  DeviceSlab                                m_Slab;
  std::vector<std::unique_ptr<DeviceInput>> m_Inputs;
  std::optional<DeviceOutput>               m_Output;
  std::unique_ptr<PlaneStage>               m_Stage;
  std::optional<BatchPlan>                  m_Batches;
  std::int64_t                              m_Chunk = 1;
  /** The end of the planes whose upload is enqueued, and events after the uploads for which kernels have not waited. */
  std::int64_t      m_UploadEnd = 0;
  std::deque<Event> m_Uploaded;
  /** The end of the finished planes. */
  std::int64_t m_Done = 0;
};

/** Returns a run on a slab with its memory; null if the device has less than it reported and a thinner slab may do. */
std::unique_ptr<SlabRun>
StartSlab(Context & context, const PlaneJob & job, const SlabRange & slab)
{
  GpuContext &        gpu = GpuOf(context);
  const MemoryPurpose purpose(gpu.GetBudget(), DescribeSlab(job, slab));
  try
  {
    auto run = std::make_unique<SlabRun>(context, job, slab);
    run->StartTransfers();
    return run;
  }
  catch (const OutOfMemoryError & error)
  {
    gpu.SynchronizeNoThrow();
    if (error.GetBound() == OutOfMemoryError::Bound::Limit || KeptByThinnerSlab(job, slab) < 1)
    {
      throw;
    }
    return nullptr;
  }
}

} // namespace

void
RunPlaneJob(Context & context, const PlaneJob & job)
{
  GpuContext &           gpu = GpuOf(context);
  const DeviceScope      scope(gpu.GetDevice());
  const std::int64_t     planes = job.grid.size[2];
  std::vector<SlabRange> slabs = DivideIntoSlabs(gpu, job, 0, planes);
  unsigned int           numberOfSlabs = 0;
  Context::ProgressSteps progress(context);
  for (std::size_t i = 0; i < slabs.size();)
  {
    const SlabRange                slab = slabs[i];
    const std::unique_ptr<SlabRun> run = StartSlab(context, job, slab);
    if (!run)
    {
      // The memory is fragmented, or another process has taken some: slabs are thinner from here on.
      slabs = DivideIntoSlabs(gpu, job, slab.keepBegin, KeptByThinnerSlab(job, slab));
      i = 0;
      continue;
    }
    progress.UpTo(static_cast<double>(slab.keepEnd) / static_cast<double>(planes));
    run->Run();
    StatisticsOf(context).numberOfSlabs = ++numberOfSlabs;
    ++i;
  }
}

} // namespace cudaneuro
