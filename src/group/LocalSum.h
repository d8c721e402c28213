// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_group_LocalSum_h
#define cudaneuro_group_LocalSum_h

#include "group/ArraySum.h"

#include <memory>

namespace cudaneuro::gpu
{

/** Sums over contexts of one CUDA device. Kernels on the first context's compute stream take the arrays of all; events
 * make the streams wait for each other. After each function the other streams wait for what it has enqueued, so that
 * a job may free its array in order of its own stream, also when an exception ends the sum over the devices. One
 * thread enqueues for all contexts. */
class LocalSum
{
public:
  /** \param contexts at least one, the first one first. */
  explicit LocalSum(const std::vector<Context *> & contexts);

  Context &
  GetFirst() const
  {
    return *m_Contexts[0];
  }

  // Arguments: an array of each context, the number of values of each, and their type.

  /** The first context's array becomes the sum of all, in order of all compute streams. */
  void
  EnqueueSumIntoFirst(const std::vector<void *> & arrays, std::size_t count, SumType type);

  /** The other arrays become the first one. Follows EnqueueSumIntoFirst: their streams wait for the first already. */
  void
  EnqueueCopiesOfFirst(const std::vector<void *> & arrays, std::size_t count, SumType type);

  /** All arrays become the sum of all, in order of all compute streams. */
  void
  EnqueueSumIntoAll(const std::vector<void *> & arrays, std::size_t count, SumType type);

private:
  void
  LetFirstWaitForOthers();
  void
  LetOthersWaitForFirst();

  std::vector<Context *> m_Contexts;
  /** Where the first context's stream is, then where those of the others are. */
  std::vector<std::unique_ptr<Event>> m_Events;
};

} // namespace cudaneuro::gpu

#endif
