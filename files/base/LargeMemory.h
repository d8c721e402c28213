// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_base_LargeMemory_h
#define files_base_LargeMemory_h

#include "files/system/LargePages.h"

#include <cstddef>
#include <memory>

namespace cudaneuro::files
{

/** Memory for whole files, whose first use, page by page, takes most of the time. */

/** Uninitialized bytes in large pages. */
class LargeBuffer
{
public:
  /** \throws std::bad_alloc */
  explicit LargeBuffer(std::size_t size);

  /** Touches all pages with many threads, so that filling them later does not wait for the system. */
  void
  Touch();

  char *
  data()
  {
    return m_Bytes.get();
  }
  const char *
  data() const
  {
    return m_Bytes.get();
  }
  std::size_t
  size() const
  {
    return m_Size;
  }

private:
  std::unique_ptr<char, void (*)(void *)> m_Bytes{ nullptr, FreeAligned };
  std::size_t                             m_Size;
};

} // namespace cudaneuro::files

#endif
