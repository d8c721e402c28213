// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/DeviceTransfer.h"

#include "jobs/Convert.h"
#include "jobs/DeviceVolumes.h"

#include <algorithm>

namespace cudaneuro
{

unsigned int
NumberOfCopyingThreads(const Context & context)
{
  return std::min(8U, context.GetNumberOfThreads());
}

DeviceInput::DeviceInput(
  Context & context, const ConstVolume & volume, const Grid & planes, std::int64_t firstPlane, PixelType type)
  : m_Context(context)
  , m_Type(volume.type)
  , m_PlaneVoxels(planes.VoxelsPerPlane())
  , m_NumberOfPlanes(planes.size[2])
{
  const GpuContext & gpu = GpuOf(context);
  m_Raw = static_cast<const char *>(volume.data) + this->BytesOf(firstPlane);
  if (volume.space == MemorySpace::Host)
  {
    m_HostSource = m_Raw;
    m_RawMemory = gpu.Allocate(this->BytesOf(m_NumberOfPlanes));
    m_Raw = m_RawMemory.Data();
  }
  if (m_Type != type)
  {
    m_Converted = gpu.AllocateArray<float>(planes.NumberOfVoxels());
  }
}

void
DeviceInput::StartUpload(unsigned int threads)
{
  if (this->IsOnHost())
  {
    m_Upload = std::make_unique<StagedUpload>(
      GpuOf(m_Context), m_HostSource, m_RawMemory.Data(), this->BytesOf(m_NumberOfPlanes), threads);
  }
}

void
DeviceInput::UploadUpTo(std::int64_t end)
{
  if (m_Upload && end > m_NumberUploaded)
  {
    m_Upload->EnqueueUpTo(this->BytesOf(end));
    StatisticsOf(m_Context).hostToDeviceBytes += this->BytesOf(end - m_NumberUploaded);
    m_NumberUploaded = end;
  }
}

void
DeviceInput::ConvertPlanes(std::int64_t begin, std::int64_t end)
{
  if (float * const converted = m_Converted.Data())
  {
    EnqueueConvertToFloat(GpuOf(m_Context).ComputeStream(),
                          (end - begin) * m_PlaneVoxels,
                          static_cast<const char *>(m_Raw) + this->BytesOf(begin),
                          m_Type,
                          converted + begin * m_PlaneVoxels);
  }
}

void
DeviceInput::StartAll()
{
  if (this->IsOnHost())
  {
    const GpuContext & gpu = GpuOf(m_Context);
    Event              allocated;
    allocated.Order(gpu.ComputeStream(), gpu.UploadStream());
    this->StartUpload(NumberOfCopyingThreads(m_Context));
    if (m_Upload->IsDirect())
    {
      this->UploadUpTo(m_NumberOfPlanes);
    }
  }
}

void
DeviceInput::FinishAll()
{
  if (m_IsFinished)
  {
    m_Upload.reset(); // page-locked blocks serve the next upload
    return;
  }
  if (this->IsOnHost())
  {
    const GpuContext & gpu = GpuOf(m_Context);
    Event              uploaded;
    this->UploadUpTo(m_NumberOfPlanes);
    uploaded.Order(gpu.UploadStream(), gpu.ComputeStream());
  }
  this->ConvertPlanes(0, m_NumberOfPlanes);
  if (m_Converted.Data() != nullptr)
  {
    m_RawMemory = {}; // freed on the compute stream, after the upload and the conversion
  }
  m_IsFinished = true;
}

DeviceOutput::DeviceOutput(
  Context & context, const Volume & volume, const Grid & planes, std::int64_t firstPlane, bool inPlace)
  : m_Context(context)
  , m_Volume(volume)
  , m_PlaneVoxels(planes.VoxelsPerPlane())
  , m_NumberOfPlanes(planes.size[2])
  , m_InPlace(inPlace)
{
  if (volume.data == nullptr)
  {
    return;
  }
  m_Volume.data = this->VolumeAt(firstPlane * m_PlaneVoxels);
  if (inPlace)
  {
    m_Result = static_cast<float *>(m_Volume.data);
    return;
  }
  m_ResultMemory = GpuOf(context).AllocateArray<float>(planes.NumberOfVoxels());
  m_Result = m_ResultMemory.Data();
}

void
DeviceOutput::StartDownload(unsigned int threads)
{
  if (!this->IsOnHost())
  {
    return;
  }
  GpuContext & gpu = GpuOf(m_Context);
  const void * source = m_Result;
  const auto   bytes = static_cast<std::size_t>(m_NumberOfPlanes * m_PlaneVoxels) * PixelSize(m_Volume.type);
  if (m_Volume.type != PixelType::Float)
  {
    m_ConvertedMemory = gpu.Allocate(bytes);
    source = m_ConvertedMemory.Data();
  }
  m_Download = std::make_unique<StagedDownload>(gpu, source, m_Volume.data, bytes, threads);
}

void
DeviceOutput::DeliverPlanes(std::int64_t begin, std::int64_t end)
{
  if (m_Result == nullptr || m_InPlace || begin >= end)
  {
    return;
  }
  const GpuContext & gpu = GpuOf(m_Context);
  const std::int64_t first = begin * m_PlaneVoxels;
  const std::int64_t count = (end - begin) * m_PlaneVoxels;
  const std::size_t  firstByte = first * PixelSize(m_Volume.type);
  const std::size_t  bytes = count * PixelSize(m_Volume.type);
  if (m_Volume.type != PixelType::Float)
  {
    void * const to = m_Download ? static_cast<char *>(m_ConvertedMemory.Data()) + firstByte : this->VolumeAt(first);
    EnqueueConvertFromFloat(gpu.ComputeStream(), count, m_Result + first, to, m_Volume.type);
  }
  else if (!m_Download)
  {
    CUDANEURO_CUDA(
      cudaMemcpyAsync(this->VolumeAt(first), m_Result + first, bytes, cudaMemcpyDeviceToDevice, gpu.ComputeStream()));
  }
  if (m_Download)
  {
    Event computed;
    computed.Order(gpu.ComputeStream(), gpu.DownloadStream());
    m_Download->Enqueue(firstByte, firstByte + bytes);
    StatisticsOf(m_Context).deviceToHostBytes += bytes;
  }
}

void
DeviceOutput::FinishDownload()
{
  if (m_Download)
  {
    m_Download->Finish();
  }
}

void
DeviceOutput::DeliverAll()
{
  this->StartDownload(NumberOfCopyingThreads(m_Context));
  this->DeliverPlanes(0, m_NumberOfPlanes);
  this->FinishDownload();
}

namespace gpu
{

std::shared_ptr<DeviceInput>
StartInput(Context & context, const Grid & grid, const ConstVolume & volume, PixelType type)
{
  auto input = std::make_shared<DeviceInput>(context, volume, grid, 0, type);
  input->StartAll();
  return input;
}

const void *
FinishInput(DeviceInput & input)
{
  input.FinishAll();
  return input.Data();
}

std::shared_ptr<DeviceOutput>
MakeOutput(Context & context, const Grid & grid, const Volume & volume, float *& data)
{
  auto output = std::make_shared<DeviceOutput>(context, volume, grid, 0, false);
  data = output->Data();
  return output;
}

void
FinishOutput(DeviceOutput & output)
{
  output.DeliverAll();
}

} // namespace gpu
} // namespace cudaneuro
