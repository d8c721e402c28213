// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_system_LargePages_h
#define files_system_LargePages_h

#include <cstddef>

namespace cudaneuro::files
{

/** The size of a large page. */
constexpr std::size_t largePageBytes = std::size_t{ 2 } << 20;

/** Allocates memory at a multiple of \p alignment; \p bytes is a multiple, too. Returns null if there is none. */
void *
AllocateAligned(std::size_t alignment, std::size_t bytes);

void
FreeAligned(void * memory);

/** Asks the system for large pages in allocated memory that was not used yet. Without them, small pages are used. */
void
AdviseLargePages(void * memory, std::size_t bytes);

} // namespace cudaneuro::files

#endif
