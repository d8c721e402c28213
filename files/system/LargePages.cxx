// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/system/LargePages.h"

#include <cstdint>
#include <cstdlib>

#if defined(_WIN32)
#  include <malloc.h>
#endif
#if defined(__linux__)
#  include <sys/mman.h>
#endif

namespace cudaneuro::files
{

void *
AllocateAligned(std::size_t alignment, std::size_t bytes)
{
#if defined(_WIN32)
  return _aligned_malloc(bytes, alignment);
#else
  return std::aligned_alloc(alignment, bytes);
#endif
}

void
FreeAligned(void * memory)
{
#if defined(_WIN32)
  _aligned_free(memory);
#else
  std::free(memory);
#endif
}

void
AdviseLargePages([[maybe_unused]] void * memory, [[maybe_unused]] std::size_t bytes)
{
#if defined(__linux__)
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const auto begin = (address + largePageBytes - 1) / largePageBytes * largePageBytes;
  const auto end = (address + bytes) / largePageBytes * largePageBytes;
  if (begin < end)
  {
    madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
  }
#endif
}

} // namespace cudaneuro::files
