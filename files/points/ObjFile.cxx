// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/input/TextScanner.h"
#include "files/output/WholeFile.h"
#include "files/points/MeshFile.h"
#include "files/points/MeshFormats.h"

#include <iomanip>

namespace
{

using Kind = MeshCell::Kind;

/** Statements of an .obj file: points (v), faces (f), lines (l) and single points (p); others are no part of a mesh. */
class ObjReader
{
public:
  explicit ObjReader(const std::string & path)
    : m_Scanner(path)
  {}

  PointData
  Read()
  {
    while (m_Scanner.GetRemainingBytes() > 0)
    {
      const std::vector<std::string> words = SplitWords(this->TakeStatement());
      const std::string              name = words.empty() ? "" : words[0];
      if (name == "v")
      {
        this->AddPoint(words);
      }
      else if (name == "f" || name == "fo" || name == "l")
      {
        this->AddCell(words, name == "l" ? Kind::Line : Kind::Polygon);
      }
      else if (name == "p")
      {
        for (std::size_t i = 1; i < words.size(); ++i)
        {
          m_Data.cells.push_back({ Kind::Vertex, { this->PointOf(words[i]) } });
        }
      }
    }
    if (m_NumberOfFacesLeftOut > 0)
    {
      m_Data.mesh.warnings.push_back(m_Scanner.GetPath() + ": " + std::to_string(m_NumberOfFacesLeftOut) +
                                     " of its faces and lines are left out, which have too few points to be any");
    }
    return std::move(m_Data);
  }

private:
  /** A line and those that a backslash at its end joins to it, without the comment. */
  std::string
  TakeStatement()
  {
    std::string line = Trimmed(m_Scanner.TakeLine());
    while (!line.empty() && line.back() == '\\' && m_Scanner.GetRemainingBytes() > 0)
    {
      line.back() = ' ';
      line += Trimmed(m_Scanner.TakeLine());
    }
    const std::size_t comment = line.find('#');
    if (comment != std::string::npos && m_Data.mesh.space.empty())
    {
      m_Data.mesh.space = SpaceOf(line.substr(comment));
    }
    return line.substr(0, comment);
  }

  /** What stands after three coordinates is a weight or a color. */
  void
  AddPoint(const std::vector<std::string> & words)
  {
    if (words.size() < 4)
    {
      m_Scanner.Refuse("a point has " + std::to_string(words.size() - 1) + " coordinates; it must have 3");
    }
    for (std::size_t axis = 1; axis <= 3; ++axis)
    {
      m_Data.coordinates.push_back(m_Scanner.AsNumber("a coordinate", words[axis]));
    }
  }

  void
  AddCell(const std::vector<std::string> & words, Kind kind)
  {
    MeshCell cell;
    cell.kind = kind;
    for (std::size_t i = 1; i < words.size(); ++i)
    {
      cell.points.push_back(this->PointOf(words[i]));
    }
    if (cell.points.size() < (kind == Kind::Line ? 2 : 3))
    {
      ++m_NumberOfFacesLeftOut;
      return;
    }
    m_Data.cells.push_back(std::move(cell));
  }

  /** A point may stand before numbers of its texture and normal: 3/1/2. Positive ones may be of points that follow; negative
   * ones count back from the last. */
  std::uint32_t
  PointOf(const std::string & word) const
  {
    const auto   count = static_cast<double>(m_Data.GetNumberOfPoints());
    const double number = m_Scanner.AsNumber("a point of a face", word.substr(0, word.find('/')));
    const double index = number < 0.0 ? count + number : number - 1.0;
    if (number != std::trunc(number) || index < 0.0 || index > std::numeric_limits<std::uint32_t>::max())
    {
      m_Scanner.Refuse("a point of a face is " + word.substr(0, 20) +
                       "; points are counted from 1, or back from -1; there are " +
                       std::to_string(m_Data.GetNumberOfPoints()) + " before it");
    }
    return static_cast<std::uint32_t>(index);
  }

  TextScanner m_Scanner;
  PointData   m_Data;
  std::size_t m_NumberOfFacesLeftOut = 0;
};

/** Takes comments, which begin with #, off the beginning. */
void
SkipComments(TextScanner & scanner, PointData & data)
{
  for (std::string word = scanner.PeekWord(); !word.empty() && word.front() == '#'; word = scanner.PeekWord())
  {
    const std::string note = SpaceOf(scanner.TakeLine());
    data.mesh.space = note.empty() ? data.mesh.space : note;
  }
}

/** Coordinates and cells as lines, with as many digits as a double has. */
std::string
LinesOf(const PointData & data, const char * before, const char * (*nameOf)(const MeshCell &), std::uint32_t firstIndex)
{
  std::ostringstream text;
  text << std::setprecision(std::numeric_limits<double>::max_digits10);
  for (std::size_t i = 0; i < data.coordinates.size(); ++i)
  {
    text << (i % 3 == 0 ? before : "") << data.coordinates[i] << (i % 3 == 2 ? '\n' : ' ');
  }
  for (const MeshCell & cell : data.cells)
  {
    if (nameOf == nullptr)
    {
      text << cell.points.size();
    }
    else
    {
      text << nameOf(cell);
    }
    for (const std::uint32_t point : cell.points)
    {
      text << ' ' << point + firstIndex;
    }
    text << '\n';
  }
  return text.str();
}

} // namespace

PointData
ReadObj(const std::string & path)
{
  return ObjReader(path).Read();
}

void
WriteObj(const std::string & path, const PointData & data)
{
  const auto nameOf = [](const MeshCell & cell) {
    return cell.kind == Kind::Polygon ? "f" : cell.kind == Kind::Line ? "l" : "p";
  };
  WriteBytes(path, "# " + SpaceNote(data.mesh) + '\n' + LinesOf(data, "v ", nameOf, 1));
}

PointData
ReadOff(const std::string & path)
{
  TextScanner scanner(path);
  PointData   data;
  SkipComments(scanner, data);
  const std::string keyword = scanner.TakeWord();
  if (keyword != "OFF" || scanner.PeekWord() == "BINARY")
  {
    scanner.Refuse("it begins with \"" + keyword.substr(0, 20) + ' ' + scanner.PeekWord().substr(0, 20) +
                   "\"; files of text that begin with OFF can be worked on");
  }
  SkipComments(scanner, data);
  const std::size_t points = scanner.TakeSize("the number of points", 6);
  const std::size_t faces = scanner.TakeSize("the number of faces", 2);
  scanner.TakeSize("the number of edges", 0);
  for (std::size_t i = 0; i < points; ++i)
  {
    SkipComments(scanner, data);
    for (int axis = 0; axis < 3; ++axis)
    {
      data.coordinates.push_back(scanner.TakeNumber("a coordinate"));
    }
  }
  for (std::size_t i = 0; i < faces; ++i)
  {
    SkipComments(scanner, data);
    MeshCell cell;
    cell.points.resize(scanner.TakeSize("the number of points of a face", 2));
    for (std::uint32_t & point : cell.points)
    {
      point = static_cast<std::uint32_t>(scanner.TakeCount("a point of a face", 0xffffffff));
    }
    data.cells.push_back(std::move(cell));
    scanner.TakeLine(); // maybe a color
  }
  return data;
}

void
WriteOff(const std::string & path, const PointData & data)
{
  const std::string counts = std::to_string(data.GetNumberOfPoints()) + ' ' + std::to_string(data.cells.size());
  WriteBytes(path, "OFF\n# " + SpaceNote(data.mesh) + '\n' + counts + " 0\n" + LinesOf(data, "", nullptr, 0));
}
