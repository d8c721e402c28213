// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/Alignment.h"

#include "shared/MapRows.h"
#include "shared/Messages.h"

#include <fstream>

using Json = Report::Json;

namespace
{

constexpr unsigned int axes = 3;

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

} // namespace

Json
Describe(const ImageAlignment & alignment, unsigned int dimension)
{
  Json json;
  json["metric"] = alignment.metric;
  json["overlap"] = alignment.overlap;
  json["quality"] = alignment.quality;
  json["is_success"] = alignment.isSuccess;
  json["matrix"] = MatrixRowsOf(alignment.transform, dimension);
  json["offset_mm"] = OffsetOf(alignment.transform, dimension);
  return json;
}

std::string
WriteAlignment(const std::string & align, const Alignment & alignment)
{
  Json json;
  json["align"] = align;
  for (const ImageAlignment & image : alignment)
  {
    json["images"].push_back(Describe(image, axes));
  }
  return json.dump(1) + '\n';
}

Alignment
ReadAlignment(const std::string & path, const std::string & align, std::size_t numberOfImages)
{
  std::string found;
  Alignment   alignment;
  try
  {
    std::ifstream file(path);
    const Json    json = Json::parse(file);
    json.at("align").get_to(found);
    for (const Json & image : json.at("images"))
    {
      alignment.push_back(FromJson(image));
    }
  }
  catch (const Json::exception & error)
  {
    throw ProgramError("cannot read " + path + ", the alignment of the checkpoint: " + error.what());
  }
  if (found != align)
  {
    throw ProgramError(path + " is of a run with --align " + found + ", and this one has --align " + align);
  }
  if (alignment.size() != numberOfImages)
  {
    throw ProgramError(path + " is of " + std::to_string(alignment.size()) + " images, and this run has " +
                       std::to_string(numberOfImages));
  }
  return alignment;
}
