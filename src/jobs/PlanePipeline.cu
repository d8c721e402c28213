// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/PlanePipeline.h"
#include "core/IntegerMath.h"

#include "cuda/StagedTransfer.h"
#include "jobs/Convert.h"

#include <algorithm>

namespace cudaneuro
{

namespace
{

/** Host volumes travel in pieces of about this size: small, so that little time passes before the first kernel and
 * after the last, and large enough to fill the device. */
constexpr std::size_t chunkBytes = std::size_t{ 24 } << 20;

/** Jobs on device memory are cut into pieces of about this many operations, some 20 ms of an H200 and 0.1 s of a small
 * device, between which progress is reported. */
constexpr double chunkOperations = 2e11;

bool
IsFloatOnDevice(const ConstVolume & volume)
{
  return volume.space == MemorySpace::Device && volume.type == PixelType::Float;
}

/** One of a job's volumes on its way to the device: uploaded if it is on the host, converted if it is not of the type
 * that kernels read. */
class DeviceInput
{
public:
  DeviceInput(Context & context, const ConstVolume & volume, const Grid & slab, std::int64_t firstPlane, bool asFloat)
    : m_Context(context)
    , m_Type(volume.type)
    , m_PlaneVoxels(slab.VoxelsPerPlane())
  {
    GpuContext &      gpu = context.Gpu();
    const std::size_t bytes = static_cast<std::size_t>(slab.NumberOfVoxels()) * PixelSize(m_Type);
    m_Raw = static_cast<const char *>(volume.data) + firstPlane * m_PlaneVoxels * PixelSize(m_Type);
    if (volume.space == MemorySpace::Host)
    {
      m_HostSource = m_Raw;
      m_RawMemory = gpu.Allocate(bytes);
      m_Raw = m_RawMemory.Data();
    }
    if (asFloat && m_Type != PixelType::Float)
    {
      m_Converted = gpu.AllocateArray<float>(slab.NumberOfVoxels());
    }
  }

  bool
  IsOnHost() const
  {
    return m_HostSource != nullptr;
  }

  /** Begins to copy. The device memory must be usable on the upload stream by now. */
  void
  StartUpload(const Grid & slab, unsigned int threads)
  {
    if (IsOnHost())
    {
      const std::size_t bytes = static_cast<std::size_t>(slab.NumberOfVoxels()) * PixelSize(m_Type);
      m_Upload = std::make_unique<StagedUpload>(m_Context.Gpu(), m_HostSource, m_RawMemory.Data(), bytes, threads);
    }
  }

  /** Enqueues the upload of planes [begin, end). */
  void
  UploadPlanes(std::int64_t begin, std::int64_t end)
  {
    if (m_Upload)
    {
      m_Upload->EnqueueUpTo(static_cast<std::size_t>(end * m_PlaneVoxels) * PixelSize(m_Type));
      m_Context.GetStatistics().hostToDeviceBytes +=
        static_cast<std::uint64_t>((end - begin) * m_PlaneVoxels) * PixelSize(m_Type);
    }
  }

  /** Enqueues the conversion of planes [begin, end) on the compute stream. */
  void
  ConvertPlanes(std::int64_t begin, std::int64_t end)
  {
    if (float * const converted = m_Converted.Data())
    {
      const std::int64_t first = begin * m_PlaneVoxels;
      EnqueueConvertToFloat(m_Context.Gpu().ComputeStream(),
                            (end - begin) * m_PlaneVoxels,
                            static_cast<const char *>(m_Raw) + first * PixelSize(m_Type),
                            m_Type,
                            converted + first);
    }
  }

  /** What kernels read: float, or the pixels as they are. */
  const void *
  Data() const
  {
    return m_Converted.Data() != nullptr ? m_Converted.Data() : m_Raw;
  }

private:
  Context &                     m_Context;
  PixelType                     m_Type;
  std::int64_t                  m_PlaneVoxels;
  const void *                  m_HostSource = nullptr;
  const void *                  m_Raw = nullptr;
  DeviceMemory                  m_RawMemory;
  DeviceBuffer<float>           m_Converted;
  std::unique_ptr<StagedUpload> m_Upload;
};

/** A job's output on its way from the device, the reverse of DeviceInput. */
class DeviceOutput
{
public:
  /** \p firstPlane is the plane of the whole volume that is the slab's plane 0. */
  DeviceOutput(Context & context, const Volume & volume, const Grid & slab, std::int64_t firstPlane, bool slabIsWhole)
    : m_Context(context)
    , m_Volume(volume)
    , m_PlaneVoxels(slab.VoxelsPerPlane())
    , m_FirstPlane(firstPlane)
  {
    if (volume.data == nullptr)
    {
      return;
    }
    GpuContext & gpu = context.Gpu();
    if (slabIsWhole && IsFloatOnDevice({ volume.data, volume.type, volume.space }))
    {
      m_Result = static_cast<float *>(volume.data);
      m_InPlace = true;
      return;
    }
    m_ResultMemory = gpu.AllocateArray<float>(slab.NumberOfVoxels());
    m_Result = m_ResultMemory.Data();
    if (volume.type != PixelType::Float)
    {
      m_ConvertedMemory = gpu.Allocate(static_cast<std::size_t>(slab.NumberOfVoxels()) * PixelSize(volume.type));
    }
  }

