// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_ContextAccess_h
#define cudaneuro_core_ContextAccess_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Error.h"

#include <memory>

/** Access to those parts of a context that are for the engine, and not for its users. */
namespace cudaneuro
{

struct ContextAccess
{
  /** Returns the streams, limits and memory of a CUDA context.
   * \throws Error for a context of the CPU. */
  static GpuContext &
  Gpu(const Context & context)
  {
    if (!context.m_Gpu)
    {
      throw Error("Use of a context's CUDA device", "the context is of the CPU");
    }
    return *context.m_Gpu;
  }
  /** Returns the budget of a CUDA context's device memory; a context of the CPU counts nothing in it. */
  static MemoryBudget &
  GetBudget(const Context & context)
  {
    return *context.m_Budget;
  }
  static Statistics &
  GetStatistics(Context & context)
  {
    return context.m_Statistics;
  }
  static std::unique_ptr<Context>
  MakeSibling(const Context & context, unsigned int numberOfThreads)
  {
    return std::unique_ptr<Context>(new Context(context.m_Device, numberOfThreads, context.m_Budget));
  }
};

/** Returns a context of the same device for another thread, whose memory counts in the same budget. */
inline std::unique_ptr<Context>
MakeSibling(const Context & context, unsigned int numberOfThreads)
{
  return ContextAccess::MakeSibling(context, numberOfThreads);
}

inline GpuContext &
GpuOf(const Context & context)
{
  return ContextAccess::Gpu(context);
}

inline MemoryBudget &
BudgetOf(const Context & context)
{
  return ContextAccess::GetBudget(context);
}

/** Returns the statistics, which jobs write. */
inline Statistics &
StatisticsOf(Context & context)
{
  return ContextAccess::GetStatistics(context);
}

} // namespace cudaneuro

#endif
