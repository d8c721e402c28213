// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_processes_ProcessGroup_h
#define apps_processes_ProcessGroup_h

#include "cudaneuro/Communicator.h"

#include <memory>
#include <optional>
#include <string>

/** A message from one process of a group to another. */
struct ProcessMessage
{
  /** The sender. */
  int rank = 0;
  /** The kind of message, which sender and receiver agree on. */
  int         kind = 0;
  std::string text;
};

/** The processes that a launcher, such as mpirun, has started together. One thread at a time may use it. */
class ProcessGroup : public cudaneuro::Communicator
{
public:
  /** Index of this process among those of its machine, and their number. */
  virtual int
  GetLocalRank() const = 0;
  virtual int
  GetLocalSize() const = 0;

  /** Sends a message, and waits until its text may change. */
  virtual void
  Send(int rank, int kind, const std::string & text) = 0;
  /** Waits for the next message of a process. */
  virtual ProcessMessage
  Receive(int rank) = 0;
  /** The next message of any process, if there is one. */
  virtual std::optional<ProcessMessage>
  TryReceive() = 0;

  /** Ends all processes with a status. It need not return. */
  virtual void
  Abort(int status) = 0;
};

/** Joins the processes that mpirun, or a batch system, has started together with this one; null if it
 * is alone. A program can have one group, whose destructor waits for the other processes.
 * \throws UserError where this program cannot be one of several */
std::unique_ptr<ProcessGroup>
JoinProcessGroup(int & argc, char **& argv);

#endif
