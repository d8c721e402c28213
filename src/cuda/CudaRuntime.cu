// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/CudaRuntime.h"

#include "cuda/DeviceMemoryPool.h"
#include "cuda/PinnedMemory.h"

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

void
SetMemoryCapacity(int device, std::size_t bytes)
{
  DeviceMemoryPool::OfDevice(device).SetCapacity(bytes);
}

std::size_t
GetUsedMemory(int device)
{
  return DeviceMemoryPool::OfDevice(device).UsedBytes();
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
    // The work that this would wait for has ended with the driver.
  }
  cudaGetLastError();
}

} // namespace cudaneuro::gpu
