// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/input/TextScanner.h"
#include "files/points/MeshFile.h"
#include "files/points/MeshFormats.h"
#include "files/points/MeshNumberType.h"

namespace
{

using Kind = MeshCell::Kind;

/** A section with cells of a kind. */
struct CellSection
{
  const char * name;
  Kind         kind;
  bool         areStrips;
};

constexpr CellSection cellSections[] = { { "VERTICES", Kind::Vertex, false },
                                         { "LINES", Kind::Line, false },
                                         { "POLYGONS", Kind::Polygon, false },
                                         { "TRIANGLE_STRIPS", Kind::Polygon, true } };

/** Reads a legacy file of polygonal data. Numbers at points and cells are passed over: VTK reads those, and writes beyond
 * arrays, or does not end, where there are not as many as the file announces. */
class VtkReader
{
public:
  explicit VtkReader(const std::string & path)
    : m_Scanner(path)
  {}

  PointData
  Read()
  {
    this->ReadHeader();
    for (std::string section = m_Scanner.TakeWord(); !section.empty(); section = m_Scanner.TakeWord())
    {
      this->ReadSection(section);
    }
    if (!m_HasPoints)
    {
      RefuseInput(m_Scanner.GetPath(), "it has no POINTS");
    }
    return std::move(m_Data);
  }

private:
  void
  ReadHeader()
  {
    const std::string start = "# vtk DataFile Version ";
    const std::string line = Trimmed(m_Scanner.TakeLine());
    if (line.rfind(start, 0) != 0)
    {
      m_Scanner.Refuse("it is no legacy file of VTK: it does not begin with \"# vtk DataFile Version\"");
    }
    // VTK's reader goes by it, and writes beyond an array where the cells are of another one.
    const std::string version = line.substr(start.size());
    m_IsVersion5 = version[0] == '5';
    if (version.size() != 3 || version[1] != '.' || version[0] < '1' || version[0] > '5')
    {
      m_Scanner.Refuse("its version is \"" + version.substr(0, 20) + "\"; 1.0 to 5.1 can be worked on");
    }
    m_Data.mesh.space = SpaceOf(m_Scanner.TakeLine());
    const std::string encoding = m_Scanner.TakeWord();
    if (encoding != "ASCII" && encoding != "BINARY")
    {
      m_Scanner.Refuse("the encoding is \"" + encoding.substr(0, 20) + "\"; it must be ASCII or BINARY");
    }
    m_IsBinary = encoding == "BINARY";
    const std::string keyword = m_Scanner.TakeWord();
    const std::string set = m_Scanner.TakeWord();
    if (keyword != "DATASET" || set != "POLYDATA")
    {
      m_Scanner.Refuse("it has \"" + (keyword + ' ' + set).substr(0, 40) + "\"; DATASET POLYDATA can be worked on");
    }
  }

  void
  ReadSection(const std::string & section)
  {
    const auto * const cells = std::find_if(std::begin(cellSections),
                                            std::end(cellSections),
                                            [&](const CellSection & known) { return section == known.name; });
    if (cells != std::end(cellSections))
    {
      this->ReadCells(*cells);
    }
    else if (section == "POINTS")
    {
      this->ReadPoints();
    }
    else if (section == "FIELD")
    {
      this->SkipField();
    }
    else if (section == "METADATA")
    {
      this->SkipMetadata();
    }
    else if (section == "POINT_DATA" || section == "CELL_DATA")
    {
      const std::size_t expected = section == "POINT_DATA" ? m_Data.GetNumberOfPoints() : m_NumberOfCells;
      m_NumberOfTuples = m_Scanner.TakeSize("the count of " + section, 0);
      if (m_NumberOfTuples != expected)
      {
        m_Scanner.Refuse("the count of " + section + " is " + std::to_string(m_NumberOfTuples) + "; it must be " +
                         std::to_string(expected));
      }
    }
    else if (m_NumberOfTuples > 0)
    {
      this->SkipAttribute(section);
    }
    else
    {
      m_Scanner.Refuse("it has \"" + section.substr(0, 20) +
                       "\", where POINTS, VERTICES, LINES, POLYGONS, TRIANGLE_STRIPS or a FIELD can be");
    }
  }

  const MeshNumberType &
  TakeType()
  {
    const std::string            name = Lower(m_Scanner.TakeWord());
    const MeshNumberType * const type = FindMeshNumberType(name);
    if (type == nullptr)
    {
      m_Scanner.Refuse("the type of numbers is \"" + name.substr(0, 20) + "\", which is not known here");
    }
    return *type;
  }

