// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_MemoryBudget_h
#define cudaneuro_core_MemoryBudget_h

#include "cudaneuro/Error.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace cudaneuro
{

/** Counts the device memory that a context has allocated, and keeps it within a limit. Memory may outlive its context,
 * and shares the ownership of the budget, to which it gives its bytes back. */
class MemoryBudget
{
public:
  /** In bytes; 0 is no limit. */
  void
  SetLimit(std::size_t bytes)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_Limit = bytes;
  }
  std::size_t
  GetLimit() const
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    return m_Limit;
  }

  /** Bytes in use. */
  std::size_t
  GetUsed() const
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    return m_Used;
  }

  /** Bytes that may still be taken. */
  std::size_t
  GetRemaining() const
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    return this->Remaining();
  }

  /** Memory that is counted until it is freed with its last owner. \p allocate returns a shared_ptr<void> to \p bytes
   * bytes, and is not called when they would exceed the limit.
   * \throws OutOfMemoryError, with all bytes that would be in use, and the limit; and what \p allocate throws. */
  template <typename TAllocate>
  static std::shared_ptr<void>
  Allocate(const std::shared_ptr<MemoryBudget> & budget, std::size_t bytes, const TAllocate & allocate)
  {
    budget->Take(bytes);
    std::shared_ptr<Counted> counted;
    try
    {
      counted = std::make_shared<Counted>(budget, bytes);
    }
    catch (...)
    {
      budget->GiveBack(bytes);
      throw;
    }
    counted->memory = allocate();
    void * const data = counted->memory.get();
    return { counted, data };
  }

private:
  /** Memory that gives its bytes back when it is freed. */
  struct Counted
  {
    Counted(std::shared_ptr<MemoryBudget> of, std::size_t count)
      : budget(std::move(of))
      , bytes(count)
    {}
    ~Counted()
    {
      memory.reset();
      budget->GiveBack(bytes);
    }
    Counted(const Counted &) = delete;
    Counted &
    operator=(const Counted &) = delete;

    std::shared_ptr<MemoryBudget> budget;
    std::size_t                   bytes;
    std::shared_ptr<void>         memory;
  };

  std::size_t
  Remaining() const
  {
    if (m_Limit == 0)
    {
      return std::numeric_limits<std::size_t>::max() - m_Used;
    }
    return m_Limit > m_Used ? m_Limit - m_Used : 0; // a limit may be set below what is in use
  }

  void
  Take(std::size_t bytes)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    if (bytes > this->Remaining())
    {
      throw OutOfMemoryError("Allocation of " + std::to_string(bytes) + " bytes of device memory",
                             m_Used + bytes,
                             m_Limit,
                             OutOfMemoryError::Bound::Limit);
    }
    m_Used += bytes;
  }

  void
  GiveBack(std::size_t bytes)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_Used -= bytes;
  }

  mutable std::mutex m_Mutex;
  std::size_t        m_Limit = 0;
  std::size_t        m_Used = 0;
};

} // namespace cudaneuro

#endif
