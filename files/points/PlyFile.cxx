// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/output/WholeFile.h"
#include "files/points/NumberScanner.h"
#include "files/points/PointFormats.h"

#include <optional>
#include <set>
#include <string>

namespace cudaneuro::files
{

namespace
{

using Type = NumberScanner::Type;

/** A number of each element, or a list of numbers, whose length has a type of its own. */
struct Property
{
  std::string         name;
  Type                type;
  std::optional<Type> lengthType;
};

/** What there are several of: points, faces, maybe others. */
struct Element
{
  std::string           name;
  std::size_t           count = 0;
  std::vector<Property> properties;
};

class PlyReader
{
public:
  explicit PlyReader(const std::string & path)
    : m_Scanner(path, NumberScanner::LineEnds::All)
  {}

  PointData
  Read()
  {
    if (Trimmed(m_Scanner.TakeLine()) != "ply")
    {
      m_Scanner.Refuse("it is no PLY file: it does not begin with \"ply\"");
    }
    while (this->TakeHeaderLine())
    {}
    const bool isBigEndian = m_Format == "binary_big_endian";
    if (isBigEndian || m_Format == "binary_little_endian")
    {
      m_Scanner.BeginBinary(isBigEndian);
    }
    else if (m_Format != "ascii")
    {
      RefuseField(m_Scanner.GetPath(),
                  "its format",
                  '"' + Printable(m_Format) + '"',
                  "it must be ascii, binary_little_endian or binary_big_endian");
    }
    for (const Element & element : m_Elements)
    {
      this->NoteArrays(element);
      this->ReadElement(element);
    }
    if (m_Data.coordinates.empty())
    {
      RefuseInput(m_Scanner.GetPath(), "it has no points: no element \"vertex\" with x, y and z");
    }
    LeaveOutShortCells(m_Data);
    return std::move(m_Data);
  }

private:
  /** \return false at the header's end */
  bool
  TakeHeaderLine()
  {
    if (m_Scanner.GetRemainingBytes() == 0)
    {
      RefuseInput(m_Scanner.GetPath(), "it is cut short: \"end_header\" is missing");
    }
    const std::string              line = Trimmed(m_Scanner.TakeLine());
    const std::vector<std::string> words = SplitWords(line);
    const std::string              keyword = words.empty() ? "" : words[0];
    if (keyword == "format" && words.size() >= 2)
    {
      m_Format = words[1];
    }
    else if (keyword == "element" && words.size() == 3)
    {
      const auto count =
        ParseInteger(m_Scanner.GetPath(), "the number of elements " + words[1], words[2], 0, 0xffffffff);
      m_Elements.push_back({ words[1], static_cast<std::size_t>(count), {} });
    }
    else if (keyword == "property" && words.size() == 3 && !m_Elements.empty())
    {
      m_Elements.back().properties.push_back({ words[2], m_Scanner.FindType(words[1]), {} });
    }
    else if (keyword == "property" && words.size() == 5 && words[1] == "list" && !m_Elements.empty())
    {
      m_Elements.back().properties.push_back({ words[4], m_Scanner.FindType(words[3]), m_Scanner.FindType(words[2]) });
    }
    else if (keyword == "comment" || keyword == "obj_info")
    {
      m_Data.mesh.space = m_Data.mesh.space.empty() ? SpaceOf(line) : m_Data.mesh.space;
    }
    else if (keyword == "element" || keyword == "property")
    {
      m_Scanner.Refuse("its header has \"" + line.substr(0, 40) + "\", which is not known here");
    }
    else if (!keyword.empty() && keyword != "end_header")
    {
      m_Data.notes.push_back("has \"" + Printable(line) + "\" in its header, which is not used");
    }
    return keyword != "end_header";
  }

