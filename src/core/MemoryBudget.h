// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_MemoryBudget_h
#define cudaneuro_core_MemoryBudget_h

#include "cudaneuro/Error.h"

#include <cstddef>
#include <functional>
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

  /** Gives memory of the same context up, and returns whether it did. */
  using Reliever = std::function<bool()>;

  /** \p reliever is called on the allocating thread when memory is short, until there is enough or it returns false. It
   * is not called while it runs. An empty function removes it. */
  void
  SetReliever(Reliever reliever)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_Reliever = std::move(reliever);
  }

  /** What the allocations from now on are part of, for the message of an error; empty says nothing. */
  std::string
  ExchangePurpose(std::string purpose)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_Purpose.swap(purpose);
    return purpose;
  }

  /** Memory that is counted until it is freed with its last owner. \p allocate returns a shared_ptr<void> to \p bytes
   * bytes, and is not called when they would exceed the limit. Where memory is short, the reliever is asked.
   * \throws OutOfMemoryError, with all bytes that would be in use, and the limit; and what \p allocate throws. */
  template <typename TAllocate>
  static std::shared_ptr<void>
  Allocate(const std::shared_ptr<MemoryBudget> & budget, std::size_t bytes, const TAllocate & allocate)
  {
    for (;;)
    {
      try
      {
        return AllocateOnce(budget, bytes, allocate);
      }
      catch (const OutOfMemoryError & error)
      {
        if (!budget->Relieve())
        {
          budget->Rethrow(error);
        }
      }
    }
  }

private:
  template <typename TAllocate>
  static std::shared_ptr<void>
  AllocateOnce(const std::shared_ptr<MemoryBudget> & budget, std::size_t bytes, const TAllocate & allocate)
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

  bool
  Relieve()
  {
    Reliever reliever;
    {
      const std::lock_guard<std::mutex> lock(m_Mutex);
      reliever.swap(m_Reliever);
    }
    if (!reliever)
    {
      return false;
    }
    const Restored restored{ *this, reliever };
    return restored.reliever();
  }

  /** Puts the reliever back when it has run, whether it returned or threw. */
  struct Restored
  {
    ~Restored() { budget.SetReliever(reliever); }

    MemoryBudget &   budget;
    const Reliever & reliever;
  };

  [[noreturn]] void
  Rethrow(const OutOfMemoryError & error) const
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    if (m_Purpose.empty())
    {
      throw error;
    }
    throw OutOfMemoryError(error.GetCall() + " for " + m_Purpose,
                           error.GetBytesNeeded(),
                           error.GetBytesAvailable(),
                           error.GetBound(),
                           error.GetDetails());
  }

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
  Reliever           m_Reliever;
  std::string        m_Purpose;
};

/** Says what a budget's allocations are part of, until destroyed. */
class MemoryPurpose
{
public:
  MemoryPurpose(MemoryBudget & budget, std::string purpose)
    : m_Budget(budget)
    , m_Outer(budget.ExchangePurpose(std::move(purpose)))
  {}
  ~MemoryPurpose() { m_Budget.ExchangePurpose(std::move(m_Outer)); }
  MemoryPurpose(const MemoryPurpose &) = delete;
  MemoryPurpose &
  operator=(const MemoryPurpose &) = delete;

private:
  MemoryBudget & m_Budget;
  std::string    m_Outer;
};

} // namespace cudaneuro

#endif
