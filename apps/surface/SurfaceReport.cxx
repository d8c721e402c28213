// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/SurfaceReport.h"

Report::Json
DescribeDistances(const cudaneuro::SurfaceDistances & distances)
{
  Report::Json json;
  json["mean_mm"] = distances.mean;
  json["rms_mm"] = distances.rootMeanSquare;
  json["percentile_95_mm"] = distances.percentile95;
  json["maximum_mm"] = distances.maximum;
  return json;
}

void
DescribeSizes(Report::Json & json, const cudaneuro::SurfaceSize & before, const cudaneuro::SurfaceSize & after)
{
  json["volume_before_mm3"] = before.volume;
  json["volume_after_mm3"] = after.volume;
  json["volume_change_percent"] = 100.0 * (after.volume - before.volume) / before.volume;
  json["area_before_mm2"] = before.area;
  json["area_after_mm2"] = after.area;
}

void
SurfaceReport::Print() const
{
  PrintLine("input", this->TextOf("/input") + ": " + this->TextOf("/input_description"));
  PrintLine("method", this->TextOfAll("/parameters"));
  for (std::size_t i = 0; this->Has("/surfaces/" + std::to_string(i)); ++i)
  {
    const std::string surface = "/surfaces/" + std::to_string(i);
    const std::string label = this->Has(surface + "/label") ? "label " + this->TextOf(surface + "/label") + ": " : "";
    if (!this->Has(surface + "/distance"))
    {
      PrintLine("surface", label + "nothing is left of it");
      continue;
    }
    const auto text = [&](const char * what) { return this->TextOf(surface + what); };
    PrintLine("surface",
              label + "moved by " + text("/distance/mean_mm") + " mm on average, RMS " + text("/distance/rms_mm") +
                ", 95 % up to " + text("/distance/percentile_95_mm") + ", largest " + text("/distance/maximum_mm") +
                "; volume " + text("/volume_before_mm3") + " mm^3 before, " + text("/volume_after_mm3") + " after (" +
                text("/volume_change_percent") + " %); area " + text("/area_before_mm2") + " mm^2 before, " +
                text("/area_after_mm2") + " after; band of " + text("/band_voxels") + " voxels, " +
                text("/band_width_mm") + " mm on either side; c1 " + text("/spatial_scale_mm2") + ", c2 " +
                text("/similarity_scale_mm2") + " mm^2");
  }
  this->PrintDevice();
  PrintLine("seconds", this->TextOfAll("/seconds"));
}
