// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/HostPages.h"

#include "core/HostMemory.h"
#include "core/Threads.h"
#include "system/SystemMemory.h"

#include <algorithm>
#include <atomic>

namespace cudaneuro::hostpages
{

namespace
{

/** Writes to each page, including the small pages that the system may provide instead. */
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
  static const bool isSafe = system::HasLargePagesToLock();
  if (!isSafe || FreeHostBytes() < bytes + TotalHostBytes() / 32)
  {
    return nullptr;
  }
  void * const data = system::MapLargePages(bytes, pageBytes);
  if (data != nullptr)
  {
    Touch(static_cast<char *>(data), bytes);
  }
  return data;
}

void
Unmap(void * data, std::size_t bytes)
{
  system::UnmapLargePages(data, bytes);
}

} // namespace cudaneuro::hostpages
