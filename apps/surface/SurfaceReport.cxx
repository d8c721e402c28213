// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/SurfaceReport.h"

#include <cmath>

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

Report::Json
DescribeAngles(const cudaneuro::SurfaceAngles & angles)
{
  Report::Json json;
  json["mean_degrees"] = angles.mean;
  json["rms_degrees"] = angles.rootMeanSquare;
  return json;
}

double
ChangeInPercent(double before, double after, double area)
{
  constexpr double rounding = 1e-9; // relative to the largest volume of that area, up to a factor of 10
  const bool       isVolume = std::abs(before) > rounding * area * std::sqrt(area);
  return isVolume ? 100.0 * (after - before) / before : 0.0;
}

bool
AreClosed(vtkPolyData * before, vtkPolyData * after)
{
  return cudaneuro::FindSurfaceDefects(before).IsClosed() && cudaneuro::FindSurfaceDefects(after).IsClosed();
}

void
DescribeVolumes(Report::Json & json, double before, double after, double area)
{
  json["volume_before_mm3"] = before;
  json["volume_after_mm3"] = after;
  json["volume_change_percent"] = ChangeInPercent(before, after, area);
}

void
DescribeAreas(Report::Json & json, const cudaneuro::SurfaceSize & before, const cudaneuro::SurfaceSize & after)
{
  json["area_before_mm2"] = before.area;
  json["area_after_mm2"] = after.area;
}

void
SurfaceReport::PrintSurface(const std::string & surface) const
{
  const auto  has = [&](const char * what) { return this->Has(surface + what); };
  const auto  text = [&](const char * what) { return this->TextOf(surface + what); };
  std::string line = has("/label") ? "label " + text("/label") + ": " : "";
  if (!has("/distance"))
  {
    PrintLine("surface", line + "nothing is left of it");
    return;
  }
  line += "moved by " + text("/distance/mean_mm") + " mm on average, RMS " + text("/distance/rms_mm") +
          ", 95 % up to " + text("/distance/percentile_95_mm") + ", largest " + text("/distance/maximum_mm");
  if (has("/volume_before_mm3"))
  {
    line += "; volume " + text("/volume_before_mm3") + " mm^3 before, " + text("/volume_after_mm3") + " after (" +
            text("/volume_change_percent") + " %)";
  }
  line += "; area " + text("/area_before_mm2") + " mm^2 before, " + text("/area_after_mm2") + " after";
  if (has("/noise_mm"))
  {
    line += "; noise " + text("/noise_mm") + " mm";
  }
  if (has("/mean_edge_mm"))
  {
    line += ", mean edge " + text("/mean_edge_mm") + " mm, " + text("/border_edges") + " border edges";
  }
  if (has("/band_voxels"))
  {
    line += "; band of " + text("/band_voxels") + " voxels, " + text("/band_width_mm") + " mm on either side; c1 " +
            text("/spatial_scale_mm2") + ", c2 " + text("/similarity_scale_mm2") + " mm^2";
  }
  PrintLine("surface", line);
}

void
SurfaceReport::Print() const
{
  PrintLine("input", this->TextOf("/input") + ": " + this->TextOf("/input_description"));
  const std::string parameters = this->TextOfAll("/parameters");
  PrintLine("method", this->TextOf("/method") + (parameters.empty() ? "" : ": " + parameters));
  for (std::size_t i = 0; this->Has("/surfaces/" + std::to_string(i)); ++i)
  {
    this->PrintSurface("/surfaces/" + std::to_string(i));
  }
  this->PrintDevice();
  PrintLine("seconds", this->TextOfAll("/seconds"));
}
