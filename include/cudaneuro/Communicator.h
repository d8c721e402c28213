// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_Communicator_h
#define cudaneuro_Communicator_h

#include "CudaNeuroExport.h"

#include <cstddef>
#include <cstdint>

namespace cudaneuro
{

/** Processes that compute one result together, on one machine or on several. The library itself has no message passing:
 * a program derives from this class and implements Sum, for example with MPI_Allreduce.
 *
 * All processes call Sum in the same order with the same counts. Sums of integers do not depend on the order in which
 * the processes are added, and therefore results do not either. */
class CudaNeuro_EXPORT Communicator
{
public:
  Communicator() = default;
  virtual ~Communicator();
  Communicator(const Communicator &) = delete;
  Communicator &
  operator=(const Communicator &) = delete;

  /** Index of this process, from 0. */
  virtual int
  GetRank() const = 0;
  /** The number of processes. */
  virtual int
  GetSize() const = 0;

  /** Replaces each of \p count values in host memory by its sum over all processes, and waits for all of them. */
  virtual void
  Sum(std::int64_t * values, std::size_t count) = 0;
  virtual void
  Sum(std::int32_t * values, std::size_t count) = 0;
};

} // namespace cudaneuro

#endif
