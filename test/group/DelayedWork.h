// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef DelayedWork_h
#define DelayedWork_h

#include "cudaneuro/Context.h"

#include <cstddef>
#include <cstdint>

/** Work on a CUDA device for tests of what comes before what. */
namespace delayedwork
{

/** Enqueues on the compute stream that values[i] becomes first + i, some milliseconds after the kernel has begun: who
 * reads the values too early finds what was there before. */
void
EnqueueCounting(cudaneuro::Context & context, std::int64_t * values, std::size_t count, std::int64_t first);

/** Enqueues on the compute stream that every value is doubled. */
void
EnqueueDoubling(cudaneuro::Context & context, std::int64_t * values, std::size_t count);

int
GetCurrentCudaDevice();
void
SetCurrentCudaDevice(int device);

} // namespace delayedwork

#endif
