// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/HostPages.h"

#if defined(__linux__)

#  include "core/HostMemory.h"
#  include "core/Threads.h"

#  include <algorithm>
#  include <atomic>
#  include <cstdint>
#  include <cstdio>
#  include <sys/mman.h>
#  include <sys/utsname.h>

namespace cudaneuro::hostpages
{

namespace
{

bool
ForkLeavesLockedPages()
{
  utsname name{};
  int     major = 0;
  int     minor = 0;
  return uname(&name) == 0 && std::sscanf(name.release, "%d.%d", &major, &minor) == 2 &&
         (major > 5 || (major == 5 && minor >= 11));
}

/** Writes to each page, also to the small ones that the system may give. */
void
Touch(char * data, std::size_t bytes)
{
  constexpr unsigned int   mostThreads = 16; // more were no faster
  constexpr std::size_t    smallestPage = 4096;
  std::atomic<std::size_t> next{ 0 };
  const auto               work = [&](unsigned int) {
    for (std::size_t page = next++; page < bytes / pageBytes; page = next++)
    {
      for (std::size_t i = 0; i < pageBytes; i += smallestPage)
      {
        data[page * pageBytes + i] = 0;
      }
    }
  };
  const unsigned int       threads = std::clamp(std::thread::hardware_concurrency(), 1U, mostThreads);
  std::vector<std::thread> others = StartThreads(threads - 1, work);
  work(0);
  JoinThreads(others);
}

} // namespace

void *
Map(std::size_t bytes)
{
  static const bool isSafe = ForkLeavesLockedPages();
  if (!isSafe || FreeHostBytes() < bytes + TotalHostBytes() / 32)
  {
    return nullptr;
  }
  const std::size_t mapped = bytes + pageBytes;
  void * const      memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
  {
    return nullptr;
  }
  // One page more than needed is taken; the part that begins at a multiple of the size of a page is kept.
  char * const      begin = static_cast<char *>(memory);
  const std::size_t before = pageBytes - reinterpret_cast<std::uintptr_t>(memory) % pageBytes;
  char * const      data = begin + before;
  munmap(begin, before);
  if (before < pageBytes)
  {
    munmap(data + bytes, pageBytes - before);
  }
  madvise(data, bytes, MADV_HUGEPAGE); // without which pages are small, and half as fast
  Touch(data, bytes);
  return data;
}

void
Unmap(void * data, std::size_t bytes)
{
  munmap(data, bytes);
}

} // namespace cudaneuro::hostpages

#else

namespace cudaneuro::hostpages
{

void *
Map(std::size_t)
{
  return nullptr;
}

void
Unmap(void *, std::size_t)
{}

} // namespace cudaneuro::hostpages

#endif
