// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef MemoryUse_h
#define MemoryUse_h

#include "cudaneuro/Device.h"

#include <cstddef>
#include <functional>

namespace cudaneuro::benchmark
{

/** Peak bytes of this library's memory on a CUDA device during \p work, less those that were in use before.
 * \p work ends with its memory freed and its kernels done. 0 on devices without memory pools.
 * \throws Error, and what \p work throws */
std::size_t
PeakDeviceBytes(const Device & device, const std::function<void()> & work);

} // namespace cudaneuro::benchmark

#endif