  /** Strips are in one list or several, in which -1 ends one. Each three points on a strip make a triangle, whose sense
   * of rotation alternates. */
  void
  AddStrips(const std::vector<double> & points)
  {
    std::vector<std::uint32_t> strip;
    for (const double point : points)
    {
      if (point == -1.0)
      {
        strip.clear();
        continue;
      }
      if (!IsIndex(point))
      {
        m_Scanner.Refuse("a point of a strip is " + std::to_string(point) + "; it must be a whole number from -1 on");
      }
      strip.push_back(static_cast<std::uint32_t>(point));
      if (strip.size() >= 3)
      {
        MeshCell triangle{ MeshCell::Kind::Polygon, { strip.end() - 3, strip.end() } };
        if (strip.size() % 2 == 0)
        {
          std::swap(triangle.points[0], triangle.points[1]);
        }
        m_Data.cells.push_back(std::move(triangle));
      }
    }
  }

  /** Notes what is not read of points and faces. Normals follow from these. */
  void
  NoteArrays(const Element & element)
  {
    static const std::set<std::string> known{ "x", "y", "z", "nx", "ny", "nz", "vertex_indices", "vertex_index" };
    for (const Property & property : element.properties)
    {
      if (known.count(property.name) == 0 && (element.name == "vertex" || element.name == "face"))
      {
        m_Data.mesh.arrays.insert(property.name);
      }
    }
  }

  /** Faces have their points in a list of one of two names; lists of other names are of textures. */
  void
  ReadElement(const Element & element)
  {
    for (std::size_t i = 0; i < element.count && !element.properties.empty(); ++i)
    {
      if (element.name == "vertex")
      {
        m_Data.coordinates.insert(m_Data.coordinates.end(), 3, NAN);
      }
      for (const auto & [name, type, lengthType] : element.properties)
      {
        const bool isAxis = name == "x" || name == "y" || name == "z";
        const bool isCorners = name == "vertex_indices" || name == "vertex_index";
        const auto length = lengthType ? m_Scanner.TakeIndex(*lengthType, "the length of a list") : 1;
        if (element.name == "vertex" && isAxis && !lengthType)
        {
          *(m_Data.coordinates.end() - 1 - ('z' - name[0])) = m_Scanner.Take(type, "a coordinate");
        }
        else if (element.name == "face" && isCorners)
        {
          m_Data.cells.push_back({ MeshCell::Kind::Polygon, m_Scanner.TakeIndices(length, type, "a point of a face") });
        }
        else if (element.name == "tristrips" && isCorners)
        {
          this->AddStrips(m_Scanner.TakeNumbers(length, type, "a point of a strip"));
        }
        else
        {
          m_Scanner.SkipNumbers(length, type);
        }
      }
      if (!m_Scanner.IsBinary())
      {
        m_Scanner.TakeLine(); // which may have more than the header tells
      }
    }
  }

  NumberScanner        m_Scanner;
  PointData            m_Data;
  std::string          m_Format;
  std::vector<Element> m_Elements;
};

} // namespace

PointData
ReadPly(const std::string & path)
{
  return PlyReader(path).Read();
}

void
WritePly(const std::string & path, const PointData & data)
{
  const bool isShort =
    std::all_of(data.cells.begin(), data.cells.end(), [](const MeshCell & cell) { return cell.points.size() <= 255; });
  std::string content = "ply\nformat binary_little_endian 1.0\ncomment " + SpaceNote(data.mesh) + "\nelement vertex " +
                        std::to_string(data.GetNumberOfPoints()) +
                        "\nproperty double x\nproperty double y\nproperty double z\nelement face " +
                        std::to_string(data.cells.size()) + "\nproperty list " + (isShort ? "uchar" : "uint") +
                        " uint vertex_indices\nend_header\n";
  for (const double coordinate : data.coordinates)
  {
    AppendNumber(content, coordinate);
  }
  for (const MeshCell & cell : data.cells)
  {
    const auto size = static_cast<std::uint32_t>(cell.points.size());
    isShort ? AppendNumber(content, static_cast<std::uint8_t>(size)) : AppendNumber(content, size);
    for (const std::uint32_t point : cell.points)
    {
      AppendNumber(content, point);
    }
  }
  WriteBytes(path, content);
}

} // namespace cudaneuro::files
