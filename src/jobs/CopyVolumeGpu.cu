// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/DeviceTransfer.h"
#include "jobs/DeviceVolumes.h"
#include "jobs/PlanePipeline.h"

namespace cudaneuro::gpu
{

namespace
{

/** Copies each plane of the input to the output. */
class CopyStage : public PlaneStage
{
public:
  CopyStage(const GpuContext & gpu, const DeviceSlab & slab)
    : m_Gpu(gpu)
    , m_Slab(slab)
  {}

  std::int64_t
  Advance(std::int64_t available) override
  {
    const std::int64_t first = m_Done * m_Slab.grid.VoxelsPerPlane();
    const std::int64_t count = (available - m_Done) * m_Slab.grid.VoxelsPerPlane();
    CUDANEURO_CUDA(cudaMemcpyAsync(m_Slab.output + first,
                                   m_Slab.inputs[0] + first,
                                   count * sizeof(float),
                                   cudaMemcpyDeviceToDevice,
                                   m_Gpu.ComputeStream()));
    m_Done = available;
    return m_Done;
  }

private:
  const GpuContext & m_Gpu;
  DeviceSlab         m_Slab;
  std::int64_t       m_Done = 0;
};

/** The driver copies fewer bytes than this at once: starting a thread that stages them would take longer. */
constexpr std::size_t stagedBytes = std::size_t{ 1 } << 20;

/** Copies bytes without conversion, in the direction that the memory spaces of the two sides imply. */
void
CopyBytes(Context & context, const ConstVolume & from, const Volume & to, std::size_t bytes)
{
  GpuContext &       gpu = GpuOf(context);
  const unsigned int threads = NumberOfCopyingThreads(context);
  const bool         isUpload = from.space == MemorySpace::Host;
  const bool         isDownload = !isUpload && to.space == MemorySpace::Host;
  const bool         isStaged = (isUpload || isDownload) && bytes >= stagedBytes;
  if (!isStaged)
  {
    CUDANEURO_CUDA(cudaMemcpyAsync(to.data, from.data, bytes, cudaMemcpyDefault, gpu.ComputeStream()));
  }
  // Memory that was allocated in the order of the compute stream may be used on the other streams after this.
  CUDANEURO_CUDA(cudaStreamSynchronize(gpu.ComputeStream()));
  if (isStaged && isUpload)
  {
    StagedUpload upload(gpu, from.data, to.data, bytes, threads);
    upload.EnqueueUpTo(bytes);
    CUDANEURO_CUDA(cudaStreamSynchronize(gpu.UploadStream()));
  }
  else if (isStaged)
  {
    StagedDownload download(gpu, from.data, to.data, bytes, threads);
    download.Enqueue(0, bytes);
    download.Finish();
  }
  StatisticsOf(context).hostToDeviceBytes += isUpload ? bytes : 0;
  StatisticsOf(context).deviceToHostBytes += isDownload ? bytes : 0;
  context.ReportProgress(1.0);
}

} // namespace

void
CopyVolume(Context & context, const Grid & grid, const ConstVolume & from, const Volume & to)
{
  const DeviceScope scope(GpuOf(context).GetDevice());
  if (from.type == to.type)
  {
    CopyBytes(context, from, to, static_cast<std::size_t>(grid.NumberOfVoxels()) * PixelSize(from.type));
    return;
  }
  PlaneJob job;
  job.grid = grid;
  job.inputs = { from };
  job.output = to;
  job.makeStage = [](GpuContext & gpu, const DeviceSlab & slab) { return std::make_unique<CopyStage>(gpu, slab); };
  RunPlaneJob(context, job);
}

} // namespace cudaneuro::gpu
