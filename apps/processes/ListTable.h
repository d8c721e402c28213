// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_processes_ListTable_h
#define apps_processes_ListTable_h

#include "shared/Report.h"

#include <string>
#include <vector>

/** A column, and where its values are in reports. */
struct ReportColumn
{
  const char * name;
  const char * where;
};

/** The table of what became of a list, as CSV: a row for each task of the list, in its order. */
class ListTable
{
public:
  /** \param own names of columns after name and status, whose values the list has
   * \param columns those whose values reports have */
  ListTable(std::vector<std::string> own, std::vector<ReportColumn> columns);

  void
  AddRow(const std::string & name, const std::vector<std::string> & ownValues);

  /** Notes what became of a task: "done", "skipped", which an earlier run has done, or "failed".
   * \param report null where there is none
   * \param error empty where nothing went wrong */
  void
  Set(std::size_t task, const std::string & status, const Report::Json & report, const std::string & error);

  /** Rows of tasks that are still to come have the status "waiting". */
  std::string
  GetText() const;

  std::size_t
  GetNumberOfRows() const
  {
    return m_Rows.size();
  }
  const std::string &
  GetName(std::size_t task) const
  {
    return m_Rows.at(task).name;
  }
  const std::string &
  GetStatus(std::size_t task) const
  {
    return m_Rows.at(task).status;
  }
  /** The report of a task; null where there is none. */
  const Report::Json &
  GetReport(std::size_t task) const
  {
    return m_Rows.at(task).report;
  }

  /** The names of tasks with a status. */
  std::vector<std::string>
  GetNames(const std::string & status) const;

private:
  struct Row
  {
    std::string              name;
    std::vector<std::string> own;
    std::string              status = "waiting";
    Report::Json             report;
    std::string              error;
  };

  const std::vector<std::string>  m_Own;
  const std::vector<ReportColumn> m_Columns;
  std::vector<Row>                m_Rows;
};

#endif
