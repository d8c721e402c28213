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

/** What became of a task of a list. */
struct TaskOutcome
{
  std::size_t task = 0;
  /** Why it failed; empty where it did not. */
  std::string  error;
  Report::Json report;
};

/** As text, in which processes tell each other of it. */
std::string
TextOf(const TaskOutcome & outcome);

/** Takes a step of a task that has not failed, and notes why it fails. Messages of ITK's classes begin with the
 * subject.
 * \throws Interrupted, itk::ProcessAborted */
void
AttemptTask(TaskOutcome & outcome, const std::string & subject, const std::function<void()> & step);

/** A list of tasks, of which one that fails does not stop the others, and what becomes of them, in the first of the
 * processes that share it. It writes a table after each, prints a line, and tells at a signal how many are complete. */
class ListRun
{
public:
  /** \param noun what a task is, as "pair"
   * \param label of the progress bar
   * \param path the table's */
  ListRun(const std::string & noun, const std::string & label, const std::string & path, ListTable table, bool isQuiet);

  /** The tasks to be done. Those of which an earlier run has left a complete report are noted as skipped.
   * \param readComplete the report of a task, null where it is not complete; may be empty */
  std::vector<std::size_t>
  Choose(const std::function<Report::Json(std::size_t task)> & readComplete);

  /** Takes up what TextOf made of an outcome. */
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

/** Does the tasks of a list with the workers of all processes.
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
