// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/LargeMemory.h"

#include "files/base/ParallelParts.h"

#include <algorithm>
#include <cstdint>
#include <new>

namespace cudaneuro::files
{

LargeBuffer::LargeBuffer(std::size_t size)
  : m_Size(size)
{
  constexpr std::size_t smallAlignment = 64;
  const bool            isLarge = size >= largePageBytes;
  const std::size_t     alignment = isLarge ? largePageBytes : smallAlignment;
  const std::size_t     bytes = (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
  m_Bytes.reset(static_cast<char *>(AllocateAligned(alignment, bytes)));
  if (!m_Bytes)
  {
    throw std::bad_alloc();
  }
  AdviseLargePages(m_Bytes.get(), isLarge ? bytes : 0);
}

void
LargeBuffer::Touch()
{
  constexpr std::uint64_t smallPageBytes = 4096;
  ForParts(
    m_Size / smallPageBytes, 4 * largePageBytes / smallPageBytes, [this](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t page = begin; page < end; ++page)
      {
        m_Bytes.get()[page * smallPageBytes] = 0;
      }
    });
}

} // namespace cudaneuro::files
