// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/SystemMemory.h"

#include <cstdint>
#include <cstdio>

#if defined(_WIN32)
#  include "system/Windows.h"
#else
#  include <unistd.h>
#endif
#if defined(__linux__)
#  include <sys/mman.h>
#  include <sys/utsname.h>
#endif

namespace cudaneuro::system
{

std::size_t
TotalMemory()
{
#if defined(_WIN32)
  MEMORYSTATUSEX status = {};
  status.dwLength = sizeof(status);
  return GlobalMemoryStatusEx(&status) ? static_cast<std::size_t>(status.ullTotalPhys) : 0;
#elif defined(_SC_PHYS_PAGES)
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long pageBytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && pageBytes > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(pageBytes) : 0;
#else
  return 0;
#endif
}

#if defined(__linux__)

bool
HasLargePagesToLock()
{
  // Before Linux 5.11, a fork may take pages from a device that uses them.
  utsname name{};
  int     major = 0;
  int     minor = 0;
  return uname(&name) == 0 && std::sscanf(name.release, "%d.%d", &major, &minor) == 2 &&
         (major > 5 || (major == 5 && minor >= 11));
}

void *
MapLargePages(std::size_t bytes, std::size_t pageBytes)
{
  const std::size_t mapped = bytes + pageBytes;
  void * const      memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
  {
    return nullptr;
  }
  // One page more than needed is allocated; the part that begins at a multiple of the page size is kept.
  char * const      begin = static_cast<char *>(memory);
  const std::size_t before = pageBytes - reinterpret_cast<std::uintptr_t>(memory) % pageBytes;
  char * const      data = begin + before;
  munmap(begin, before);
  if (before < pageBytes)
  {
    munmap(data + bytes, pageBytes - before);
  }
  madvise(data, bytes, MADV_HUGEPAGE); // without this, pages are small, and half as fast
  return data;
}

void
UnmapLargePages(void * data, std::size_t bytes)
{
  munmap(data, bytes);
}

#else

bool
HasLargePagesToLock()
{
  return false;
}

void *
MapLargePages(std::size_t, std::size_t)
{
  return nullptr;
}

void
UnmapLargePages(void *, std::size_t)
{}

#endif

} // namespace cudaneuro::system
