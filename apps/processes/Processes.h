// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_processes_Processes_h
#define apps_processes_Processes_h

#include "processes/ProcessGroup.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

/** The processes that work together: those of mpirun, if this program was built with MPI, or this one alone. */
class Processes
{
public:
  /** Makes a group of this process alone, even under mpirun. */
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

  /** Returns whether this process is the one that prints, and writes files of the whole run. */
  bool
  IsFirst() const
  {
    return this->GetRank() == 0;
  }

  /** Returns the group, for the engine and for messages; null if this process is alone. */
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

  /** From now on, messages of the program name the process. Earlier, while the command line is read, all processes
   * would print the same, so only the first prints. */
  void
  BeginMessages(const std::string & program);

  /** Ends all processes if one was asked to end.
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

/** Runs a program whose work several processes may share: joins them, and calls a function that parses and runs, with
 * the command line that MPI has left.
 * \param name the beginning of earlier errors
 * \returns the exit status */
int
RunWithProcesses(const std::string &                                             name,
                 int                                                             argc,
                 char **                                                         argv,
                 const std::function<int(Processes &, int argc, char ** argv)> & run);

#endif