  bool
  IsOnHost() const
  {
    return m_Volume.data != nullptr && m_Volume.space == MemorySpace::Host;
  }

  /** Where the stage writes; null when the job has no output. */
  float *
  Data() const
  {
    return m_Result;
  }

  void
  StartDownload(unsigned int threads)
  {
    if (IsOnHost())
    {
      m_Download = std::make_unique<StagedDownload>(
        m_Context.Gpu(), ConvertedResult(), VolumeAt(m_FirstPlane * m_PlaneVoxels), threads);
    }
  }

  /** Enqueues what takes planes [begin, end) of the slab from the stage's result to the volume. */
  void
  DeliverPlanes(std::int64_t begin, std::int64_t end)
  {
    if (m_Result == nullptr || m_InPlace || begin >= end)
    {
      return;
    }
    const cudaStream_t compute = m_Context.Gpu().ComputeStream();
    const std::int64_t first = begin * m_PlaneVoxels;
    const std::int64_t count = (end - begin) * m_PlaneVoxels;
    const std::size_t  firstByte = first * PixelSize(m_Volume.type);
    const std::size_t  bytes = count * PixelSize(m_Volume.type);
    if (m_ConvertedMemory.Data() != nullptr)
    {
      EnqueueConvertFromFloat(
        compute, count, m_Result + first, static_cast<char *>(ConvertedResult()) + firstByte, m_Volume.type);
    }
    if (m_Download)
    {
      m_Computed.Record(compute);
      CUDANEURO_CUDA(cudaStreamWaitEvent(m_Context.Gpu().DownloadStream(), m_Computed.Get(), 0));
      m_Download->Enqueue(firstByte, firstByte + bytes);
      m_Context.GetStatistics().deviceToHostBytes += bytes;
      return;
    }
    CUDANEURO_CUDA(cudaMemcpyAsync(VolumeAt(m_FirstPlane * m_PlaneVoxels + first),
                                   static_cast<const char *>(ConvertedResult()) + firstByte,
                                   bytes,
                                   cudaMemcpyDeviceToDevice,
                                   compute));
  }

  void
  Finish()
  {
    if (m_Download)
    {
      m_Download->Finish();
    }
  }

private:
  void *
  ConvertedResult() const
  {
    return m_ConvertedMemory.Data() != nullptr ? m_ConvertedMemory.Data() : m_Result;
  }
  char *
  VolumeAt(std::int64_t voxel) const
  {
    return static_cast<char *>(m_Volume.data) + voxel * static_cast<std::int64_t>(PixelSize(m_Volume.type));
  }

