// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/LargeMemory.h"

#include <algorithm>
#include <future>
#include <new>
#include <thread>
#include <vector>

#ifdef __linux__
#  include <sys/mman.h>
#endif

namespace
{

constexpr std::size_t pageBytes = std::size_t{ 2 } << 20;

std::size_t
RoundUpToPages(std::size_t bytes)
{
  return (bytes + pageBytes - 1) / pageBytes * pageBytes;
}

} // namespace

void
AdviseLargePages([[maybe_unused]] void * memory, [[maybe_unused]] std::size_t bytes)
{
#ifdef __linux__
  const auto begin = RoundUpToPages(reinterpret_cast<std::uintptr_t>(memory));
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / pageBytes * pageBytes;
  if (begin < end)
  {
    // Where there are none, small ones do.
    madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
  }
#endif
}

LargeBuffer::LargeBuffer(std::size_t size)
  : m_Size(size)
{
  const bool isLarge = size >= pageBytes;
  m_Bytes.reset(
    static_cast<char *>(isLarge ? std::aligned_alloc(pageBytes, RoundUpToPages(size)) : std::malloc(size + 1)));
  if (!m_Bytes)
  {
    throw std::bad_alloc();
  }
  AdviseLargePages(m_Bytes.get(), isLarge ? RoundUpToPages(size) : 0);
}

void
LargeBuffer::Touch()
{
  constexpr std::uint64_t smallPageBytes = 4096;
  ForParts(m_Size / smallPageBytes, 4 * pageBytes / smallPageBytes, [this](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t page = begin; page < end; ++page)
    {
      m_Bytes.get()[page * smallPageBytes] = 0;
    }
  });
}

void
ForParts(std::uint64_t                                             count,
         std::uint64_t                                             smallestPart,
         const std::function<void(std::uint64_t, std::uint64_t)> & body)
{
  const std::uint64_t            most = std::max(1u, std::thread::hardware_concurrency());
  const std::uint64_t            parts = std::clamp<std::uint64_t>(count / smallestPart, 1, most);
  std::vector<std::future<void>> others;
  for (std::uint64_t part = 1; part < parts; ++part)
  {
    others.push_back(std::async(
      std::launch::async, body, count / parts * part, part + 1 < parts ? count / parts * (part + 1) : count));
  }
  body(0, parts > 1 ? count / parts : count);
  for (std::future<void> & other : others)
  {
    other.get();
  }
}
