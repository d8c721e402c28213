// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_DeviceBytes_h
#define cudaneuro_jobs_DeviceBytes_h

#include "cudaneuro/Context.h"

/** Copies of bytes between host memory and memory of the context's device, in the order of its work. DeviceVolumes.h is
 * faster for large volumes of callers. */
namespace cudaneuro
{

/** Both return after the copy is done. */
void
CopyToHost(Context & context, const void * device, void * host, std::size_t bytes);
void
CopyToDevice(Context & context, const void * host, void * device, std::size_t bytes);

/** Enqueues a copy and does not wait for it.
 * \param host memory of AllocatePinned, which must not change until the copy is done */
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
