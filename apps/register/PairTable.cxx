// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/PairTable.h"

#include "shared/registration/AlignmentReports.h"

#include <iterator>

namespace
{

constexpr ReportColumn columns[] = {
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
  { "hausdorff_95_mean_before_mm", "/label_distances/before/mean/hausdorff_95_mm" },
  { "hausdorff_95_mean_after_mm", "/label_distances/after/mean/hausdorff_95_mm" },
  { "surface_distance_mean_before_mm", "/label_distances/before/mean/mean_mm" },
  { "surface_distance_mean_after_mm", "/label_distances/after/mean/mean_mm" },
};

} // namespace

ListTable
MakePairTable(const RegisterPairs & pairs)
{
  ListTable table({ "fixed", "moving" }, { std::begin(columns), std::end(columns) });
  for (const RegisterPair & pair : pairs)
  {
    table.AddRow(pair.name, { pair.files.fixed, pair.files.moving });
  }
  return table;
}

void
WarnOfUntrustedAlignments(const ListTable & table, const std::string & path)
{
  UntrustedAlignments untrusted;
  std::size_t         count = 0;
  for (std::size_t pair = 0; pair < table.GetNumberOfRows(); ++pair)
  {
    const Report::Json & report = table.GetReport(pair);
    if (table.GetStatus(pair) != "failed" && report.is_object() && report.contains("alignment"))
    {
      ++count;
      untrusted.AddFrom(table.GetName(pair), report);
    }
  }
  untrusted.Warn(count, path);
}
