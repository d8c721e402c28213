// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/input/InputFile.h"
#include "files/points/PointFormats.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <stdexcept>

using Json = nlohmann::ordered_json;

namespace
{

Json
ParseJson(const std::string & path)
{
  constexpr std::uint64_t mostBytes = 1 << 30;
  const std::uint64_t     size = CheckRegularFile(path);
  if (size > mostBytes)
  {
    RefuseInput(path, "it is larger than the 1 GB that markups may have");
  }
  const std::vector<char> text = ReadBytes(path, 0, size);
  try
  {
    return Json::parse(text);
  }
  catch (const Json::exception & error)
  {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    const std::string what = error.what();
    const std::size_t end = what.find("] ");
    RefuseInput(path, "it is no JSON: " + (end == std::string::npos ? what : what.substr(end + 2)));
  }
}

/** A member of an object, or null where there is none. */
const Json *
Find(const Json & object, const char * name)
{
  if (!object.is_object())
  {
    return nullptr;
  }
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

/** The one list of markups in a file. */
const Json &
FindMarkup(const std::string & path, const Json & file)
{
  const Json * const markups = Find(file, "markups");
  if (markups == nullptr || !markups->is_array())
  {
    RefuseInput(path, "it has no \"markups\", as a file of 3D Slicer's markups has");
  }
  if (markups->size() != 1)
  {
    RefuseInput(path, "it has " + std::to_string(markups->size()) + " markups; a file with one can be worked on");
  }
  return markups->front();
}

/** Whether positions are RAS. Older files have numbers; where nothing is said, it is LPS. */
bool
IsRas(const std::string & path, const Json & markup)
{
  const Json * const system = Find(markup, "coordinateSystem");
  if (system == nullptr || *system == "LPS" || *system == "1" || *system == 1)
  {
    return false;
  }
  if (*system == "RAS" || *system == "0" || *system == 0)
  {
    return true;
  }
  RefuseField(path, "coordinateSystem", system->dump(), R"(it must be "LPS" or "RAS")");
}

void
RequireMillimeters(const std::string & path, const Json & markup)
{
  const Json * const units = Find(markup, "coordinateUnits");
  if (units == nullptr || *units == "mm" || *units == Json::array({ "mm", "mm", "mm" }))
  {
    return;
  }
  RefuseField(path, "coordinateUnits", units->dump(), "it must be \"mm\"");
}

void
AddControlPoint(const std::string & path, const Json & point, PointData & data)
{
  const std::string  name = "control point " + std::to_string(data.GetNumberOfPoints() + 1);
  const Json * const label = Find(point, "label");
  const Json * const status = Find(point, "positionStatus");
  if (status != nullptr && *status != "defined")
  {
    RefuseField(path, "positionStatus of " + name, status->dump(), "all control points must be defined");
  }
  const Json * const position = Find(point, "position");
  if (position == nullptr || !position->is_array() || position->size() != 3)
  {
    RefuseInput(path, name + " has no position of 3 numbers");
  }
  for (const Json & coordinate : *position)
  {
    if (!coordinate.is_number())
    {
      RefuseField(path, "a coordinate of " + name, coordinate.dump(), "it must be a number");
    }
    data.coordinates.push_back(coordinate.get<double>());
  }
  data.labels.push_back(label != nullptr && label->is_string() ? label->get<std::string>() : "");
}

} // namespace

PointData
ReadMarkups(const std::string & path)
{
  const Json         file = ParseJson(path);
  const Json &       markup = FindMarkup(path, file);
  const bool         isRas = IsRas(path, markup);
  const Json * const points = Find(markup, "controlPoints");
  RequireMillimeters(path, markup);
  if (points == nullptr || !points->is_array())
  {
    RefuseInput(path, "its markups have no \"controlPoints\"");
  }
  PointData data;
  for (const Json & point : *points)
  {
    AddControlPoint(path, point, data);
  }
  if (isRas)
  {
    TurnAround(data);
  }
  return data;
}

void
WriteMarkups(const std::string & path, const PointData & data)
{
  Json points = Json::array();
  for (std::size_t i = 0; i < data.GetNumberOfPoints(); ++i)
  {
    const double * const position = data.coordinates.data() + 3 * i;
    points.push_back({ { "id", std::to_string(i + 1) },
                       { "label", data.labels.empty() ? std::to_string(i + 1) : data.labels[i] },
                       { "position", { position[0], position[1], position[2] } },
                       { "positionStatus", "defined" } });
  }
  Json markup;
  markup["type"] = "Fiducial";
  markup["coordinateSystem"] = "LPS";
  markup["coordinateUnits"] = "mm";
  markup["controlPoints"] = points;
  Json file;
  file["@schema"] = "https://raw.githubusercontent.com/slicer/slicer/master/Modules/Loadable/Markups/Resources/Schema/"
                    "markups-schema-v1.0.3.json#";
  file["markups"] = Json::array({ markup });
  std::ofstream stream(path, std::ios::binary);
  // Labels that are no UTF-8, as a CSV file may have them, are written with a mark in place of what is none.
  stream << file.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
  stream.close();
  if (!stream)
  {
    throw std::runtime_error("the disk may be full");
  }
}
