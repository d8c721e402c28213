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
  /** \param communicator null if there is one process. */
  HostSum(BreakableBarrier & barrier, int size, Communicator * communicator)
    : m_Barrier(barrier)
    , m_Communicator(communicator)
    , m_Addends(size)
  {}

  /** Replaces each device's values by the sums. All devices' threads must call it with the same count, for std::int32_t
   * or std::int64_t.
   * \throws Error if one of them will not arrive, and exceptions of the communicator */
  template <typename T>
  void
  Sum(int device, T * values, std::size_t count);

private:
  /** Replaces elements [begin, end) of all arrays by their sums. Throws nothing, so that no thread leaves and frees its
   * array, while others use it. */
  template <typename T>
  void
  SumRange(std::size_t begin, std::size_t end) noexcept;

  BreakableBarrier & m_Barrier;
  Communicator *     m_Communicator;
  /** The values of each device. */
  std::vector<void *> m_Addends;
};

} // namespace cudaneuro

#endif
