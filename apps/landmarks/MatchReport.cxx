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
    PrintLine("target",
              this->TextOf(target + "/target") + ": distance " + this->TextOf(target + "/distance_before/mean_mm") +
                " mm before, " + this->TextOf(target + "/distance_after/mean_mm") + " after; largest " +
                this->TextOf(target + "/distance_before/maximum_mm") + " before, " +
                this->TextOf(target + "/distance_after/maximum_mm") + " after; " +
                this->TextOf(target + "/number_of_iterations") + " iterations, " +
                this->TextOf(target + "/stop_reason"));
  }
  this->PrintDevice();
  PrintLine("seconds", this->TextOfAll("/seconds"));
}
