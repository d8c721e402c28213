// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_Convert_h
#define cudaneuro_jobs_Convert_h

#include "cudaneuro/Volume.h"

#include <cuda_runtime.h>

namespace cudaneuro
{

/** Enqueues to[i] = from[i] for i in [0, count), both on the device, from any pixel type to float. */
void
EnqueueConvertToFloat(cudaStream_t stream, std::int64_t count, const void * from, PixelType fromType, float * to);

/** Enqueues the reverse, from float to any pixel type, rounded and saturated as PixelConversion.h says. */
void
EnqueueConvertFromFloat(cudaStream_t stream, std::int64_t count, const float * from, void * to, PixelType toType);

} // namespace cudaneuro

#endif
