// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/output/WholeFile.h"
#include "files/points/NumberScanner.h"
#include "files/points/PointFormats.h"
#include "files/points/PointPairs.h"

#include <algorithm>
#include <ostream>

namespace cudaneuro::files
{

namespace
{

const std::vector<std::string> axisNames{ "x", "y", "z" };

/** Whether a column holds the numbers of rows, from 0 on, as pandas writes them. */
bool
IsRowNumber(const CsvTable & table, std::size_t column)
{
  for (std::size_t row = 0; row < table.GetNumberOfRows(); ++row)
  {
    if (table.GetValue(row, column) != std::to_string(row))
    {
      return false;
    }
  }
  return true;
}

/** The columns of a table of points. */
struct PointColumns
{
  std::vector<std::size_t>   axes;
  bool                       isRas = false;
  std::optional<std::size_t> label;
  std::optional<std::size_t> status;
};

PointColumns
FindColumns(const std::string & path, const CsvTable & table)
{
  PointColumns columns;
  for (const std::string names : { "xyz", "lps", "ras" })
  {
    std::vector<std::size_t> axes;
    for (const char name : names)
    {
      const std::string axis(1, name);
      const auto        found = table.FindColumn(
        { axis, axis + " mm", axis + "_mm", axis + " (mm)", axis + "(mm)", axis + " [mm]", axis + "[mm]" });
      if (found && axes.size() == names.find(name))
      {
        axes.push_back(*found);
      }
    }
    if (columns.axes.empty() && (axes.size() == 3 || (axes.size() == 2 && names == "xyz")))
    {
      columns.axes = axes;
      columns.isRas = names == "ras";
    }
  }
  if (columns.axes.empty())
  {
    const std::string missing = table.HasColumn("x") ? "y" : "x";
    RefuseInput(path, "it has no column " + missing + "; its columns are " + Listed(table.GetColumns()));
  }
  columns.label = table.FindColumn({ "label", "name" });
  if (!columns.label && table.GetColumns()[0].empty() && !IsRowNumber(table, 0))
  {
    columns.label = 0; // pandas does not name the column that names its rows
  }
  columns.status = table.FindColumn({ "positionStatus", "defined" });
  return columns;
}

/** Whether a row says that it has no place: 3D Slicer by a status of other than 1 or 2, others by nothing, NaN, or what
 * BIDS and pandas have for what is not there, in its place. */
bool
IsPlaceless(const CsvTable & table, std::size_t row, const PointColumns & columns)
{
  const std::string status = columns.status ? table.GetValue(row, *columns.status) : "";
  const bool        isDefined = status.empty() || status == "2" || (status == "1" && table.FindColumn({ "defined" }));
  return !isDefined || (columns.label && std::all_of(columns.axes.begin(), columns.axes.end(), [&](std::size_t axis) {
                          const std::string value = Lower(table.GetValue(row, axis));
                          return value.empty() || value == "nan" || value == "n/a" || value == "na";
                        }));
}

/** Takes the columns that are no places and no labels, and says which of them are not known. */
void
TakeFurther(const CsvTable & table, const PointColumns & columns, PointData & data)
{
  std::vector<std::string> unknown;
  for (std::size_t column = 0; column < table.GetColumns().size(); ++column)
  {
    const std::string & name = table.GetColumns()[column];
    const bool          isAxis = std::count(columns.axes.begin(), columns.axes.end(), column) > 0;
    if (isAxis || column == columns.label || column == columns.status || name.empty() || name == "autoCreated")
    {
      continue;
    }
    PointColumn further{ name, {} };
    for (std::size_t row = 0; row < table.GetNumberOfRows(); ++row)
    {
      further.values.push_back(table.GetValue(row, column));
    }
    data.columns.push_back(std::move(further));
    if (FindField(name) == nullptr && Lower(name) != "t" && Lower(name) != "weight")
    {
      unknown.push_back(name);
    }
  }
  if (!unknown.empty())
  {
    data.notes.push_back("has further columns, which take no part: " + Listed(unknown));
  }
}

} // namespace

PointData
TakePoints(const std::string & path, CsvTable & table)
{
  const PointColumns columns = FindColumns(path, table);
  PointData          data;
  for (std::size_t row = 0; row < table.GetNumberOfRows();)
  {
    const std::string label = columns.label ? table.GetValue(row, *columns.label) : "";
    const bool        isPlaceless = IsPlaceless(table, row, columns);
    if (isPlaceless)
    {
      data.placeless.push_back(label.empty() ? table.Describe(row, "point") : label);
    }
    else if (columns.label)
    {
      data.labels.push_back(label);
    }
    isPlaceless ? table.RemoveRow(row) : static_cast<void>(++row);
  }
  data.dimension = static_cast<unsigned int>(columns.axes.size());
  data.coordinates = table.GetNumbers(columns.axes);
  for (std::size_t i = 0; i < data.coordinates.size() && data.notes.empty(); ++i)
  {
    const std::string & value = table.GetValue(i / data.dimension, columns.axes[i % data.dimension]);
    if (value.find(',') != std::string::npos)
    {
      data.notes.push_back("has commas in its numbers, as " + value + "; they are taken for those of decimals");
    }
  }
  TakeFurther(table, columns, data);
  if (columns.isRas)
  {
    TurnAround(data);
  }
  return data;
}

PointData
ReadPointTable(const std::string & path)
{
  constexpr std::size_t longest = 16;
  const std::string     start = ReadStart(path, longest);
  const std::string     line = Trimmed(start.substr(0, start.find_first_of("\r\n")));
  if (line == "point" || line == "index")
  {
    return ReadElastix(path);
  }
  CsvTable table(path, { {}, axisNames, {} });
  return TakePoints(path, table);
}

PointData
ReadElastix(const std::string & path)
{
  NumberScanner     scanner(path);
  const std::string kind = scanner.TakeWord();
  if (kind != "point")
  {
    scanner.Refuse(
      "it is \"" + kind.substr(0, 20) +
      "\", and not \"point\": places are indices of voxels then, which cannot be used without their image; "
      "where they are in mm, write \"point\"");
  }
  PointData         data;
  const std::size_t count = scanner.TakeSize("the number of points", 4);
  while (!scanner.PeekWord().empty())
  {
    data.coordinates.push_back(scanner.TakeNumber("a coordinate"));
  }
  const std::size_t numbers = data.coordinates.size();
  if (numbers != 2 * count && numbers != 3 * count)
  {
    RefuseInput(path,
                "it has " + std::to_string(numbers) + " coordinates, and says that there are " + std::to_string(count) +
                  " points, of 2 or 3 each");
  }
  data.dimension = numbers == 2 * count ? 2 : 3;
  return data;
}

void
WriteCsv(const std::string & path, const PointData & data)
{
  std::vector<PointColumn> columns = data.columns;
  // ANTs has the time at the fourth place.
  const auto time =
    std::find_if(columns.begin(), columns.end(), [](const PointColumn & column) { return Lower(column.name) == "t"; });
  const bool hasTime = time != columns.end();
  if (hasTime)
  {
    std::rotate(columns.begin(), time, time + 1);
  }
  if (!data.labels.empty())
  {
    columns.insert(columns.begin() + (hasTime ? 1 : 0), { "label", data.labels });
  }
  const std::string separator = EndingOf(path) == ".tsv" ? "\t" : ",";
  WriteLines(path, [&](std::ostream & file) {
    for (std::size_t axis = 0; axis < data.dimension; ++axis)
    {
      file << (axis == 0 ? "" : separator) << axisNames[axis];
    }
    for (const PointColumn & column : columns)
    {
      file << separator << CsvTable::Quoted(column.name);
    }
    file << '\n';
    for (std::size_t point = 0; point < data.GetNumberOfPoints(); ++point)
    {
      for (std::size_t axis = 0; axis < data.dimension; ++axis)
      {
        file << (axis == 0 ? "" : separator) << data.coordinates[point * data.dimension + axis];
      }
      for (const PointColumn & column : columns)
      {
        file << separator << CsvTable::Quoted(column.values[point]);
      }
      file << '\n';
    }
  });
}

void
WriteTxt(const std::string & path, const PointData & data)
{
  WriteLines(path, [&](std::ostream & file) {
    file << (data.dimension == 3 ? "# x y z\n" : "# x y\n");
    WritePlaces(file, data);
  });
}

void
WriteElastix(const std::string & path, const PointData & data)
{
  WriteLines(path, [&](std::ostream & file) {
    file << "point\n" << data.GetNumberOfPoints() << '\n';
    WritePlaces(file, data);
  });
}

std::vector<double>
ReadPointWeights(const std::string & path, const PointData & points, const std::string & pathOfPoints)
{
  PointData weights;
  weights.dimension = 1;
  if (EndingOf(path) == ".csv" || EndingOf(path) == ".tsv")
  {
    const CsvTable table(path, { {}, { "weight" }, {} });
    const auto     column = table.FindColumn({ "weight" });
    const auto     label = table.FindColumn({ "label", "name" });
    if (!column)
    {
      RefuseInput(path, "it has no column weight");
    }
    weights.coordinates = table.GetNumbers({ *column });
    for (std::size_t row = 0; label && row < table.GetNumberOfRows(); ++row)
    {
      weights.labels.push_back(table.GetValue(row, *label));
    }
  }
  else
  {
    NumberScanner scanner(path);
    while (!scanner.PeekWord().empty())
    {
      weights.coordinates.push_back(scanner.TakeNumber("a weight"));
    }
  }
  for (std::size_t i = 0; i < weights.coordinates.size(); ++i)
  {
    if (weights.coordinates[i] < 0.0)
    {
      RefuseField(path, "weight " + std::to_string(i), weights.coordinates[i], "it must be at least 0");
    }
  }
  const PointPairs pairs = PairPoints(points, pathOfPoints, weights, path);
  if (!pairs.onlyFirst.empty())
  {
    RefuseInput(path, "it has no weight of " + Listed(pairs.onlyFirst) + ", which " + pathOfPoints + " has");
  }
  std::vector<double> sorted;
  for (const std::size_t weight : pairs.second)
  {
    sorted.push_back(weights.coordinates[weight]);
  }
  return sorted;
}

} // namespace cudaneuro::files
