// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_group_LocalSum_h
#define cudaneuro_group_LocalSum_h

#include "group/ArraySum.h"

#include <memory>

namespace cudaneuro::gpu
{

/** Sums over contexts of one CUDA device. Kernels on the first context's compute stream read the arrays of all; events
 * make the streams wait for each other. After each function the other streams wait for the work that it enqueued, so
 * that a job may free its array in order of its own stream, even if an exception ends the sum over the devices. One
 * thread enqueues for all contexts. */
class LocalSum
{
public:
  /** \param contexts at least one; the first one's stream runs the kernels. */
  explicit LocalSum(const std::vector<Context *> & contexts);

  Context &
  GetFirst() const
  {
    return *m_Contexts[0];
  }

  // Arguments: an array of each context, the number of values of each array, and their type.

  /** Replaces the first context's array by the sum of all, in order of all compute streams. */
  void
  EnqueueSumIntoFirst(const std::vector<void *> & arrays, std::size_t count, SumType type);

  /** Replaces the other arrays by the first one. Must follow EnqueueSumIntoFirst: their streams wait for the first. */
  void
  EnqueueCopiesOfFirst(const std::vector<void *> & arrays, std::size_t count, SumType type);

  /** Replaces all arrays by their sum, in order of all compute streams. */
  void
  EnqueueSumIntoAll(const std::vector<void *> & arrays, std::size_t count, SumType type);

private:
  void
  LetFirstWaitForOthers();
  void
  LetOthersWaitForFirst();

  std::vector<Context *> m_Contexts;
  /** Events of the first context's stream, then of the others' streams. */
  std::vector<std::unique_ptr<Event>> m_Events;
};

} // namespace cudaneuro::gpu

#endif
