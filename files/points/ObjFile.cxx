// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/output/WholeFile.h"
#include "files/points/NumberScanner.h"
#include "files/points/PointFormats.h"

#include <ostream>

namespace cudaneuro::files
{

namespace
{

using Kind = MeshCell::Kind;

/** Statements of an .obj file: points (v), faces (f), lines (l) and single points (p); others are no part of a mesh. */
class ObjReader
{
public:
  explicit ObjReader(const std::string & path)
    : m_Scanner(path, NumberScanner::LineEnds::All)
  {}

  PointData
  Read()
  {
    if (m_Scanner.PeekWord() == "P")
    {
      RefuseInput(
        m_Scanner.GetPath(),
        "it is an .obj of MNI's programs (CIVET), which AFNI's ConvertSurface converts: ConvertSurface -i_mni " +
          m_Scanner.GetPath() + " -o_gii OUT.gii");
    }
    while (m_Scanner.GetRemainingBytes() > 0)
    {
      const std::vector<std::string> words = SplitWords(this->TakeStatement());
      const std::string              name = words.empty() ? "" : words[0];
      if (name == "v")
      {
        AddPoint(m_Scanner, m_Data, { words.begin() + 1, words.end() });
        if (words.size() >= 7)
        {
          m_Data.mesh.arrays.insert("colors");
        }
      }
      else if (name == "vt" || name == "usemtl")
      {
        m_Data.mesh.arrays.insert(name == "vt" ? "textures" : "materials");
      }
      else if (name == "f" || name == "fo" || name == "l")
      {
        this->AddCell(words, name == "l" ? Kind::Line : Kind::Polygon);
      }
      for (std::size_t i = 1; name == "p" && i < words.size(); ++i)
      {
        m_Data.cells.push_back({ Kind::Vertex, { this->PointOf(words[i]) } });
      }
    }
    LeaveOutShortCells(m_Data);
    return std::move(m_Data);
  }

private:
  /** A line without its comment, which may note the space. */
  std::string
  TakeLine(bool & hasComment)
  {
    const std::string line = m_Scanner.TakeLine();
    const std::size_t comment = line.find('#');
    hasComment = comment != std::string::npos;
    if (hasComment && m_Data.mesh.space.empty())
    {
      m_Data.mesh.space = SpaceOf(line.substr(comment));
    }
    return Trimmed(line.substr(0, comment));
  }

  /** Whether a line is one of numbers. Others may end with a backslash that is part of a name. */
  static bool
  HasNumbers(const std::string & line)
  {
    const std::vector<std::string> words = SplitWords(Replaced(line, "\\", " "));
    const std::vector<std::string> known = { "v", "vn", "vt", "vp", "f", "fo", "l", "p" };
    return !words.empty() && std::count(known.begin(), known.end(), words[0]) > 0;
  }

  /** A line and those that a backslash at its end joins to it. A comment is not continued. */
  std::string
  TakeStatement()
  {
    bool        hasComment = false;
    std::string line = this->TakeLine(hasComment);
    const bool  isContinued = !line.empty() && line.back() == '\\' && HasNumbers(line);
    while (isContinued && !hasComment && line.back() == '\\' && m_Scanner.GetRemainingBytes() > 0)
    {
      line.back() = ' ';
      line += this->TakeLine(hasComment);
    }
    return line;
  }

  void
  AddCell(const std::vector<std::string> & words, Kind kind)
  {
    MeshCell cell{ kind, {} };
    for (std::size_t i = 1; i < words.size(); ++i)
    {
      cell.points.push_back(this->PointOf(words[i]));
    }
    m_Data.cells.push_back(std::move(cell));
  }

  /** A point may stand before numbers of its texture and normal: 3/1/2. Positive ones may be of points that follow;
   * negative ones count back from the last. */
  std::uint32_t
  PointOf(const std::string & word) const
  {
    const auto   count = static_cast<double>(m_Data.GetNumberOfPoints());
    const double number = m_Scanner.AsNumber("a point of a face", word.substr(0, word.find('/')));
    const double index = number < 0.0 ? count + number : number - 1.0;
    if (!IsIndex(index))
    {
      m_Scanner.Refuse("a point of a face is " + word.substr(0, 20) +
                       "; points are counted from 1, or back from -1; there are " +
                       std::to_string(m_Data.GetNumberOfPoints()) + " before it");
    }
    return static_cast<std::uint32_t>(index);
  }

  NumberScanner m_Scanner;
  PointData     m_Data;
};

} // namespace

PointData
ReadObj(const std::string & path)
{
  return ObjReader(path).Read();
}

void
WriteObj(const std::string & path, const PointData & data)
{
  WriteLines(path, [&](std::ostream & file) {
    file << "# " << SpaceNote(data.mesh) << '\n';
    WritePlaces(file, data, "v ");
    for (const MeshCell & cell : data.cells)
    {
      file << (cell.kind == Kind::Polygon ? 'f' : cell.kind == Kind::Line ? 'l' : 'p');
      for (const std::uint32_t point : cell.points)
      {
        file << ' ' << point + 1;
      }
      file << '\n';
    }
  });
}

} // namespace cudaneuro::files
