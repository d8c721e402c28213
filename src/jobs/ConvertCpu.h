// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_ConvertCpu_h
#define cudaneuro_jobs_ConvertCpu_h

#include "cudaneuro/Context.h"

#include <cstdint>

namespace cudaneuro::cpu
{

/** Copies \p count pixels in host memory from one type to another by ConvertPixel. If both have one type, they may be
 * the same memory; otherwise they may not overlap.
 * \throws Aborted */
void
Convert(Context & context, std::int64_t count, const void * from, PixelType fromType, void * to, PixelType toType);

} // namespace cudaneuro::cpu

#endif
