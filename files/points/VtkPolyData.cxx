// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/points/PointFormats.h"
#include "files/input/TextScanner.h"

#include <cstring>
#include <functional>

namespace
{

/** A type of numbers in VTK's files: its bytes, and how to make a double of them. */
struct VtkType
{
  const char * name;
  std::size_t  bytes;
  double (*convert)(const char *);
};

template <typename TValue>
double
FromBigEndian(const char * bytes)
{
  char turned[sizeof(TValue)];
  std::reverse_copy(bytes, bytes + sizeof(TValue), turned);
  TValue value;
  std::memcpy(&value, turned, sizeof(TValue));
  return static_cast<double>(value);
}

constexpr VtkType vtkTypes[] = { { "float", 4, FromBigEndian<float> },
                                 { "double", 8, FromBigEndian<double> },
                                 { "int", 4, FromBigEndian<std::int32_t> },
                                 { "unsigned_int", 4, FromBigEndian<std::uint32_t> },
                                 { "short", 2, FromBigEndian<std::int16_t> },
                                 { "unsigned_short", 2, FromBigEndian<std::uint16_t> },
                                 { "char", 1, FromBigEndian<std::int8_t> },
                                 { "unsigned_char", 1, FromBigEndian<std::uint8_t> },
                                 { "long", 8, FromBigEndian<std::int64_t> },
                                 { "unsigned_long", 8, FromBigEndian<std::uint64_t> },
                                 { "vtkidtype", 4, FromBigEndian<std::int32_t> },
                                 { "vtktypeint64", 8, FromBigEndian<std::int64_t> },
                                 { "vtktypeuint64", 8, FromBigEndian<std::uint64_t> } };

/** Reads a legacy file of polygonal data, up to what it has of numbers at points and cells. */
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
    for (std::string section = this->NextSection(); !section.empty(); section = this->NextSection())
    {
      this->ReadSection(section);
    }
    if (!m_HasPoints)
    {
      RefuseInput(m_Scanner.GetPath(), "it has no POINTS");
    }
    for (const MeshCell & cell : m_Data.cells)
    {
      this->CheckCell(cell);
    }
    if (m_IsRas)
    {
      TurnAround(m_Data);
    }
    return std::move(m_Data);
  }

