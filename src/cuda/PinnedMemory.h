// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_PinnedMemory_h
#define cudaneuro_cuda_PinnedMemory_h

#include <cstddef>
#include <memory>

namespace cudaneuro::pinned
{

/** Allocates page-locked host memory, usable with every device; it returns to a pool of the process with the last copy
 * of the pointer. \param device made current while the driver allocates.
 * \throws OutOfMemoryError */
std::shared_ptr<void>
Allocate(int device, std::size_t bytes);

/** Returns the pool's unused blocks to the system. */
void
Trim();

/** Returns whether the memory at \p data is page-locked, so that the copy engines access it directly. */
bool
IsPinned(const void * data);

} // namespace cudaneuro::pinned

#endif