  /** Calls a function with numbers of a type, one after the other. */
  template <typename TTake>
  void
  ReadNumbers(std::size_t count, const MeshNumberType & type, const char * what, const TTake & take)
  {
    if (!m_IsBinary)
    {
      for (std::size_t i = 0; i < count; ++i)
      {
        take(m_Scanner.TakeNumber(what));
      }
      return;
    }
    m_Scanner.TakeLine(); // the rest of the line that announces them
    const char * const bytes = m_Scanner.TakeBytes(count * type.bytes);
    for (std::size_t i = 0; i < count; ++i)
    {
      constexpr bool isBigEndian = true;
      take(type.convert(bytes + i * type.bytes, isBigEndian));
    }
  }

  /** A count of what needs some bytes at least: those of a number, or a digit and a blank. */
  std::size_t
  TakeSize(const char * what, std::size_t binaryBytes)
  {
    return m_Scanner.TakeSize(what, m_IsBinary ? binaryBytes : 2);
  }

  void
  ReadPoints()
  {
    if (m_HasPoints)
    {
      m_Scanner.Refuse("POINTS are given twice");
    }
    m_HasPoints = true;
    const std::size_t      count = this->TakeSize("the number of points", 3);
    const MeshNumberType & type = this->TakeType();
    m_Data.coordinates.reserve(3 * count);
    this->ReadNumbers(3 * count, type, "a coordinate", [this](double value) { m_Data.coordinates.push_back(value); });
  }

  std::vector<std::size_t>
  ReadIndices(std::size_t count, const MeshNumberType & type)
  {
    std::vector<std::size_t> indices;
    indices.reserve(count);
    this->ReadNumbers(count, type, "an index of cells", [&](double value) {
      if (!(value >= 0.0 && value <= std::numeric_limits<std::uint32_t>::max()))
      {
        m_Scanner.Refuse("an index of cells is " + std::to_string(value) + "; it must be at least 0 and below 2^32");
      }
      indices.push_back(static_cast<std::size_t>(value));
    });
    return indices;
  }

  void
  ReadCells(const CellSection & section)
  {
    const std::size_t first = this->TakeSize("the number of cells", 4);
    const std::size_t size = this->TakeSize("the size of cells", 4);
    if (m_IsVersion5 != (m_Scanner.PeekWord() == "OFFSETS"))
    {
      m_Scanner.Refuse("cells have OFFSETS and CONNECTIVITY since version 5.0, and only then");
    }
    m_NumberOfCells += m_IsVersion5 ? std::max<std::size_t>(first, 1) - 1 : first;
    m_IsVersion5 ? this->ReadCellsApart(section, first, size) : this->ReadCellsTogether(section, first, size);
  }

  /** Each cell is the number of its points, and they. */
  void
  ReadCellsTogether(const CellSection & section, std::size_t cells, std::size_t size)
  {
    const auto  numbers = this->ReadIndices(size, *FindMeshNumberType("int"));
    std::size_t at = 0;
    for (std::size_t cell = 0; cell < cells; ++cell)
    {
      const std::size_t count = at < size ? numbers[at] : size;
      if (count >= size - std::min(at, size))
      {
        m_Scanner.Refuse("cell " + std::to_string(cell) + " has more points than the size of cells, " +
                         std::to_string(size) + ", allows");
      }
      this->AddCell(section, numbers.data() + at + 1, count);
      at += 1 + count;
    }
    if (at != size)
    {
      m_Scanner.Refuse("the size of cells is " + std::to_string(size) + "; they are of size " + std::to_string(at));
    }
  }

  void
  ReadCellsApart(const CellSection & section, std::size_t numberOfOffsets, std::size_t size)
  {
    m_Scanner.TakeWord();
    const auto offsets = this->ReadIndices(numberOfOffsets, this->TakeType());
    if (m_Scanner.TakeWord() != "CONNECTIVITY")
    {
      m_Scanner.Refuse("there is no CONNECTIVITY after OFFSETS");
    }
    const auto numbers = this->ReadIndices(size, this->TakeType());
    for (std::size_t cell = 0; cell + 1 < offsets.size(); ++cell)
    {
      if (offsets[cell] > offsets[cell + 1] || offsets[cell + 1] > size)
      {
        m_Scanner.Refuse("the OFFSETS of cell " + std::to_string(cell) + " are " + std::to_string(offsets[cell]) +
                         " and " + std::to_string(offsets[cell + 1]) + "; they must rise up to " +
                         std::to_string(size));
      }
      this->AddCell(section, numbers.data() + offsets[cell], offsets[cell + 1] - offsets[cell]);
    }
  }

  /** Of vertices, a cell each; of a strip, a triangle from each three points on, whose sense of rotation alternates. */
  void
  AddCell(const CellSection & section, const std::size_t * points, std::size_t count)
  {
    const std::size_t cellSize = section.kind == Kind::Vertex ? 1 : section.areStrips && count > 3 ? 3 : count;
    const std::size_t step = section.areStrips ? 1 : std::max<std::size_t>(cellSize, 1);
    for (std::size_t begin = 0; begin == 0 || begin + cellSize <= count; begin += step)
    {
      MeshCell cell{ section.kind, {} };
      for (std::size_t i = begin; i < std::min(begin + cellSize, count); ++i)
      {
        cell.points.push_back(static_cast<std::uint32_t>(points[i]));
      }
      if (section.areStrips && begin % 2 == 1)
      {
        std::swap(cell.points[0], cell.points[1]);
      }
      m_Data.cells.push_back(std::move(cell));
    }
  }

