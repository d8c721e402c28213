// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/LargeMemory.h"

#include "files/base/ParallelParts.h"

#include <cstdint>
#include <new>

#ifdef __linux__
#  include <sys/mman.h>
#endif

namespace cudaneuro::files
{

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

} // namespace cudaneuro::files
