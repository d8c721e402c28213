// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/HostMemory.h"

#include "cudaneuro/Error.h"
#include "system/SystemMemory.h"

#include <new>

namespace cudaneuro
{

std::size_t
TotalHostBytes()
{
  return system::TotalMemory();
}

std::size_t
FreeHostBytes()
{
  return system::FreeMemory();
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
  return std::shared_ptr<void>(data, [](void * p) { ::operator delete(p, alignment); });
}

} // namespace cudaneuro
