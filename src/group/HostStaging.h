// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_group_HostStaging_h
#define cudaneuro_group_HostStaging_h

#include "core/Dispatch.h"
#include "cudaneuro/Context.h"

#include <cstddef>
#include <memory>

namespace cudaneuro
{

/** Copies values of one device to the host and back: for a CUDA device through page-locked memory, which it keeps; on
 * the CPU nothing is copied. It must live until the compute stream has done the last delivery. */
class HostStaging
{
public:
  explicit HostStaging(Context & context)
    : m_Context(context)
  {}

  /** Returns the values in host memory after the work on the compute stream, for which it waits. */
  template <typename T>
  T *
  Fetch(T * values, std::size_t count)
  {
    if constexpr (builtWithCuda)
    {
      if (m_Context.GetDevice().IsCuda())
      {
        return static_cast<T *>(this->FetchBytes(values, count * sizeof(T)));
      }
    }
    return values;
  }

  /** Copies the memory of the last Fetch back to the device, in order of the compute stream. */
  template <typename T>
  void
  Deliver(T * values, std::size_t count)
  {
    if constexpr (builtWithCuda)
    {
      if (m_Context.GetDevice().IsCuda())
      {
        this->DeliverBytes(values, count * sizeof(T));
      }
    }
  }

private:
  // The CUDA sources define these.
  void *
  FetchBytes(const void * values, std::size_t bytes);
  void
  DeliverBytes(void * values, std::size_t bytes);

  Context &             m_Context;
  std::shared_ptr<void> m_Memory;
  std::size_t           m_MemoryBytes = 0;
};

} // namespace cudaneuro

#endif
