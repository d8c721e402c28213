// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_Processes_h
#define apps_atlas_Processes_h

#include "cudaneuro/Communicator.h"

#include <memory>
#include <vector>

class MpiCommunicator;

/** The processes that compute together: those of mpirun, where this program was built with MPI, or this one alone.
 *
 * MPI takes a third of a second to begin, so that a program that mpirun did not start does not begin it. */
class Processes
{
public:
  Processes(int & argc, char **& argv);
  ~Processes();
  Processes(const Processes &) = delete;
  Processes &
  operator=(const Processes &) = delete;

  int
  GetRank() const;
  int
  GetSize() const;
  /** Index among the processes of this machine, and their number. */
  int
  GetLocalRank() const;
  int
  GetLocalSize() const;

  /** The process that prints, and writes what there is one of. */
  bool
  IsFirst() const
  {
    return this->GetRank() == 0;
  }

  /** For the engine; null for a process that is alone. */
  cudaneuro::Communicator *
  GetCommunicator() const;

  /** Replaces the values by their sums over all processes. */
  void
  Sum(std::vector<std::int64_t> & values) const;

  /** Waits until all processes are here. */
  void
  Wait() const;

  /** From now on messages name the process. Before, while the command line is read, all would say the same, and only
   * the first speaks. */
  void
  BeginMessages();

  /** Agrees on whether the program was asked to end: when one process was, all are.
   * \throws Interrupted in all processes */
  void
  ThrowIfAnyInterrupted();

  /** Ends all processes with a status, so that none waits for this one. */
  void
  End(int status);

private:
  std::unique_ptr<MpiCommunicator> m_Mpi;
  bool                             m_HasBegun = false;
  bool                             m_IsEndAgreed = false;
};

#endif