  void
  SkipNumbers(std::size_t tuples, std::size_t components, const MeshNumberType & type)
  {
    if (components > 0 && tuples > m_Scanner.GetRemainingBytes() / components)
    {
      m_Scanner.Refuse("an array has " + std::to_string(tuples) + " x " + std::to_string(components) +
                       " numbers; the file is too short for that");
    }
    if (m_IsBinary)
    {
      m_Scanner.TakeLine(); // the rest of the line that announces them
      m_Scanner.TakeBytes(tuples * components * type.bytes);
    }
    for (std::size_t i = 0; !m_IsBinary && i < tuples * components; ++i)
    {
      if (m_Scanner.TakeWord().empty())
      {
        RefuseInput(m_Scanner.GetPath(), "it is cut short: a number of an array is missing");
      }
    }
  }

  void
  SkipAttribute(const std::string & section)
  {
    m_Scanner.TakeWord(); // its name
    if (section == "LOOKUP_TABLE" || section == "COLOR_SCALARS")
    {
      const MeshNumberType & byte = *FindMeshNumberType("uchar");
      const std::size_t      size = m_Scanner.TakeSize("the size of " + section, 0);
      section == "LOOKUP_TABLE" ? this->SkipNumbers(size, 4, byte) : this->SkipNumbers(m_NumberOfTuples, size, byte);
    }
    else if (section == "SCALARS")
    {
      const MeshNumberType & type = this->TakeType();
      const std::size_t      components =
        m_Scanner.PeekWord() == "LOOKUP_TABLE" ? 1 : m_Scanner.TakeSize("the number of components", 0);
      m_Scanner.TakeWord();
      m_Scanner.TakeWord();
      this->SkipNumbers(m_NumberOfTuples, components, type);
    }
    else
    {
      const bool        isTexture = section == "TEXTURE_COORDINATES";
      const std::size_t components = isTexture ? m_Scanner.TakeSize("the number of components", 0)
                                     : section == "VECTORS" || section == "NORMALS" ? 3
                                     : section == "TENSORS"                         ? 9
                                     : section == "TENSORS6"                        ? 6
                                                                                    : 1;
      this->SkipNumbers(m_NumberOfTuples, components, this->TakeType());
    }
  }

  /** It ends with an empty line. */
  void
  SkipMetadata()
  {
    m_Scanner.TakeLine();
    while (m_Scanner.GetRemainingBytes() > 0 && !Trimmed(m_Scanner.TakeLine()).empty())
    {}
  }

  void
  SkipField()
  {
    m_Scanner.TakeWord(); // the field's name
    const std::size_t arrays = m_Scanner.TakeSize("the number of arrays of a FIELD", 2);
    for (std::size_t i = 0; i < arrays; ++i)
    {
      if (m_Scanner.PeekWord() == "METADATA")
      {
        this->SkipMetadata();
      }
      m_Scanner.TakeWord(); // its name
      const std::size_t components = m_Scanner.TakeSize("the number of components of a FIELD's array", 1);
      const std::size_t tuples = m_Scanner.TakeSize("the number of tuples of a FIELD's array", 1);
      if (m_Scanner.PeekWord() == "string")
      {
        m_Scanner.TakeWord();
        m_Scanner.TakeLine();
        for (std::size_t text = 0; text < components * tuples && m_Scanner.GetRemainingBytes() > 0; ++text)
        {
          this->SkipText();
        }
        continue;
      }
      this->SkipNumbers(tuples, components, this->TakeType());
    }
  }

  /** One line; or in binary a length, whose first two bits tell how many bytes it has, and as many bytes. */
  void
  SkipText()
  {
    if (!m_IsBinary)
    {
      m_Scanner.TakeLine();
      return;
    }
    const auto   first = static_cast<unsigned char>(*m_Scanner.TakeBytes(1));
    const int    more = (1 << (3 - (first >> 6))) - 1;
    std::size_t  length = first & 0x3f;
    const char * bytes = m_Scanner.TakeBytes(static_cast<std::size_t>(more));
    for (int i = 0; i < more; ++i)
    {
      length = length << 8 | static_cast<unsigned char>(bytes[i]);
    }
    m_Scanner.TakeBytes(length);
  }

  TextScanner m_Scanner;
  PointData   m_Data;
  bool        m_IsBinary = false;
  bool        m_IsVersion5 = false;
  bool        m_HasPoints = false;
  std::size_t m_NumberOfCells = 0;
  std::size_t m_NumberOfTuples = 0;
};

} // namespace

PointData
ReadVtkPolyData(const std::string & path)
{
  return VtkReader(path).Read();
}
