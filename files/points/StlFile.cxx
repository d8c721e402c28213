// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/output/WholeFile.h"
#include "files/points/NumberScanner.h"
#include "files/points/PointFormats.h"
#include "itkVector.h"

#include <algorithm>

namespace cudaneuro::files
{

namespace
{

/** Three points that are no other triangle's. */
void
AddTriangle(PointData & data)
{
  const auto end = static_cast<std::uint32_t>(data.GetNumberOfPoints());
  data.cells.push_back({ MeshCell::Kind::Polygon, { end - 3, end - 2, end - 1 } });
}

/** Reads the points of each loop. Statements stand in lines of their own, or several in one. Normals follow from the
 * points, and what else stands in a line is passed over. */
class TextReader
{
public:
  explicit TextReader(NumberScanner & scanner)
    : m_Scanner(scanner)
  {}

  PointData
  Read()
  {
    m_Data.mesh.space = SpaceOf(m_Scanner.TakeLine());
    while (m_Scanner.GetRemainingBytes() > 0)
    {
      m_Words = SplitWords(Lower(Trimmed(m_Scanner.TakeLine())));
      for (std::size_t at = 0; at < m_Words.size();)
      {
        at = this->TakeStatement(at);
      }
    }
    if (m_Last != "endsolid")
    {
      RefuseInput(m_Scanner.GetPath(), "it is cut short: it does not end with \"endsolid\"");
    }
    return std::move(m_Data);
  }

private:
  /** The place of a word in the line from another place on, or behind the last one. */
  std::size_t
  Find(const std::string & word, std::size_t from) const
  {
    return static_cast<std::size_t>(
      std::find(m_Words.begin() + static_cast<std::ptrdiff_t>(from), m_Words.end(), word) - m_Words.begin());
  }

  /** \return the place in the line behind the statement */
  std::size_t
  TakeStatement(std::size_t at)
  {
    const bool        isApart = m_Words[at] == "end" && at + 1 < m_Words.size();
    const std::string name = isApart ? "end" + m_Words[at + 1] : m_Words[at];
    const std::size_t behind = at + (isApart ? 2 : 1);
    const auto        known = { "solid", "facet", "outer", "vertex", "endloop", "endfacet", "endsolid" };
    if (std::find(known.begin(), known.end(), name) == known.end())
    {
      return m_Words.size();
    }
    m_Last = name;
    if (name == "vertex")
    {
      const std::size_t end = std::min(behind + 3, m_Words.size());
      const auto        words = m_Words.begin();
      AddPoint(
        m_Scanner, m_Data, { words + static_cast<std::ptrdiff_t>(behind), words + static_cast<std::ptrdiff_t>(end) });
      return end;
    }
    if (name == "endloop")
    {
      this->EndLoop();
    }
    return name == "solid" || name == "endsolid" ? m_Words.size()
           : name == "facet"                     ? this->Find("outer", behind)
           : name == "outer"                     ? std::min(this->Find("loop", behind) + 1, m_Words.size())
                                                 : behind;
  }

  void
  EndLoop()
  {
    if (m_Data.GetNumberOfPoints() != 3 * (m_Data.cells.size() + 1))
    {
      m_Scanner.Refuse("the loop before it has not three points");
    }
    AddTriangle(m_Data);
  }

  NumberScanner &          m_Scanner;
  PointData                m_Data;
  std::vector<std::string> m_Words;
  /** The name of the last statement. */
  std::string m_Last;
};

/** How many triangles a file has after its header. Some programs leave the number out, or write more behind them. */
std::size_t
TakeNumberOfTriangles(NumberScanner & scanner, PointData & data)
{
  constexpr std::size_t bytesOfTriangle = 50;
  const std::size_t     announced = scanner.TakeIndex(NumberScanner::Type::UINT, "the number of triangles");
  const std::size_t     bytes = scanner.GetRemainingBytes();
  const std::size_t     held = bytes / bytesOfTriangle;
  if ((announced == 0 || announced == 0xffffffff) && held * bytesOfTriangle == bytes)
  {
    data.notes.push_back("announces " + std::to_string(announced) + " triangles; the " + std::to_string(held) +
                         " that it has are read");
    return held;
  }
  if (announced > held)
  {
    RefuseField(scanner.GetPath(),
                "its size in bytes",
                84 + bytes,
                "of " + std::to_string(announced) + " triangles, which its header announces, it must be " +
                  std::to_string(84 + bytesOfTriangle * announced));
  }
  if (bytes > announced * bytesOfTriangle)
  {
    data.notes.push_back("has " + std::to_string(bytes - announced * bytesOfTriangle) +
                         " bytes behind its last triangle, which are left out");
  }
  return announced;
}

PointData
ReadBinary(NumberScanner & scanner)
{
  PointData data;
  data.mesh.space = SpaceOf(std::string(scanner.TakeBytes(80), 80));
  scanner.BeginBinary(false);
  const std::size_t triangles = TakeNumberOfTriangles(scanner, data);
  for (std::size_t i = 0; i < triangles; ++i)
  {
    scanner.TakeBytes(12); // the normal
    const std::vector<double> corners = scanner.TakeNumbers(9, NumberScanner::Type::FLOAT, "a coordinate");
    data.coordinates.insert(data.coordinates.end(), corners.begin(), corners.end());
    AddTriangle(data);
    scanner.TakeBytes(2); // maybe a color
  }
  return data;
}

/** Whether a file has text. The header of a binary one may begin with "solid", too. */
bool
IsText(const std::string & path, NumberScanner & scanner)
{
  constexpr std::size_t bytes = 512;
  return Lower(scanner.PeekWord()).rfind("solid", 0) == 0 && ReadStart(path, bytes).find('\0') == std::string::npos;
}

} // namespace

PointData
ReadStl(const std::string & path)
{
  NumberScanner scanner(path, NumberScanner::LineEnds::All);
  return IsText(path, scanner) ? TextReader(scanner).Read() : ReadBinary(scanner);
}

void
WriteStl(const std::string & path, const PointData & data)
{
  using Vector = itk::Vector<double, 3>;
  constexpr std::size_t bytesOfHeader = 80;
  std::string           content = SpaceNote(data.mesh);
  content.resize(bytesOfHeader, ' ');
  AppendNumber(content, static_cast<std::uint32_t>(data.cells.size()));
  for (const MeshCell & cell : data.cells)
  {
    const auto place = [&](std::size_t corner) {
      return Vector(data.coordinates.data() + 3 * std::size_t{ cell.points[corner] });
    };
    Vector       normal = itk::CrossProduct(place(1) - place(0), place(2) - place(0));
    const double length = normal.GetNorm();
    normal *= length > 0.0 ? 1.0 / length : 0.0;
    for (const Vector & row : { normal, place(0), place(1), place(2) })
    {
      for (const double number : row)
      {
        AppendNumber(content, static_cast<float>(number));
      }
    }
    AppendNumber(content, std::uint16_t{ 0 });
  }
  WriteBytes(path, content);
}

} // namespace cudaneuro::files