private:
  using Kind = MeshCell::Kind;

  void
  ReadHeader()
  {
    if (m_Scanner.TakeLine().rfind("# vtk DataFile Version ", 0) != 0)
    {
      m_Scanner.Refuse("it is no legacy file of VTK: it does not begin with \"# vtk DataFile Version\"");
    }
    // 3D Slicer notes there which space the points are in; without that, it is ITK's.
    m_IsRas = m_Scanner.TakeLine().find("SPACE=RAS") != std::string::npos;
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

  /** The word that begins a section with points or cells. */
  std::string
  NextSection()
  {
    const std::string word = m_Scanner.TakeWord();
    return word == "POINT_DATA" || word == "CELL_DATA" ? "" : word;
  }

  void
  ReadSection(const std::string & section)
  {
    if (section == "POINTS")
    {
      this->ReadPoints();
    }
    else if (section == "VERTICES")
    {
      this->ReadCells(Kind::Vertex);
    }
    else if (section == "LINES")
    {
      this->ReadCells(Kind::Line);
    }
    else if (section == "POLYGONS")
    {
      this->ReadCells(Kind::Polygon);
    }
    else if (section == "FIELD")
    {
      this->SkipField();
    }
    else if (section == "METADATA")
    {
      this->SkipMetadata();
    }
    else
    {
      m_Scanner.Refuse("it has \"" + section.substr(0, 20) +
                       "\", where POINTS, VERTICES, LINES, POLYGONS or a FIELD can be");
    }
  }

  const VtkType &
  TakeType()
  {
    const std::string name = Lower(m_Scanner.TakeWord());
    for (const VtkType & type : vtkTypes)
    {
      if (name == type.name)
      {
        return type;
      }
    }
    m_Scanner.Refuse("the type of numbers is \"" + name.substr(0, 20) + "\", which is not known here");
  }

  /** Calls a function with numbers of a type, one after the other. */
  void
  ReadNumbers(std::size_t                         count,
              const VtkType &                     type,
              const std::string &                 what,
              const std::function<void(double)> & take)
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
      take(type.convert(bytes + i * type.bytes));
    }
  }

  /** The bytes that a number needs at least: itself, or a digit and a blank. */
  std::size_t
  LeastBytes(std::size_t binary) const
  {
    return m_IsBinary ? binary : 2;
  }

  void
  ReadPoints()
  {
    if (m_HasPoints)
    {
      m_Scanner.Refuse("POINTS are given twice");
    }
    m_HasPoints = true;
    const std::size_t count = m_Scanner.TakeSize("the number of points", 3 * LeastBytes(1));
    const VtkType &   type = this->TakeType();
    m_Data.coordinates.reserve(3 * count);
    this->ReadNumbers(3 * count, type, "a coordinate", [this](double value) { m_Data.coordinates.push_back(value); });
  }

  void
  ReadCells(Kind kind)
  {
    const std::size_t first = m_Scanner.TakeSize("the number of cells", LeastBytes(4));
    const std::size_t second = m_Scanner.TakeSize("the size of cells", LeastBytes(4));
    // Since version 5, OFFSETS and CONNECTIVITY are apart.
    const bool isApart = m_Scanner.PeekWord() == "OFFSETS";
    isApart ? this->ReadCellsApart(kind, first, second) : this->ReadCellsTogether(kind, first, second);
  }

  std::vector<std::size_t>
  ReadIndices(std::size_t count, const VtkType & type)
  {
    std::vector<std::size_t> indices;
    indices.reserve(count);
    this->ReadNumbers(count, type, "an index of cells", [&](double value) {
      if (!(value >= 0.0 && value <= std::numeric_limits<std::uint32_t>::max()))
      {
        std::ostringstream text;
        text << "an index of cells is " << value << "; it must be at least 0 and below 2^32";
        m_Scanner.Refuse(text.str());
      }
      indices.push_back(static_cast<std::size_t>(value));
    });
    return indices;
  }

  /** Each cell is the number of its points, and they. */
  void
  ReadCellsTogether(Kind kind, std::size_t cells, std::size_t size)
  {
    static constexpr VtkType integer{ "int", 4, FromBigEndian<std::int32_t> };
    const auto               numbers = this->ReadIndices(size, integer);
    std::size_t              at = 0;
    for (std::size_t cell = 0; cell < cells; ++cell)
    {
      const std::size_t count = at < size ? numbers[at] : size;
      if (count >= size - std::min(at, size))
      {
        m_Scanner.Refuse("cell " + std::to_string(cell) + " has more points than the size of cells, " +
                         std::to_string(size) + ", allows");
      }
      this->AddCell(kind, numbers, at + 1, at + 1 + count);
      at += 1 + count;
    }
    if (at != size)
    {
      m_Scanner.Refuse("the size of cells is " + std::to_string(size) + "; they are of size " + std::to_string(at));
    }
  }

  void
  ReadCellsApart(Kind kind, std::size_t numberOfOffsets, std::size_t size)
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
      this->AddCell(kind, numbers, offsets[cell], offsets[cell + 1]);
    }
  }

  /** Adds a cell; of vertices, one for each. */
  void
  AddCell(Kind kind, const std::vector<std::size_t> & numbers, std::size_t begin, std::size_t end)
  {
    const std::size_t cellSize = kind == Kind::Vertex ? 1 : end - begin;
    for (; begin < end; begin += cellSize)
    {
      MeshCell cell;
      cell.kind = kind;
      for (std::size_t i = begin; i < begin + cellSize; ++i)
      {
        cell.points.push_back(static_cast<std::uint32_t>(numbers[i]));
      }
      m_Data.cells.push_back(std::move(cell));
    }
  }

  void
  CheckCell(const MeshCell & cell) const
  {
    const std::size_t least = cell.kind == Kind::Polygon ? 3 : cell.kind == Kind::Line ? 2 : 1;
    if (cell.points.size() < least)
    {
      RefuseInput(m_Scanner.GetPath(),
                  "a " + std::string(cell.kind == Kind::Polygon ? "polygon" : "line") + " of it has " +
                    std::to_string(cell.points.size()) + " points; it must have at least " + std::to_string(least));
    }
    for (const std::uint32_t point : cell.points)
    {
      if (point >= m_Data.GetNumberOfPoints())
      {
        RefuseInput(m_Scanner.GetPath(),
                    "a cell of it has point " + std::to_string(point) + ", counted from 0; there are " +
                      std::to_string(m_Data.GetNumberOfPoints()) + " points");
      }
    }
  }

  void
  SkipField()
  {
    m_Scanner.TakeWord(); // its name
    const std::size_t arrays = m_Scanner.TakeSize("the number of arrays of a FIELD", 2);
    for (std::size_t i = 0; i < arrays; ++i)
    {
      m_Scanner.TakeWord();
      const std::size_t components = m_Scanner.TakeSize("the number of components of a FIELD's array", 1);
      const std::size_t tuples = m_Scanner.TakeSize("the number of tuples of a FIELD's array", 1);
      const VtkType &   type = this->TakeType();
      if (components > 0 && tuples > m_Scanner.GetRemainingBytes() / components)
      {
        m_Scanner.Refuse("a FIELD's array has " + std::to_string(tuples) + " tuples; the file is too short for that");
      }
      this->ReadNumbers(components * tuples, type, "a number of a FIELD", [](double) {});
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

  TextScanner m_Scanner;
  PointData   m_Data;
  bool        m_IsRas = false;
  bool        m_IsBinary = false;
  bool        m_HasPoints = false;
};

} // namespace

PointData
ReadVtkPolyData(const std::string & path)
{
  return VtkReader(path).Read();
}
