// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/input/CsvTable.h"
#include "files/input/InputFile.h"
#include "files/points/PointFormats.h"
#include "files/input/TextScanner.h"

#include <fstream>
#include <iomanip>
#include <stdexcept>

namespace
{

const std::vector<std::string> axisNames{ "x", "y", "z" };

/** Turns lines of words into points: 2 or 3 numbers in each. */
class TextPoints
{
public:
  explicit TextPoints(const std::string & path)
    : m_Scanner(path)
  {}

  PointData
  Read()
  {
    while (m_Scanner.GetRemainingBytes() > 0)
    {
      const std::vector<std::string> words = SplitWords(WithoutComment(m_Scanner.TakeLine()));
      if (!words.empty())
      {
        this->Add(words);
      }
    }
    return std::move(m_Points);
  }

private:
  static std::string
  WithoutComment(const std::string & line)
  {
    std::string text = line.substr(0, line.find('#'));
    std::replace(text.begin(), text.end(), ',', ' ');
    std::replace(text.begin(), text.end(), '\r', ' ');
    return text;
  }

  void
  Add(const std::vector<std::string> & words)
  {
    if (m_Points.coordinates.empty())
    {
      if (words.size() != 2 && words.size() != 3)
      {
        m_Scanner.Refuse("it has " + std::to_string(words.size()) + " numbers; a point has 2 or 3");
      }
      m_Points.dimension = static_cast<unsigned int>(words.size());
    }
    if (words.size() != m_Points.dimension)
    {
      m_Scanner.Refuse("it has " + std::to_string(words.size()) + " numbers; the first point has " +
                       std::to_string(m_Points.dimension));
    }
    for (std::size_t axis = 0; axis < words.size(); ++axis)
    {
      m_Points.coordinates.push_back(m_Scanner.AsNumber(axisNames[axis], words[axis]));
    }
  }

  TextScanner m_Scanner;
  PointData   m_Points;
};

bool
IsCsv(const std::string & path)
{
  return EndingOf(path) == ".csv";
}

} // namespace

PointData
ReadPointTable(const std::string & path)
{
  if (!IsCsv(path))
  {
    return TextPoints(path).Read();
  }
  const CsvTable table(path, { "x", "y", "z", "label" }, axisNames);
  for (const char * const column : { "x", "y" })
  {
    if (!table.HasColumn(column))
    {
      RefuseInput(path, std::string("it has no column ") + column);
    }
  }
  PointData points;
  points.dimension = table.HasColumn("z") ? 3 : 2;
  for (std::size_t row = 0; row < table.GetNumberOfRows(); ++row)
  {
    for (std::size_t axis = 0; axis < points.dimension; ++axis)
    {
      points.coordinates.push_back(
        ParseNumber(path, table.Describe(row, axisNames[axis]), table.GetValue(row, axisNames[axis])));
    }
    if (table.HasColumn("label"))
    {
      points.labels.push_back(table.GetValue(row, "label"));
    }
  }
  return points;
}

void
WritePointTable(const std::string & path, const PointData & data)
{
  std::ofstream file(path, std::ios::binary);
  const bool    isCsv = IsCsv(path);
  const bool    hasLabels = isCsv && !data.labels.empty();
  const char    separator = isCsv ? ',' : ' ';
  file << (isCsv ? "" : "# ") << 'x' << separator << 'y';
  file << (data.dimension == 3 ? std::string(1, separator) + 'z' : "") << (hasLabels ? ",label" : "") << '\n';
  // As many digits as a double has, so that reading gives the same number.
  file << std::setprecision(std::numeric_limits<double>::max_digits10);
  for (std::size_t i = 0; i < data.GetNumberOfPoints(); ++i)
  {
    for (std::size_t axis = 0; axis < data.dimension; ++axis)
    {
      file << (axis == 0 ? "" : std::string(1, separator)) << data.coordinates[i * data.dimension + axis];
    }
    if (hasLabels)
    {
      file << ',' << CsvTable::Quoted(data.labels[i]);
    }
    file << '\n';
  }
  file.close();
  if (!file)
  {
    throw std::runtime_error("the disk may be full");
  }
}

std::vector<double>
ReadPointWeights(const std::string & path, std::size_t numberOfPoints)
{
  std::vector<double> weights;
  if (IsCsv(path))
  {
    const CsvTable table(path, { "x", "y", "z", "label", "weight" }, { "weight" });
    if (!table.HasColumn("weight"))
    {
      RefuseInput(path, "it has no column weight");
    }
    for (std::size_t row = 0; row < table.GetNumberOfRows(); ++row)
    {
      weights.push_back(ParseNumber(path, table.Describe(row, "weight"), table.GetValue(row, "weight")));
    }
  }
  else
  {
    TextScanner scanner(path);
    while (!scanner.PeekWord().empty())
    {
      weights.push_back(scanner.TakeNumber("a weight"));
    }
  }
  if (weights.size() != numberOfPoints)
  {
    RefuseInput(path,
                "it has " + std::to_string(weights.size()) + " weights, and the template " +
                  std::to_string(numberOfPoints) + " points");
  }
  for (std::size_t i = 0; i < weights.size(); ++i)
  {
    if (weights[i] < 0.0)
    {
      RefuseField(path, "weight " + std::to_string(i), weights[i], "it must be at least 0");
    }
  }
  return weights;
}
