// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "GpuBridge.h"

#include "DeviceMemoryPool.h"
#include "PinnedMemory.h"
#include "PlanePipeline.h"
#include "StagedTransfer.h"

#include <algorithm>
#include <sstream>

namespace cudaneuro::gpu
{

namespace
{

cudaError_t
CountDevices(int & count) noexcept
{
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess)
  {
    cudaGetLastError();
    count = 0;
  }
  return status;
}

void
RequireDevice(int device)
{
  const int count = GetNumberOfDevices();
  if (device < 0 || device >= count)
  {
    throw Error("Use of CUDA device " + std::to_string(device),
                count == 0 ? GetReasonForNoDevice() : "there are " + std::to_string(count) + " devices, from 0 on");
  }
}

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

/** Copies bytes as they are, in whichever direction the two sides are. */
void
CopyBytes(Context & context, const ConstVolume & from, const Volume & to, std::size_t bytes)
{
  GpuContext &       gpu = context.Gpu();
  const unsigned int threads = std::min(16U, context.GetNumberOfThreads());
  // What was allocated in the compute stream's order is usable on the others from here on.
  CUDANEURO_CUDA(cudaStreamSynchronize(gpu.ComputeStream()));
  if (from.space == MemorySpace::Host)
  {
    StagedUpload upload(gpu, from.data, to.data, bytes, threads);
    upload.EnqueueUpTo(bytes);
    CUDANEURO_CUDA(cudaStreamSynchronize(gpu.UploadStream()));
    context.GetStatistics().hostToDeviceBytes += bytes;
  }
  else if (to.space == MemorySpace::Host)
  {
    StagedDownload download(gpu, from.data, to.data, threads);
    download.Enqueue(0, bytes);
    download.Finish();
    context.GetStatistics().deviceToHostBytes += bytes;
  }
  else
  {
    CUDANEURO_CUDA(cudaMemcpyAsync(to.data, from.data, bytes, cudaMemcpyDeviceToDevice, gpu.ComputeStream()));
    CUDANEURO_CUDA(cudaStreamSynchronize(gpu.ComputeStream()));
  }
  context.ReportProgress(1.0);
}

} // namespace

int
GetNumberOfDevices() noexcept
{
  int count = 0;
  CountDevices(count);
  return count;
}

std::string
GetReasonForNoDevice()
{
  int               count = 0;
  const cudaError_t status = CountDevices(count);
  if (status != cudaSuccess)
  {
    return cudaGetErrorString(status);
  }
  return count == 0 ? "no CUDA device was found" : "";
}

DeviceProperties
GetProperties(int device)
{
  RequireDevice(device);
  const DeviceScope scope(device);
  cudaDeviceProp    cudaProperties{};
  CUDANEURO_CUDA(cudaGetDeviceProperties(&cudaProperties, device));
  DeviceProperties properties;
  properties.name = cudaProperties.name;
  properties.computeCapabilityMajor = cudaProperties.major;
  properties.computeCapabilityMinor = cudaProperties.minor;
  properties.numberOfMultiprocessors = cudaProperties.multiProcessorCount;
  CUDANEURO_CUDA(cudaMemGetInfo(&properties.freeBytes, &properties.totalBytes));
  return properties;
}

std::shared_ptr<GpuContext>
CreateContext(int device, const std::shared_ptr<MemoryBudget> & budget)
{
  RequireDevice(device);
  const DeviceScope scope(device);
  return std::make_shared<GpuContext>(device, budget);
}

DeviceMemory
Allocate(GpuContext & gpu, std::size_t bytes)
{
  return gpu.Allocate(bytes);
}

DeviceMemory
AllocateDeviceMemory(int device, std::size_t bytes)
{
  RequireDevice(device);
  return DeviceMemoryPool::OfDevice(device).AllocateForAllStreams(bytes);
}

int
GetNumberOfStreams() noexcept
{
  return Stream::GetNumberAlive();
}

std::shared_ptr<void>
AllocatePinned(int device, std::size_t bytes)
{
  RequireDevice(device);
  return pinned::Allocate(device, bytes);
}

void
ReleaseCachedMemory()
{
  DeviceMemoryPool::TrimAll();
  pinned::Trim();
}

Device
DeviceOfAddress(const void * address)
{
  cudaPointerAttributes attributes{};
  const cudaError_t     status = cudaPointerGetAttributes(&attributes, address);
  if (status != cudaSuccess || (attributes.type != cudaMemoryTypeDevice && attributes.type != cudaMemoryTypeManaged))
  {
    cudaGetLastError();
    std::ostringstream message;
    message << "There is no memory of a CUDA device at address " << address << "; its owner may have freed it"
            << (status == cudaSuccess ? "" : std::string(" (") + cudaGetErrorString(status) + ')');
    throw InvalidParameterError(message.str());
  }
  return Device{ attributes.device };
}

void
SynchronizeStream(int device, std::uintptr_t stream)
{
  RequireDevice(device);
  const DeviceScope scope(device);
  // The numbers 1 and 2 are the values of cudaStreamLegacy and cudaStreamPerThread.
  CUDANEURO_CUDA(cudaStreamSynchronize(reinterpret_cast<cudaStream_t>(stream)));
}

void
WaitForDevice(int device) noexcept
{
  try
  {
    const DeviceScope scope(device);
    cudaDeviceSynchronize();
  }
  catch (const Error &)
  {
    // What it would wait for has ended with the driver.
  }
  cudaGetLastError();
}

void
CopyVolume(Context & context, const Grid & grid, const ConstVolume & from, const Volume & to)
{
  const DeviceScope scope(context.Gpu().GetDevice());
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
