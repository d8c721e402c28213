// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/PairTable.h"

#include "files/input/CsvTable.h"
#include "shared/Files.h"
#include "shared/AlignmentReports.h"

namespace
{

/** A column, and where its values are in reports. */
struct TableColumn
{
  const char * name;
  const char * where;
};

constexpr TableColumn columns[] = {
  { "seconds", "/seconds/total" },
  { "alignment_metric", "/alignment/metric" },
  { "alignment_overlap", "/alignment/overlap" },
  { "alignment_quality", "/alignment/quality" },
  { "alignment_success", "/alignment/is_success" },
  { "energy_first", "/energy/first" },
  { "energy_final", "/energy/final" },
  { "jacobian_minimum", "/jacobian/minimum" },
  { "jacobian_maximum", "/jacobian/maximum" },
  { "jacobian_mean_logarithm", "/jacobian/mean_logarithm" },
  { "jacobian_standard_deviation_logarithm", "/jacobian/standard_deviation_logarithm" },
  { "jacobian_percentile_0_1", "/jacobian/percentile_0_1" },
  { "jacobian_percentile_99_9", "/jacobian/percentile_99_9" },
  { "jacobian_folded_voxels", "/jacobian/folded_voxels" },
  { "inverse_mean_mm", "/inverse_consistency/mean_mm" },
  { "inverse_maximum_mm", "/inverse_consistency/maximum_mm" },
  { "points_mean_before_mm", "/points/distance_before/mean_mm" },
  { "points_mean_after_mm", "/points/distance_after/mean_mm" },
  { "points_maximum_before_mm", "/points/distance_before/maximum_mm" },
  { "points_maximum_after_mm", "/points/distance_after/maximum_mm" },
  { "union_before", "/overlap/before/union" },
  { "union_after", "/overlap/after/union" },
  { "mean_before", "/overlap/before/mean" },
  { "mean_after", "/overlap/after/mean" },
};

/** A number of a report with all its digits; empty where there is none. */
std::string
ValueOf(const Report::Json & report, const char * where)
{
  const Report::Json::json_pointer pointer(where);
  return report.is_object() && report.contains(pointer) ? report.at(pointer).dump() : "";
}

} // namespace

PairTable::PairTable(const RegisterPairs & pairs)
  : m_Pairs(pairs)
  , m_Rows(pairs.size())
{}

void
PairTable::Set(std::size_t pair, const std::string & status, const Report::Json & report, const std::string & error)
{
  m_Rows.at(pair) = { status, report, error };
  if (report.is_object())
  {
    // Iterations are many, and no column has them.
    m_Rows[pair].report.erase("iterations");
  }
}

std::string
PairTable::GetText() const
{
  std::string text = "name,status,fixed,moving";
  for (const TableColumn & column : columns)
  {
    text.append(",").append(column.name);
  }
  text += ",error\n";
  for (std::size_t i = 0; i < m_Rows.size(); ++i)
  {
    const RegisterPair & pair = m_Pairs[i];
    text += CsvTable::Quoted(pair.name) + ',' + m_Rows[i].status + ',' + CsvTable::Quoted(pair.files.fixed) + ',' +
            CsvTable::Quoted(pair.files.moving);
    for (const TableColumn & column : columns)
    {
      text += ',' + ValueOf(m_Rows[i].report, column.where);
    }
    text += ',' + CsvTable::Quoted(m_Rows[i].error) + '\n';
  }
  return text;
}

std::vector<std::string>
PairTable::GetNames(const std::string & status) const
{
  std::vector<std::string> names;
  for (std::size_t i = 0; i < m_Rows.size(); ++i)
  {
    if (m_Rows[i].status == status)
    {
      names.push_back(m_Pairs[i].name);
    }
  }
  return names;
}

void
PairTable::WarnOfFailures(const std::string & path) const
{
  UntrustedAlignments untrusted;
  std::size_t         count = 0;
  for (std::size_t i = 0; i < m_Rows.size(); ++i)
  {
    const Row & row = m_Rows[i];
    if (row.status != "failed" && row.report.is_object() && row.report.contains("alignment"))
    {
      ++count;
      untrusted.AddFrom(m_Pairs[i].name, row.report);
    }
  }
  untrusted.Warn(count, path);
}
