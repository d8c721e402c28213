// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_CudaRuntime_h
#define cudaneuro_core_CudaRuntime_h

#include "cudaneuro/Context.h"

/** The part of the CUDA runtime that host code needs, without its types. The CUDA sources define these functions. */
namespace cudaneuro::gpu
{

int
GetNumberOfDevices() noexcept;

std::string
GetReasonForNoDevice();

DeviceProperties
GetProperties(int device);

/** Creates the CUDA part of a context, whose allocations are counted in \p budget. */
std::shared_ptr<GpuContext>
CreateContext(int device, const std::shared_ptr<MemoryBudget> & budget);

DeviceMemory
Allocate(GpuContext & gpu, std::size_t bytes);

DeviceMemory
AllocateDeviceMemory(int device, std::size_t bytes);

/** Returns the number of streams of this library that exist now, on all devices. */
int
GetNumberOfStreams() noexcept;

std::shared_ptr<void>
AllocatePinned(int device, std::size_t bytes);

void
ReleaseCachedMemory();

/** Simulates a shortage of memory for tests; see DeviceMemoryPool::SetCapacity. */
void
SetMemoryCapacity(int device, std::size_t bytes);

/** Returns the number of bytes that are allocated on a device now. */
std::size_t
GetUsedMemory(int device);

/** Returns the device. \throws InvalidParameterError if the address is not memory of a CUDA device. */
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
