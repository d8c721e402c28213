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

/** The table of outcomes, as CSV, with a row for each task in the order of the list. */
class ListTable
{
public:
  /** \param own names of columns after name and status, with values of the list
   * \param columns with values of reports */
  ListTable(std::vector<std::string> own, std::vector<ReportColumn> columns);

  void
  AddRow(const std::string & name, const std::vector<std::string> & ownValues);

  /** Records the status of a task: "done", "skipped" (an earlier run has done it), or "failed".
   * \param report null if there is none
   * \param error empty if there is none */
  void
  Set(std::size_t task, const std::string & status, const Report::Json & report, const std::string & error);

  /** Returns the table. Tasks without an outcome have the status "waiting". */
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
