// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_processes_ListRun_h
#define apps_processes_ListRun_h

#include "files/output/OutputFile.h"
#include "processes/ListTable.h"
#include "processes/TaskQueue.h"
#include "shared/Files.h"
#include "shared/ProgressBar.h"

#include <functional>
#include <string>

/** The outcome of a task of a list. */
struct TaskOutcome
{
  std::size_t task = 0;
  /** Why it failed; empty if it did not. */
  std::string  error;
  Report::Json report;
};

/** Returns an outcome as text, for other processes. */
std::string
TextOf(const TaskOutcome & outcome);

/** Runs a step of a task, unless the task has failed, and records its error. Messages of ITK's classes begin with the
 * subject.
 * \throws Interrupted, itk::ProcessAborted */
void
AttemptTask(TaskOutcome & outcome, const std::string & subject, const std::function<void()> & step);

/** The tasks of a list and their outcomes, in the first of the processes that share it. A task that fails does not stop
 * the others. Writes a table after each task, prints a line, and at a signal the number of complete tasks. */
class ListRun
{
public:
  /** \param noun the name of a task, such as "pair"
   * \param label of the progress bar
   * \param path of the table */
  ListRun(const std::string & noun, const std::string & label, const std::string & path, ListTable table, bool isQuiet);

  /** Returns the tasks to do, and records those with a complete report of an earlier run as skipped.
   * \param readComplete returns the report of a task, or null if it is not complete; may be empty */
  std::vector<std::size_t>
  Choose(const std::function<Report::Json(std::size_t task)> & readComplete);

  /** Records an outcome, given as TextOf returns it. */
  void
  Collect(const std::string & outcome);

  const ListTable &
  GetTable() const
  {
    return m_Table;
  }

  /** Prints how many there are of each kind. */
  void
  PrintSummary() const;

  /** \throws UserError that names the tasks that failed, if any */
  void
  RequireSuccess() const;

private:
  void
  Update();

  const std::string m_Noun;
  ListTable         m_Table;
  const bool        m_IsQuiet;
  const OutputFile  m_File;
  ProgressBar       m_Bar;
};

/** Runs the tasks of a list with the workers of all processes.
 * \param list null in all processes but the first
 * \param tasks of the first process
 * \param numberOfWorkers of this process
 * \param work takes tasks from the queue, until there are none
 * \throws what a worker throws */
void
RunList(const Processes &                                                  processes,
        ListRun *                                                          list,
        const std::vector<std::size_t> &                                   tasks,
        std::size_t                                                        numberOfWorkers,
        const std::function<void(std::size_t worker, TaskQueue & queue)> & work);

#endif
