// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_HostMemory_h
#define cudaneuro_core_HostMemory_h

#include <cstddef>
#include <memory>

namespace cudaneuro
{

/** Physical memory of this machine, in bytes; 0 where the system does not tell. */
std::size_t
TotalHostBytes();

/** Unused physical memory of this machine, in bytes; 0 where the system does not tell. */
std::size_t
FreeHostBytes();

/** Uninitialized host memory, aligned to 64 bytes.
 * \throws OutOfMemoryError */
std::shared_ptr<void>
AllocateHost(std::size_t bytes);

} // namespace cudaneuro

#endif
