// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_group_HostSum_h
#define cudaneuro_group_HostSum_h

#include "cudaneuro/Communicator.h"
#include "group/BreakableBarrier.h"

#include <cstddef>
#include <vector>

namespace cudaneuro
{

/** Sums of arrays in host memory over the threads of a group, and over processes. */
class HostSum
{
public:
  /** \param communicator null for one process. */
  HostSum(BreakableBarrier & barrier, int size, Communicator * communicator)
    : m_Barrier(barrier)
    , m_Communicator(communicator)
    , m_Addends(size)
  {}

  /** Replaces each device's values by the sums. All devices' threads call it with the same count, for std::int32_t or
   * std::int64_t.
   * \throws Error when one of them will not come, and what the communicator throws */
  template <typename T>
  void
  Sum(int device, T * values, std::size_t count);

private:
  /** Replaces elements [begin, end) of all arrays by their sums. Throws nothing, so that nobody leaves, and frees its
   * array, while others work with it. */
  template <typename T>
  void
  SumRange(std::size_t begin, std::size_t end) noexcept;

  BreakableBarrier & m_Barrier;
  Communicator *     m_Communicator;
  /** Each device's values. */
  std::vector<void *> m_Addends;
};

} // namespace cudaneuro

#endif
