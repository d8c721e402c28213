// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/input/InputFile.h"
#include "files/output/WholeFile.h"
#include "files/points/MarkupsFields.h"
#include "files/points/PointFormats.h"

#include <nlohmann/json.hpp>

#include <algorithm>

using Json = nlohmann::ordered_json;

namespace
{

Json
ParseJson(const std::string & path)
{
  const std::vector<char> text = ReadBytes(path, 0, CheckRegularFile(path));
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
    RefuseInput(path, "it is no JSON: " + (end == std::string::npos ? what : what.substr(end + 2)));
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
  if (units != nullptr && *units != "mm" && *units != Json::array({ "mm", "mm", "mm" }))
  {
    RefuseField(path, "coordinateUnits", units->dump(), "it must be \"mm\"");
  }
}

/** The numbers of a member that has some of them; empty where there is no such member. */
std::vector<double>
NumbersOf(
  const std::string & path, const Json & point, const char * member, std::size_t count, const std::string & name)
{
  const Json * const  array = Find(point, member);
  std::vector<double> numbers;
  for (std::size_t i = 0; array != nullptr && array->is_array() && i < array->size(); ++i)
  {
    if (!(*array)[i].is_number())
    {
      RefuseField(path, "a number of the " + (member + (" of " + name)), (*array)[i].dump(), "it must be a number");
    }
    numbers.push_back((*array)[i].get<double>());
  }
  if (array != nullptr && numbers.size() != count)
  {
    RefuseInput(path, name + " has no " + member + " of " + std::to_string(count) + " numbers");
  }
  return numbers;
}

/** The orientation of a control point in LPS, as text; empty where it is that of points without one. */
std::string
OrientationOf(const std::string & path, const Json & point, bool isRas, const std::string & name)
{
  std::vector<double> axes = NumbersOf(path, point, "orientation", 9, name);
  for (std::size_t i = 0; isRas && i < axes.size() && i < 6; ++i)
  {
    axes[i] = 0.0 - axes[i];
  }
  return axes == std::vector<double>{ -1, 0, 0, 0, -1, 0, 0, 0, 1 } || axes.empty() ? "" : Json(axes).dump();
}

/** Takes what else is said of a point: texts as they are, and 1 or 0 for what is or is not. */
void
AddFields(const Json & point, const std::string & orientation, PointData & data)
{
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
    column.values.push_back(column.name == "orientation" ? orientation : text);
  }
}

void
AddControlPoint(const std::string & path, const Json & point, bool isRas, std::size_t number, PointData & data)
{
  const std::string  name = "control point " + std::to_string(number);
  const Json * const label = Find(point, "label");
  const Json * const status = Find(point, "positionStatus");
  const std::string  text = label != nullptr && label->is_string() ? label->get<std::string>() : "";
  if (status != nullptr && (*status == "undefined" || *status == "missing" || *status == "preview"))
  {
    data.placeless.push_back(text.empty() ? name : text);
    return;
  }
  if (status != nullptr && *status != "defined")
  {
    RefuseField(path, "positionStatus of " + name, status->dump(), R"(it must be "defined", "undefined" or "missing")");
  }
  std::vector<double> position = NumbersOf(path, point, "position", 3, name);
  if (position.empty())
  {
    RefuseInput(path, name + " has no position of 3 numbers");
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    // 0.0 - x rather than -x, so that 0 stays 0.
    data.coordinates.push_back(isRas && axis < 2 ? 0.0 - position[axis] : position[axis]);
  }
  data.labels.push_back(text);
  AddFields(point, OrientationOf(path, point, isRas, name), data);
}

/** What a list says of all its points. Planes, boxes and measurements would not be those of other places. */
std::string
SettingsOf(Json markup)
{
  const Json * const type = Find(markup, "type");
  const bool         isMoved = type != nullptr && (*type == "Fiducial" || *type == "Line" || *type == "Angle" ||
                                           *type == "Curve" || *type == "ClosedCurve");
  Json               settings = Json::object();
  for (const auto & [key, value] : markup.items())
  {
    if (key != "controlPoints" && key != "measurements" && (isMoved || key == "display" || key == "labelFormat"))
    {
      settings[key] = value;
    }
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
    RequireMillimeters(path, markup);
    for (const Json & point : ArrayIn(path, markup, "controlPoints"))
    {
      AddControlPoint(path, point, isRas, ++number, data);
    }
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
  data.markups = SettingsOf(markups.front());
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
        point[field.json] = std::string(field.json) == "orientation" ? Json::parse(value) : Json(value);
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