  Context &                       m_Context;
  Volume                          m_Volume;
  std::int64_t                    m_PlaneVoxels;
  std::int64_t                    m_FirstPlane;
  float *                         m_Result = nullptr;
  bool                            m_InPlace = false;
  DeviceBuffer<float>             m_ResultMemory;
  DeviceMemory                    m_ConvertedMemory;
  Event                           m_Computed;
  std::unique_ptr<StagedDownload> m_Download;
};

/** Waits, when an exception passes, until nothing of the caller's is in use. */
class SynchronizeOnExit
{
public:
  explicit SynchronizeOnExit(const GpuContext & gpu)
    : m_Gpu(gpu)
  {}
  ~SynchronizeOnExit() { m_Gpu.SynchronizeNoThrow(); }
  SynchronizeOnExit(const SynchronizeOnExit &) = delete;
  SynchronizeOnExit &
  operator=(const SynchronizeOnExit &) = delete;

private:
  const GpuContext & m_Gpu;
};

/** Planes of one slab: what is kept, and with the halo around it. */
struct SlabRange
{
  std::int64_t begin;
  std::int64_t end;
  std::int64_t keepBegin;
  std::int64_t keepEnd;
};

/** Device memory that RunSlab and its stage take for each plane of a slab, or of the whole volume, whose output is written
 * in place where it is float on the device. */
std::size_t
BytesPerPlane(const PlaneJob & job, bool isWhole)
{
  std::size_t bytesPerVoxel = 0;
  for (const ConstVolume & input : job.inputs)
  {
    bytesPerVoxel += input.space == MemorySpace::Host ? PixelSize(input.type) : 0;
    bytesPerVoxel += input.type != PixelType::Float ? sizeof(float) : 0;
  }
  bytesPerVoxel += job.mask.data != nullptr && job.mask.space == MemorySpace::Host ? 1 : 0;
  const ConstVolume output{ job.output.data, job.output.type, job.output.space };
  if (output.data != nullptr && !(isWhole && IsFloatOnDevice(output)))
  {
    bytesPerVoxel += sizeof(float);
    bytesPerVoxel += job.output.type != PixelType::Float ? PixelSize(job.output.type) : 0;
  }
  return bytesPerVoxel * job.grid.VoxelsPerPlane() + job.scratchBytesPerPlane;
}

/** The whole volume if it fits, else equal slabs that do.
 * \throws OutOfMemoryError when not even the thinnest slab fits. */
std::vector<SlabRange>
DivideIntoSlabs(const GpuContext & gpu, const PlaneJob & job)
{
  const std::int64_t planes = job.grid.size[2];
  // What drivers and allocation granularity take beside the buffers.
  constexpr std::size_t reserve = std::size_t{ 64 } << 20;
  const std::size_t     free = gpu.AvailableBytes();
  const std::size_t     usable = free > reserve ? free - reserve : 0;
  const std::size_t     remaining = gpu.GetBudget().GetRemaining();
  const std::size_t     available = std::min(usable, remaining);
  if (BytesPerPlane(job, true) * planes <= available)
  {
    return { { 0, planes, 0, planes } };
  }
  const std::size_t  bytesPerPlane = BytesPerPlane(job, false);
  const std::int64_t halo = RoundUp(job.halo, job.planeAlignment);
  const auto         fitting = static_cast<std::int64_t>(available / std::max<std::size_t>(bytesPerPlane, 1));
  const std::int64_t kept = RoundDown(fitting - 2 * halo, job.planeAlignment);
  if (kept < 1)
  {
    const std::size_t needed = bytesPerPlane * std::min(planes, job.planeAlignment + 2 * halo);
    if (remaining < usable)
    {
      throw OutOfMemoryError("Division of a volume into slabs",
                             gpu.GetBudget().GetUsed() + needed,
                             gpu.GetBudget().GetLimit(),
                             OutOfMemoryError::Bound::Limit);
    }
    throw OutOfMemoryError("Division of a volume into slabs", needed, usable);
  }
  std::vector<SlabRange> slabs;
  for (std::int64_t z = 0; z < planes; z += kept)
  {
    const std::int64_t keepEnd = std::min(planes, z + kept);
    slabs.push_back({ std::max<std::int64_t>(0, z - halo), std::min(planes, keepEnd + halo), z, keepEnd });
  }
  return slabs;
}

/** Planes to a chunk. */
std::int64_t
ChunkPlanes(const PlaneJob & job, const Grid & slab, bool anyOnHost)
{
  const auto   planeVoxels = static_cast<double>(slab.VoxelsPerPlane());
  const double byOperations = chunkOperations / (std::max(1.0, job.operationsPerVoxel) * planeVoxels);
  const double byBytes = static_cast<double>(chunkBytes) / (sizeof(float) * planeVoxels);
  const double planes = anyOnHost ? std::min(byBytes, byOperations) : byOperations;
  const auto   limited = static_cast<std::int64_t>(std::min(planes, static_cast<double>(slab.size[2])));
  return std::max(job.planeAlignment, RoundDown(limited, job.planeAlignment));
}

void
RunSlab(Context & context, const PlaneJob & job, const SlabRange & range)
{
  GpuContext & gpu = context.Gpu();
  Grid         slab = job.grid;
  slab.size[2] = range.end - range.begin;
  const bool isWhole = slab.size[2] == job.grid.size[2];

  // Declared first, destroyed last: everything below may be freed once the streams are idle.
  std::vector<std::unique_ptr<DeviceInput>> volumes;
  DeviceSlab                                deviceSlab;
  for (const ConstVolume & input : job.inputs)
  {
    volumes.push_back(std::make_unique<DeviceInput>(context, input, slab, range.begin, true));
    deviceSlab.inputs.push_back(static_cast<const float *>(volumes.back()->Data()));
  }
  if (job.mask.data != nullptr)
  {
    volumes.push_back(std::make_unique<DeviceInput>(context, job.mask, slab, range.begin, false));
    deviceSlab.mask = static_cast<const unsigned char *>(volumes.back()->Data());
  }
  DeviceOutput output(context, job.output, slab, range.begin, isWhole);
  deviceSlab.output = output.Data();
  deviceSlab.grid = slab;
  deviceSlab.firstPlane = range.begin;
  deviceSlab.keepBegin = range.keepBegin - range.begin;
  deviceSlab.keepEnd = range.keepEnd - range.begin;
  const std::unique_ptr<PlaneStage> stage = job.makeStage(gpu, deviceSlab);
  const SynchronizeOnExit           synchronizeOnExit(gpu);

  // Memory is allocated in the order of the compute stream; the copying streams may use it from here on.
  Event allocated;
  allocated.Record(gpu.ComputeStream());
  CUDANEURO_CUDA(cudaStreamWaitEvent(gpu.UploadStream(), allocated.Get(), 0));
  CUDANEURO_CUDA(cudaStreamWaitEvent(gpu.DownloadStream(), allocated.Get(), 0));
  const auto numberOnHost = static_cast<unsigned int>(
    std::count_if(volumes.begin(), volumes.end(), [](const auto & v) { return v->IsOnHost(); }));
  const unsigned int threads = std::min(16U, context.GetNumberOfThreads());
  for (const auto & volume : volumes)
  {
    volume->StartUpload(slab, std::max(1U, threads / std::max(1U, numberOnHost)));
  }
  output.StartDownload(threads);

  Event uploaded;
  Event started(cudaEventDefault);
  Event finished(cudaEventDefault);
  Event chunkDone[2];
  started.Record(gpu.ComputeStream());
  const std::int64_t chunk = ChunkPlanes(job, slab, numberOnHost > 0 || output.IsOnHost());
  std::int64_t       done = 0;
  int                turn = 0;
  for (std::int64_t begin = 0; begin < slab.size[2]; begin += chunk, turn ^= 1)
  {
    const std::int64_t end = std::min(begin + chunk, slab.size[2]);
    for (const auto & volume : volumes)
    {
      volume->UploadPlanes(begin, end);
    }
    uploaded.Record(gpu.UploadStream());
    CUDANEURO_CUDA(cudaStreamWaitEvent(gpu.ComputeStream(), uploaded.Get(), 0));
    for (const auto & volume : volumes)
    {
      volume->ConvertPlanes(begin, end);
    }
    const std::int64_t newDone = stage->Advance(end);
    output.DeliverPlanes(std::max(done, deviceSlab.keepBegin), std::min(newDone, deviceSlab.keepEnd));
    done = newDone;
    // Two chunks in flight keep the device busy while the one before them is awaited for progress.
    chunkDone[turn].Synchronize();
    chunkDone[turn].Record(gpu.ComputeStream());
    context.ReportProgress(0.95 * static_cast<double>(end) / static_cast<double>(slab.size[2]));
  }
  finished.Record(gpu.ComputeStream());
  output.Finish();
  CUDANEURO_CUDA(cudaStreamSynchronize(gpu.ComputeStream()));
  float milliseconds = 0.0f;
  CUDANEURO_CUDA(cudaEventElapsedTime(&milliseconds, started.Get(), finished.Get()));
  context.GetStatistics().deviceMilliseconds += milliseconds;
  context.ReportProgress(1.0);
}

} // namespace

void
RunPlaneJob(Context & context, const PlaneJob & job)
{
  GpuContext &                 gpu = context.Gpu();
  const DeviceScope            scope(gpu.GetDevice());
  const std::vector<SlabRange> slabs = DivideIntoSlabs(gpu, job);
  context.GetStatistics().deviceMilliseconds = 0.0;
  context.GetStatistics().numberOfSlabs = static_cast<unsigned int>(slabs.size());
  for (std::size_t i = 0; i < slabs.size(); ++i)
  {
    const auto                   count = static_cast<double>(slabs.size());
    const Context::ProgressRange progress(context, static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
    RunSlab(context, job, slabs[i]);
  }
}

} // namespace cudaneuro
