// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_CudaRuntime_h
#define cudaneuro_core_CudaRuntime_h

#include "cudaneuro/Context.h"

/** What host code needs of the CUDA runtime, without its types. The CUDA sources define it. */
namespace cudaneuro::gpu
{

int
GetNumberOfDevices() noexcept;

std::string
GetReasonForNoDevice();

DeviceProperties
GetProperties(int device);

/** Allocations of the context count in \p budget. */
std::shared_ptr<GpuContext>
CreateContext(int device, const std::shared_ptr<MemoryBudget> & budget);

DeviceMemory
Allocate(GpuContext & gpu, std::size_t bytes);

DeviceMemory
AllocateDeviceMemory(int device, std::size_t bytes);

/** Streams of this library that exist now, on all devices. */
int
GetNumberOfStreams() noexcept;

std::shared_ptr<void>
AllocatePinned(int device, std::size_t bytes);

void
ReleaseCachedMemory();

/** Lets tests be short of memory: DeviceMemoryPool::SetCapacity. */
void
SetMemoryCapacity(int device, std::size_t bytes);

/** Bytes that are allocated on a device now. */
std::size_t
GetUsedMemory(int device);

/** \throws InvalidParameterError when the address is not memory of a CUDA device. */
Device
DeviceOfAddress(const void * address);

/** Waits for a stream, numbered as in cudaneuro/ArrayExchange.h. */
void
SynchronizeStream(int device, std::uintptr_t stream);

/** Waits for all work of a device. Does not throw: at the end of the process the driver may be gone. */
void
WaitForDevice(int device) noexcept;

} // namespace cudaneuro::gpu

#endif
