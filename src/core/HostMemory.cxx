// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/HostMemory.h"

#include "cudaneuro/Error.h"

#include <new>

#if defined(__unix__)
#  include <unistd.h>
#endif

namespace cudaneuro
{

std::size_t
TotalHostBytes()
{
#if defined(_SC_PHYS_PAGES)
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long pageBytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && pageBytes > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(pageBytes) : 0;
#else
  return 0;
#endif
}

std::shared_ptr<void>
AllocateHost(std::size_t bytes)
{
  constexpr std::align_val_t alignment{ 64 };
  void * data = ::operator new(bytes, alignment, std::nothrow);
  if (data == nullptr)
  {
    throw OutOfMemoryError("Allocation of host memory", bytes, FreeHostBytes());
  }
  return std::shared_ptr<void>(data, [alignment](void * p) { ::operator delete(p, alignment); });
}

} // namespace cudaneuro
