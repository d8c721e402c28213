// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_GpuBridge_h
#define cudaneuro_core_GpuBridge_h

#include "cudaneuroContext.h"

/** What the device-independent core asks of the CUDA sources; no CUDA type. */
namespace cudaneuro::gpu
{

int
GetNumberOfDevices() noexcept;

std::string
GetReasonForNoDevice();

DeviceProperties
GetProperties(int device);

std::shared_ptr<GpuContext>
CreateContext(int device);

DeviceMemory
Allocate(GpuContext & gpu, std::size_t bytes);

std::shared_ptr<void>
AllocatePinned(int device, std::size_t bytes);

void
ReleaseCachedMemory();

/** Copies where at least one side is on the device. */
void
CopyVolume(Context & context, const Grid & grid, const ConstVolume & from, const Volume & to);

} // namespace cudaneuro::gpu

#endif
