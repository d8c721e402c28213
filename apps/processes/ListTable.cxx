// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "processes/ListTable.h"

#include "files/input/CsvTable.h"

namespace
{

/** Returns a number of a report with all digits; empty if there is none. */
std::string
ValueOf(const Report::Json & report, const char * where)
{
  const Report::Json::json_pointer pointer(where);
  const bool                       isThere = report.is_object() && report.contains(pointer);
  return isThere && !report.at(pointer).is_null() ? report.at(pointer).dump() : "";
}

} // namespace

ListTable::ListTable(std::vector<std::string> own, std::vector<ReportColumn> columns)
  : m_Own(std::move(own))
  , m_Columns(std::move(columns))
{}

void
ListTable::AddRow(const std::string & name, const std::vector<std::string> & ownValues)
{
  m_Rows.push_back({ name, ownValues, "waiting", {}, "" });
}

void
ListTable::Set(std::size_t task, const std::string & status, const Report::Json & report, const std::string & error)
{
  Row & row = m_Rows.at(task);
  row.status = status;
  row.report = report;
  row.error = error;
  if (report.is_object())
  {
    // Saves memory: iterations are many, and no column shows them.
    row.report.erase("iterations");
  }
}

std::string
ListTable::GetText() const
{
  std::string text = "name,status";
  for (const std::string & column : m_Own)
  {
    text += ',' + column;
  }
  for (const ReportColumn & column : m_Columns)
  {
    text.append(",").append(column.name);
  }
  text += ",error\n";
  for (const Row & row : m_Rows)
  {
    text += CsvTable::Quoted(row.name) + ',' + row.status;
    for (const std::string & value : row.own)
    {
      text += ',' + CsvTable::Quoted(value);
    }
    for (const ReportColumn & column : m_Columns)
    {
      text += ',' + ValueOf(row.report, column.where);
    }
    text += ',' + CsvTable::Quoted(row.error) + '\n';
  }
  return text;
}

std::vector<std::string>
ListTable::GetNames(const std::string & status) const
{
  std::vector<std::string> names;
  for (const Row & row : m_Rows)
  {
    if (row.status == status)
    {
      names.push_back(row.name);
    }
  }
  return names;
}
