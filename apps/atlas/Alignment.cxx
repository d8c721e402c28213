// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/Alignment.h"

#include "shared/registration/AlignmentReports.h"

using Json = Report::Json;

namespace
{

constexpr unsigned int axes = 3;

} // namespace

Json
Describe(const ImageAlignment & alignment, unsigned int dimension)
{
  Json json;
  json["metric"] = alignment.metric;
  json["overlap"] = alignment.overlap;
  json["quality"] = alignment.quality;
  json["is_success"] = alignment.isSuccess;
  if (!alignment.isSuccess)
  {
    json["reason"] = ReasonOfFailure(alignment.quality);
  }
  json["matrix"] = MatrixRowsOf(alignment.transform, dimension);
  json["offset_mm"] = OffsetOf(alignment.transform, dimension);
  return json;
}

Json
ToJson(const ImageAlignment & alignment)
{
  return Describe(alignment, axes);
}

ImageAlignment
FromJson(const Json & json)
{
  ImageAlignment alignment;
  for (std::size_t row = 0; row < axes; ++row)
  {
    for (std::size_t column = 0; column < axes; ++column)
    {
      json.at("matrix").at(row).at(column).get_to(alignment.transform.matrix[axes * row + column]);
    }
    json.at("offset_mm").at(row).get_to(alignment.transform.offset[row]);
  }
  json.at("metric").get_to(alignment.metric);
  json.at("overlap").get_to(alignment.overlap);
  json.at("quality").get_to(alignment.quality);
  json.at("is_success").get_to(alignment.isSuccess);
  return alignment;
}
