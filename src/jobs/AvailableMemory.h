// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_AvailableMemory_h
#define cudaneuro_jobs_AvailableMemory_h

#include "cudaneuro/Context.h"

#include <cstddef>

namespace cudaneuro::gpu
{

/** Bytes of the device that the context may allocate now, when so many contexts share the device's memory. */
std::size_t
AvailableBytes(Context & context, int contextsOfDevice = 1);

} // namespace cudaneuro::gpu

#endif
