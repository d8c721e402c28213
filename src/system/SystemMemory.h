// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_system_SystemMemory_h
#define cudaneuro_system_SystemMemory_h

#include <cstddef>

/** Memory of the machine, by the system's own calls. */
namespace cudaneuro::system
{

/** Physical memory of this machine, in bytes; 0 where the system does not tell. */
std::size_t
TotalMemory();

/** Physical memory that this process can still get, in bytes, with what the system's caches give back, and within
 * the limits of a container; 0 where the system does not tell. */
std::size_t
FreeMemory();

/** Whether large pages that a device reads stay where they are when the process makes another by a fork. */
bool
HasLargePagesToLock();

/** Takes memory that begins at a multiple of \p pageBytes, for which the system is asked for large pages.
 * \returns null where there is none, or where the system has no such pages */
void *
MapLargePages(std::size_t bytes, std::size_t pageBytes);

void
UnmapLargePages(void * data, std::size_t bytes);

} // namespace cudaneuro::system

#endif
