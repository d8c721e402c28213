// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_system_SystemMemory_h
#define cudaneuro_system_SystemMemory_h

#include <cstddef>

/** Memory of the machine, by the system's own calls. */
namespace cudaneuro::system
{

/** Returns the physical memory of this machine in bytes; 0 if the system does not report it. */
std::size_t
TotalMemory();

/** Returns the physical memory, in bytes, that this process can still get, including what the system's caches release,
 * and within the limits of a container; 0 if the system does not report it. */
std::size_t
FreeMemory();

/** Returns whether large pages that a device reads stay in place when the process forks. */
bool
HasLargePagesToLock();

/** Allocates memory that starts at a multiple of \p pageBytes, and asks the system for large pages.
 * \returns null if there is no memory, or if the system has no such pages */
void *
MapLargePages(std::size_t bytes, std::size_t pageBytes);

void
UnmapLargePages(void * data, std::size_t bytes);

} // namespace cudaneuro::system

#endif
