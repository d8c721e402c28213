// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_processes_Processes_h
#define apps_processes_Processes_h

#include "processes/ProcessGroup.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

/** The processes that work together: those of mpirun, where this program was built with MPI, or this one alone. */
class Processes
{
public:
  /** This process alone, whatever has started it. */
  Processes();
  Processes(int & argc, char **& argv);
  ~Processes();
  Processes(const Processes &) = delete;
  Processes &
  operator=(const Processes &) = delete;

  int
  GetRank() const
  {
    return m_Group ? m_Group->GetRank() : 0;
  }
  int
  GetSize() const
  {
    return m_Group ? m_Group->GetSize() : 1;
  }
  /** Index among the processes of this machine, and their number. */
  int
  GetLocalRank() const
  {
    return m_Group ? m_Group->GetLocalRank() : 0;
  }
  int
  GetLocalSize() const
  {
    return m_Group ? m_Group->GetLocalSize() : 1;
  }

  /** The process that prints, and writes what there is one of. */
  bool
  IsFirst() const
  {
    return this->GetRank() == 0;
  }

  /** For the engine, and for messages; null for a process that is alone. */
  ProcessGroup *
  GetGroup() const
  {
    return m_Group.get();
  }

  /** Replaces the values by their sums over all processes. */
  void
  Sum(std::vector<std::int64_t> & values) const;

  /** Waits until all processes are here. */
  void
  Wait() const;

  /** Has the messages of a program name the process from now on. Before, while the command line is read, all would say
   * the same, and only the first speaks. */
  void
  BeginMessages(const std::string & program);

  /** Agrees on whether the program was asked to end: when one process was, all are.
   * \throws Interrupted in all processes */
  void
  ThrowIfAnyInterrupted();

  /** Ends all processes with a status, so that none waits for this one. */
  void
  End(int status);

private:
  std::unique_ptr<ProcessGroup> m_Group;
  bool                          m_HasBegun = false;
  bool                          m_IsEndAgreed = false;
};

/** Runs a program whose work several processes may share: joins them, and calls what parses and runs, with what MPI has
 * left of the command line.
 * \param name that an error before that begins with
 * \returns the exit status */
int
RunWithProcesses(const std::string &                                             name,
                 int                                                             argc,
                 char **                                                         argv,
                 const std::function<int(Processes &, int argc, char ** argv)> & run);

#endif
