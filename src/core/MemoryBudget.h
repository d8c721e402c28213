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
 * and shares the ownership of the budget, to which it returns its bytes. */
class MemoryBudget
{
public:
  /** Sets the limit in bytes; 0 is no limit. */
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

  /** Returns the number of bytes in use. */
  std::size_t
  GetUsed() const
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    return m_Used;
  }

  /** Returns the number of bytes that may still be allocated. */
  std::size_t
  GetRemaining() const
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    return this->Remaining();
  }

  /** A function that releases memory of the same context, and returns whether it did. */
  using Reliever = std::function<bool()>;

  /** \p reliever is called on the allocating thread if memory is short, until there is enough or it returns false. It
   * is not called recursively. An empty function removes it. */
  void
  SetReliever(Reliever reliever)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_Reliever = std::move(reliever);
  }

  /** Sets the purpose of later allocations, for error messages (empty for none), and returns the previous one. */
  std::string
  ExchangePurpose(std::string purpose)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_Purpose.swap(purpose);
    return purpose;
  }

  /** Allocates memory that is counted until its last owner frees it. \p allocate returns a shared_ptr<void> to \p bytes
   * bytes, and is not called if they would exceed the limit. If memory is short, the reliever is called.
   * \throws OutOfMemoryError, with all bytes that would be in use, and the limit; and exceptions of \p allocate. */
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

  /** Restores the reliever after it has run, whether it returned or threw. */
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

  /** Memory that returns its bytes to the budget when it is freed. */
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
    return m_Limit > m_Used ? m_Limit - m_Used : 0; // the limit may be set below the bytes in use
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

/** Sets the purpose of a budget's allocations, until destroyed. */
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
