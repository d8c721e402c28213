// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/points/NumberScanner.h"
#include "files/points/PointFormats.h"

namespace cudaneuro::files
{

namespace
{

using Kind = MeshCell::Kind;
using Type = NumberScanner::Type;

/** Of arrays of bits, for which there is no type. */
constexpr Type bits = Type::UNKNOWNCOMPONENTTYPE;

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

/** Reads a legacy file of polygonal data. Numbers at points and cells are passed over: VTK reads those, and writes
 * beyond arrays, or does not end, where there are not as many as the file announces. */
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
    for (std::string section = m_Scanner.TakeKeyword(); !section.empty(); section = m_Scanner.TakeKeyword())
    {
      this->ReadSection(section);
    }
    if (!m_HasPoints)
    {
      RefuseInput(m_Scanner.GetPath(), "it has no POINTS");
    }
    LeaveOutShortCells(m_Data);
    return std::move(m_Data);
  }

  const std::string &
  GetNotFinite() const
  {
    return m_Scanner.GetNotFinite();
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
    const std::string encoding = m_Scanner.TakeKeyword();
    if (encoding != "ASCII" && encoding != "BINARY")
    {
      m_Scanner.Refuse("the encoding is \"" + encoding.substr(0, 20) + "\"; it must be ASCII or BINARY");
    }
    if (encoding == "BINARY")
    {
      m_Scanner.BeginBinary(true);
    }
    const std::string keyword = m_Scanner.TakeKeyword();
    const std::string set = m_Scanner.TakeKeyword();
    if (keyword != "DATASET" || set != "POLYDATA")
    {
      m_Scanner.Refuse("it has \"" + (keyword + ' ' + set).substr(0, 40) + "\"; DATASET POLYDATA can be worked on" +
                       (set == "UNSTRUCTURED_GRID" ? ", which ParaView's filter Extract Surface makes of it" : ""));
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
    else
    {
      this->SkipAttribute(section);
    }
  }

  Type
  TakeType()
  {
    return m_Scanner.FindType(Lower(m_Scanner.TakeWord()));
  }

  /** The type of numbers at points and cells, which may be bits. */
  Type
  TakeArrayType()
  {
    if (m_Scanner.PeekKeyword() != "BIT")
    {
      return this->TakeType();
    }
    m_Scanner.TakeWord();
    return bits;
  }

  /** Binary numbers begin after the line that announces them. */
  void
  BeginNumbers()
  {
    if (m_Scanner.IsBinary())
    {
      m_Scanner.TakeLine();
    }
  }

  /** A count of what needs some bytes at least: those of a number, or a digit and a blank. */
  std::size_t
  TakeSize(const char * what, std::size_t binaryBytes)
  {
    return m_Scanner.TakeSize(what, m_Scanner.IsBinary() ? binaryBytes : 2);
  }

  void
  ReadPoints()
  {
    if (m_HasPoints)
    {
      m_Scanner.Refuse("POINTS are given twice");
    }
    m_HasPoints = true;
    const std::size_t count = this->TakeSize("the number of points", 3);
    const Type        type = this->TakeType();
    this->BeginNumbers();
    m_Data.coordinates = m_Scanner.TakeNumbers(3 * count, type, "a coordinate");
  }

  std::vector<std::uint32_t>
  TakeIndices(std::size_t count, Type type)
  {
    this->BeginNumbers();
    return m_Scanner.TakeIndices(count, type, "an index of cells");
  }

  /** Cells are the number of their points, and these, one cell after the other; since version 5 they are OFFSETS,
   * which tell where the points of each cell begin and where those of the last end, and the points of all cells. */
  void
  ReadCells(const CellSection & section)
  {
    const std::size_t first = this->TakeSize("the number of cells", 4);
    const std::size_t size = this->TakeSize("the size of cells", 4);
    if (m_IsVersion5 != (m_Scanner.PeekKeyword() == "OFFSETS"))
    {
      m_Scanner.Refuse("cells have OFFSETS and CONNECTIVITY since version 5.0, and only then");
    }
    std::vector<std::uint32_t> offsets;
    if (m_IsVersion5)
    {
      m_Scanner.TakeWord();
      offsets = this->TakeIndices(first, this->TakeType());
      if (m_Scanner.TakeKeyword() != "CONNECTIVITY")
      {
        m_Scanner.Refuse("there is no CONNECTIVITY after OFFSETS");
      }
    }
    const auto        points = this->TakeIndices(size, m_IsVersion5 ? this->TakeType() : Type::INT);
    const std::size_t cells = m_IsVersion5 ? std::max<std::size_t>(first, 1) - 1 : first;
    std::size_t       end = 0;
    for (std::size_t cell = 0; cell < cells; ++cell)
    {
      const std::size_t begin = m_IsVersion5 ? offsets[cell] : end + 1;
      end = m_IsVersion5 ? offsets[cell + 1] : begin + (end < size ? points[end] : size);
      if (begin > end || end > size)
      {
        m_Scanner.Refuse("the points of cell " + std::to_string(cell) + " are those from " + std::to_string(begin) +
                         " to " + std::to_string(end) + " of " + std::to_string(size));
      }
      this->AddCell(section, points.data() + begin, end - begin);
    }
    if (!m_IsVersion5 && end != size)
    {
      m_Scanner.Refuse("the size of cells is " + std::to_string(size) + "; they are of size " + std::to_string(end));
    }
    m_NumberOfCells += cells;
  }

  /** Vertices become a cell each, and a strip triangles, one from each three points on, whose sense of rotation
   * alternates. */
  void
  AddCell(const CellSection & section, const std::uint32_t * points, std::size_t count)
  {
    const std::size_t cellSize = section.kind == Kind::Vertex ? 1 : section.areStrips && count > 3 ? 3 : count;
    const std::size_t step = section.areStrips ? 1 : std::max<std::size_t>(cellSize, 1);
    for (std::size_t begin = 0; begin == 0 || begin + cellSize <= count; begin += step)
    {
      MeshCell cell{ section.kind, { points + begin, points + std::min(begin + cellSize, count) } };
      if (section.areStrips && begin % 2 == 1)
      {
        std::swap(cell.points[0], cell.points[1]);
      }
      m_Data.cells.push_back(std::move(cell));
    }
  }

  void
  SkipNumbers(std::size_t tuples, std::size_t components, Type type)
  {
    const std::size_t ofByte = type == bits ? 8 : 1;
    if (components > 0 && tuples / ofByte > m_Scanner.GetRemainingBytes() / components)
    {
      m_Scanner.Refuse("an array has " + std::to_string(tuples) + " x " + std::to_string(components) +
                       " numbers; the file is too short for that");
    }
    this->BeginNumbers();
    const bool arePacked = type == bits && m_Scanner.IsBinary();
    m_Scanner.SkipNumbers(arePacked ? (tuples * components + 7) / 8 : tuples * components,
                          arePacked ? Type::UCHAR : type);
  }

  void
  SkipAttribute(const std::string & section)
  {
    if (m_NumberOfTuples == 0)
    {
      m_Scanner.Refuse("it has \"" + section.substr(0, 20) +
                       "\", where POINTS, VERTICES, LINES, POLYGONS, TRIANGLE_STRIPS or a FIELD can be");
    }
    const std::string name = m_Scanner.TakeWord();
    if (section != "NORMALS" && section != "LOOKUP_TABLE")
    {
      m_Data.mesh.arrays.insert(name);
    }
    const auto takeCount = [&] { return m_Scanner.TakeSize("the number of components or colors", 0); };
    if (section == "LOOKUP_TABLE")
    {
      this->SkipNumbers(takeCount(), 4, Type::UCHAR);
    }
    else if (section == "COLOR_SCALARS")
    {
      this->SkipNumbers(m_NumberOfTuples, takeCount(), Type::UCHAR);
    }
    else if (section == "SCALARS")
    {
      const Type        type = this->TakeArrayType();
      const std::string line = Trimmed(m_Scanner.TakeLine());
      const auto        components =
        line.empty() ? 1 : ParseInteger(m_Scanner.GetPath(), "the components of SCALARS", line, 1, 0xffffffff);
      if (m_Scanner.TakeKeyword() != "LOOKUP_TABLE")
      {
        m_Scanner.Refuse("SCALARS have no LOOKUP_TABLE; add a line \"LOOKUP_TABLE default\" before their numbers");
      }
      m_Scanner.TakeWord();
      this->SkipNumbers(m_NumberOfTuples, static_cast<std::size_t>(components), type);
    }
    else
    {
      const std::size_t components = section == "TEXTURE_COORDINATES"               ? takeCount()
                                     : section == "VECTORS" || section == "NORMALS" ? 3
                                     : section == "TENSORS"                         ? 9
                                     : section == "TENSORS6"                        ? 6
                                                                                    : 1;
      this->SkipNumbers(m_NumberOfTuples, components, this->TakeArrayType());
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
      if (m_Scanner.PeekKeyword() == "METADATA")
      {
        this->SkipMetadata();
      }
      const std::string name = m_Scanner.TakeWord();
      if (m_NumberOfTuples > 0)
      {
        m_Data.mesh.arrays.insert(name);
      }
      const std::size_t components = m_Scanner.TakeSize("the number of components of a FIELD's array", 1);
      const std::size_t tuples = m_Scanner.TakeSize("the number of tuples of a FIELD's array", 0);
      if (m_Scanner.PeekKeyword() == "STRING")
      {
        m_Scanner.TakeWord();
        m_Scanner.TakeLine();
        for (std::size_t text = 0; text < components * tuples && m_Scanner.GetRemainingBytes() > 0; ++text)
        {
          this->SkipText();
        }
        continue;
      }
      this->SkipNumbers(tuples, components, this->TakeArrayType());
    }
  }

  /** One line; or in binary a length, whose first two bits tell how many bytes it has, and as many bytes. */
  void
  SkipText()
  {
    if (!m_Scanner.IsBinary())
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

  NumberScanner m_Scanner;
  PointData     m_Data;
  bool          m_IsVersion5 = false;
  bool          m_HasPoints = false;
  std::size_t   m_NumberOfCells = 0;
  std::size_t   m_NumberOfTuples = 0;
};

} // namespace

PointData
ReadVtkPolyData(const std::string & path)
{
  return VtkReader(path).Read();
}

std::string
FirstNotFinite(const std::string & path)
{
  VtkReader reader(path);
  reader.Read();
  return reader.GetNotFinite();
}

} // namespace cudaneuro::files
