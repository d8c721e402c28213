// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/input/InputFile.h"
#include "files/output/WholeFile.h"
#include "files/points/PointFormats.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace cudaneuro::files
{

using Json = nlohmann::ordered_json;

namespace
{

Json
ParseJson(const std::string & path)
{
  const std::vector<char> bytes = ReadBytes(path, 0, CheckRegularFile(path));
  std::string             text(bytes.begin(), bytes.end());
  TakeMark(path, text);
  try
  {
    return Json::parse(text, [&](int depth, Json::parse_event_t, const Json &) {
      // Copies of what is deeper than the stack would end the program.
      constexpr int deepest = 100;
      if (depth > deepest)
      {
        RefuseInput(path, "it has more than 100 brackets in one another");
      }
      return true;
    });
  }
  catch (const Json::exception & error)
  {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    const std::string what = error.what();
    const std::size_t end = what.find("] ");
    RefuseInput(path,
                "it is no JSON: " + Printable(end == std::string::npos ? what : what.substr(end + 2), what.size()));
  }
}

/** A member of an object, or null where there is none. */
const Json *
Find(const Json & object, const char * name)
{
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found == object.end() ? nullptr : &*found;
}

/** An array that is a member of an object. */
const Json &
ArrayIn(const std::string & path, const Json & object, const char * name)
{
  const Json * const array = Find(object, name);
  if (array == nullptr || !array->is_array())
  {
    RefuseInput(path, std::string("it has no \"") + name + "\", as a file of 3D Slicer's markups has");
  }
  return *array;
}

/** Which of some values a member has; the first one where there is no such member. */
std::size_t
WhichOf(const std::string & path, const Json & object, const char * name, const std::string & of, const Json & values)
{
  const Json * const value = Find(object, name);
  const auto         found = value == nullptr ? values.begin() : std::find(values.begin(), values.end(), *value);
  if (found == values.end())
  {
    RefuseField(path, name + of, value->dump(), "it must be one of " + values.dump());
  }
  return static_cast<std::size_t>(found - values.begin());
}

/** Whether positions are RAS. Older files have numbers; where nothing is said, it is LPS. */
bool
IsRas(const std::string & path, const Json & markup)
{
  return WhichOf(path, markup, "coordinateSystem", "", { "LPS", "1", 1, "RAS", "0", 0 }) > 2;
}

/** The numbers of a member that has some of them; empty where there is no such member. Those of a place or a
 * direction are turned to LPS. */
std::vector<double>
NumbersOf(const Json & point, const char * member, std::size_t count, bool isRas)
{
  const Json * const value = Find(point, member);
  const auto         isNumber = [](const Json & item) { return item.is_number(); };
  if (value != nullptr && (!value->is_array() || !std::all_of(value->begin(), value->end(), isNumber)))
  {
    throw std::invalid_argument(std::string("its ") + member + " is " + Printable(value->dump()) + "; it must be " +
                                std::to_string(count) + " numbers");
  }
  auto numbers = value == nullptr ? std::vector<double>() : value->get<std::vector<double>>();
  if (!numbers.empty() && numbers.size() != count)
  {
    throw std::invalid_argument(std::string("it has no ") + member + " of " + std::to_string(count) + " numbers");
  }
  // An orientation is a matrix, of which each row is of an axis. 0.0 - x rather than -x, so that 0 stays 0.
  std::transform(numbers.begin(),
                 numbers.begin() + static_cast<std::ptrdiff_t>(isRas ? numbers.size() * 2 / 3 : 0),
                 numbers.begin(),
                 [](double x) { return 0.0 - x; });
  return numbers;
}

/** Takes what else is said of a point: texts as they are, and 1 or 0 for what is or is not. */
void
AddFields(const Json & point, bool isRas, PointData & data)
{
  const std::vector<double> axes = NumbersOf(point, "orientation", 9, isRas);
  const bool                hasAxes = !axes.empty() && axes != std::vector<double>{ -1, 0, 0, 0, -1, 0, 0, 0, 1 };
  for (PointColumn & column : data.columns)
  {
    const MarkupsField & field = *FindField(column.name);
    const Json * const   value = Find(point, field.json);
    std::string          text = field.normal;
    if (value != nullptr && value->is_string())
    {
      text = value->get<std::string>();
    }
    else if (value != nullptr && value->is_boolean())
    {
      text = value->get<bool>() ? "1" : "0";
    }
    column.values.push_back(column.name != "orientation" ? text : hasAxes ? Json(axes).dump() : "");
  }
}

void
AddControlPoint(const std::string & path, const Json & point, bool isRas, const std::string & name, PointData & data)
{
  const Json * const label = Find(point, "label");
  const std::string  text = label != nullptr && label->is_string() ? label->get<std::string>() : "";
  if (WhichOf(path, point, "positionStatus", " of " + name, { "defined", "undefined", "missing", "preview" }) > 0)
  {
    data.placeless.push_back(text.empty() ? name : text);
    return;
  }
  try
  {
    const std::vector<double> position = NumbersOf(point, "position", 3, isRas);
    if (position.empty())
    {
      throw std::invalid_argument("it has no position of 3 numbers");
    }
    data.coordinates.insert(data.coordinates.end(), position.begin(), position.end());
    data.labels.push_back(text);
    AddFields(point, isRas, data);
  }
  catch (const std::exception & error)
  {
    RefuseInput(path, name + " cannot be used: " + error.what());
  }
}

/** What a list says of all its points. Planes, boxes and measurements would not be those of other places: a note names
 * what is left out of planes and boxes, while 3D Slicer measures lines and curves anew. */
std::string
TakeSettings(const Json & markup, PointData & data)
{
  const Json * const type = Find(markup, "type");
  const bool         isMoved = type == nullptr || *type == "Fiducial" || *type == "Line" || *type == "Angle" ||
                       *type == "Curve" || *type == "ClosedCurve";
  Json                     settings = Json::object();
  std::vector<std::string> further;
  for (const auto & [key, value] : markup.items())
  {
    const bool isRead = key == "type" || key.rfind("coordinate", 0) == 0 || key == "controlPoints" || value.empty();
    if (key != "controlPoints" && key != "measurements" && (isMoved || key == "display" || key == "labelFormat"))
    {
      settings[key] = value;
    }
    else if (!isMoved && !isRead)
    {
      further.push_back(key);
    }
  }
  if (!isMoved)
  {
    data.notes.push_back("is of type " + type->dump() + "; its control points become a list of points" +
                         (further.empty() ? "" : ", without " + Listed(further)));
  }
  return settings.dump();
}

} // namespace

PointData
ReadMarkups(const std::string & path)
{
  const Json   file = ParseJson(path);
  const Json & markups = ArrayIn(path, file, "markups");
  PointData    data;
  for (const MarkupsField & field : markupsFields)
  {
    if (*field.json != '\0')
    {
      data.columns.push_back({ field.json, {} });
    }
  }
  for (const Json & markup : markups)
  {
    const bool  isRas = IsRas(path, markup);
    std::size_t number = 0;
    WhichOf(path, markup, "coordinateUnits", "", { "mm", Json::array({ "mm", "mm", "mm" }) });
    for (const Json & point : ArrayIn(path, markup, "controlPoints"))
    {
      AddControlPoint(path, point, isRas, "control point " + std::to_string(++number), data);
    }
    const std::string settings = TakeSettings(markup, data);
    data.markups = data.markups.empty() ? settings : data.markups;
  }
  if (markups.empty())
  {
    RefuseInput(path, "it has 0 markups");
  }
  if (markups.size() > 1)
  {
    data.notes.push_back("has " + std::to_string(markups.size()) +
                         " lists of markups, whose points are taken one list after the other");
  }
  RemoveNormal(data);
  return data;
}

void
WriteMarkups(const std::string & path, const PointData & data)
{
  Json points = Json::array();
  for (std::size_t i = 0; i < data.GetNumberOfPoints(); ++i)
  {
    const double * const position = data.coordinates.data() + 3 * i;
    Json                 point = { { "id", std::to_string(i + 1) },
                                   { "label", data.labels.empty() ? std::to_string(i + 1) : data.labels[i] } };
    for (const MarkupsField & field : markupsFields)
    {
      const PointColumn * const column = *field.json == '\0' ? nullptr : FindColumn(data, field);
      const std::string         value = column == nullptr ? "" : column->values[i];
      if (!value.empty() && field.isFlag)
      {
        point[field.json] = value != "0" && Lower(value) != "false";
      }
      else if (!value.empty())
      {
        const bool isOrientation = std::string(field.json) == "orientation";
        const Json axes = isOrientation ? Json::parse(value, nullptr, false) : Json();
        if (!isOrientation || (axes.is_array() && axes.size() == 9))
        {
          point[field.json] = isOrientation ? axes : Json(value);
        }
      }
    }
    point["position"] = { position[0], position[1], position[2] };
    point["positionStatus"] = "defined";
    points.push_back(std::move(point));
  }
  Json markup = data.markups.empty() ? Json::object() : Json::parse(data.markups);
  if (Find(markup, "type") == nullptr)
  {
    markup["type"] = "Fiducial";
  }
  markup["coordinateSystem"] = "LPS";
  markup["coordinateUnits"] = "mm";
  markup["controlPoints"] = std::move(points);
  Json file;
  file["@schema"] = "https://raw.githubusercontent.com/slicer/slicer/master/Modules/Loadable/Markups/Resources/Schema/"
                    "markups-schema-v1.0.3.json#";
  file["markups"] = Json::array({ std::move(markup) });
  WriteLines(path, [&](std::ostream & stream) {
    // Labels that are no UTF-8, as a CSV file may have them, are written with a mark in place of what is none.
    stream << file.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
  });
}

} // namespace cudaneuro::files
