// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/input/InputFile.h"
#include "files/output/WholeFile.h"
#include "files/points/PointFormats.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace cudaneuro::files
{

namespace
{

constexpr const char * columns = "id,x,y,z,ow,ox,oy,oz,vis,sel,lock,label,desc,associatedNodeID";

/** Whether positions are RAS, from a comment such as "CoordinateSystem = LPS". */
bool
IsRas(const std::string & path, const CsvTable & table, PointData & data)
{
  for (const std::string & comment : table.GetComments())
  {
    const std::size_t equals = comment.find('=');
    if (equals == std::string::npos || Trimmed(comment.substr(0, equals)) != "CoordinateSystem")
    {
      continue;
    }
    const std::string system = Trimmed(comment.substr(equals + 1));
    if (system != "LPS" && system != "1" && system != "RAS" && system != "0")
    {
      RefuseField(path, "CoordinateSystem", '"' + system + '"', "it must be LPS (or 1) or RAS (or 0)");
    }
    return system == "RAS" || system == "0";
  }
  data.notes.emplace_back("does not say its CoordinateSystem; it is taken for RAS, as 3D Slicer does");
  return true;
}

} // namespace

bool
IsNamed(const MarkupsField & field, const std::string & name)
{
  const std::string lower = Lower(name);
  return !name.empty() && (lower == Lower(field.json) || lower == field.fcsv || lower == field.other);
}

const MarkupsField *
FindField(const std::string & column)
{
  const auto found = std::find_if(std::begin(markupsFields), std::end(markupsFields), [&](const MarkupsField & field) {
    return IsNamed(field, column);
  });
  return found == std::end(markupsFields) ? nullptr : found;
}

const PointColumn *
FindColumn(const PointData & data, const MarkupsField & field)
{
  const auto found = std::find_if(
    data.columns.begin(), data.columns.end(), [&](const PointColumn & column) { return IsNamed(field, column.name); });
  return found == data.columns.end() ? nullptr : &*found;
}

void
RemoveNormal(PointData & data)
{
  const auto isNormal = [](const PointColumn & column) {
    const MarkupsField * const field = FindField(column.name);
    return field != nullptr && std::all_of(column.values.begin(), column.values.end(), [&](const std::string & value) {
             // As numbers, where they are such: 1.0 is 1.
             return value == field->normal ||
                    (!value.empty() && *field->normal != '\0' && std::atof(value.c_str()) == std::atof(field->normal));
           });
  };
  data.columns.erase(std::remove_if(data.columns.begin(), data.columns.end(), isNormal), data.columns.end());
}

PointData
ReadFcsv(const std::string & path)
{
  constexpr const char * older = "# Fiducial List file"; // version 3, which need not name its columns
  const bool             isOlder = ReadStart(path, std::strlen(older)) == older;
  CsvFormat              format;
  format.unnamed = SplitWords(Replaced(isOlder ? "label,x,y,z,sel,vis" : columns, ",", " "));
  // Newer versions of 3D Slicer write two values more than they name.
  format.further = { "positionStatus", "autoCreated" };
  CsvTable  table(path, format);
  PointData data = TakePoints(path, table);
  if (data.dimension != 3)
  {
    RefuseInput(path, "it has no column z");
  }
  RemoveNormal(data);
  if (IsRas(path, table, data))
  {
    TurnAround(data);
  }
  return data;
}

void
WriteFcsv(const std::string & path, const PointData & data)
{
  WriteLines(path, [&](std::ostream & file) {
    file << "# Markups fiducial file version = 4.11\n# CoordinateSystem = LPS\n# columns = " << columns << '\n';
    for (std::size_t i = 0; i < data.GetNumberOfPoints(); ++i)
    {
      const auto value = [&](const char * name) {
        const MarkupsField & field = *FindField(name);
        const auto * const   column = FindColumn(data, field);
        return column == nullptr ? std::string(field.normal) : CsvTable::Quoted(column->values[i]);
      };
      const std::string id = value("id");
      file << (id.empty() ? std::to_string(i + 1) : id);
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        file << ',' << data.coordinates[3 * i + axis];
      }
      for (const char * const name : { "ow", "ox", "oy", "oz", "vis", "sel", "lock" })
      {
        file << ',' << value(name);
      }
      file << ',' << (data.labels.empty() ? std::to_string(i + 1) : CsvTable::Quoted(data.labels[i])) << ','
           << value("desc") << ',' << value("associatedNodeID") << '\n';
    }
  });
}

} // namespace cudaneuro::files
