// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_DeviceBytes_h
#define cudaneuro_jobs_DeviceBytes_h

#include "cudaneuro/Context.h"

/** Copies of bytes between host memory and memory of the context's device, in the order of its work. Large volumes of
 * callers travel faster with DeviceVolumes.h. */
namespace cudaneuro
{

/** Return when the copy is done. */
void
CopyToHost(Context & context, const void * device, void * host, std::size_t bytes);
void
CopyToDevice(Context & context, const void * host, void * device, std::size_t bytes);

/** Does not wait for the copy.
 * \param host memory of AllocatePinned, which stays as it is until the copy has been made */
void
EnqueueCopyToDevice(Context & context, const void * host, void * device, std::size_t bytes);

namespace gpu
{
void
CopyToHost(Context & context, const void * device, void * host, std::size_t bytes);
void
CopyToDevice(Context & context, const void * host, void * device, std::size_t bytes);
void
EnqueueCopyToDevice(Context & context, const void * host, void * device, std::size_t bytes);
} // namespace gpu

} // namespace cudaneuro

#endif
