// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "landmarks/MatchReport.h"

void
MatchReport::Print() const
{
  PrintLine("template", this->TextOf("/template") + ": " + this->TextOf("/template_description"));
  PrintLine("method", this->TextOfAll("/parameters"));
  for (std::size_t i = 0; this->Has("/targets/" + std::to_string(i)); ++i)
  {
    const std::string target = "/targets/" + std::to_string(i);
    const std::string aligned = target + "/distance_aligned/root_mean_square_mm";
    PrintLine("target",
              this->TextOf(target + "/target") + ": distance " + this->TextOf(target + "/distance_before/mean_mm") +
                " mm before, " + this->TextOf(target + "/distance_after/mean_mm") + " after; largest " +
                this->TextOf(target + "/distance_before/maximum_mm") + " before, " +
                this->TextOf(target + "/distance_after/maximum_mm") + " after; " +
                this->TextOf(target + "/number_of_iterations") + " iterations, " +
                this->TextOf(target + "/stop_reason") + "; " + this->TextOf(target + "/matched_points") +
                " points matched by " + this->TextOf(target + "/matched_by"));
    if (this->Has(aligned))
    {
      PrintLine("aligned",
                "root mean square distance " + this->TextOf(target + "/distance_before/root_mean_square_mm") +
                  " mm before, " + this->TextOf(aligned) + " aligned, " +
                  this->TextOf(target + "/distance_after/root_mean_square_mm") + " after");
    }
  }
  this->PrintDevice();
  PrintLine("seconds", this->TextOfAll("/seconds"));
}
