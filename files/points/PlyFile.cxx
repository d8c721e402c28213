// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/input/TextScanner.h"
#include "files/output/WholeFile.h"
#include "files/points/MeshFile.h"
#include "files/points/MeshFormats.h"
#include "files/points/MeshNumberType.h"

namespace
{

/** A number of each element, or a list of numbers, whose length has a type of its own. */
struct Property
{
  std::string            name;
  const MeshNumberType * type = nullptr;
  const MeshNumberType * lengthType = nullptr;
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
    : m_Scanner(path)
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
    if (m_Format.empty())
    {
      RefuseInput(m_Scanner.GetPath(), "its header has no \"format\"");
    }
    for (const Element & element : m_Elements)
    {
      this->ReadElement(element);
    }
    if (m_Data.coordinates.empty())
    {
      RefuseInput(m_Scanner.GetPath(), "it has no points: no element \"vertex\" with x, y and z");
    }
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
      if (m_Format != "ascii" && m_Format != "binary_little_endian" && m_Format != "binary_big_endian")
      {
        m_Scanner.Refuse("the format is \"" + m_Format.substr(0, 20) +
                         "\"; it must be ascii, binary_little_endian or binary_big_endian");
      }
    }
    else if (keyword == "element" && words.size() == 3)
    {
      const auto count =
        ParseInteger(m_Scanner.GetPath(), "the number of elements " + words[1], words[2], 0, 0xffffffff);
      m_Elements.push_back({ words[1], static_cast<std::size_t>(count), {} });
    }
    else if (keyword == "property" && words.size() == 3 && !m_Elements.empty())
    {
      m_Elements.back().properties.push_back({ words[2], this->TypeOf(words[1]), nullptr });
    }
    else if (keyword == "property" && words.size() == 5 && words[1] == "list" && !m_Elements.empty())
    {
      m_Elements.back().properties.push_back({ words[4], this->TypeOf(words[3]), this->TypeOf(words[2]) });
    }
    else if (keyword == "comment" || keyword == "obj_info")
    {
      m_Data.mesh.space = m_Data.mesh.space.empty() ? SpaceOf(line) : m_Data.mesh.space;
    }
    else if (!keyword.empty() && keyword != "end_header")
    {
      m_Scanner.Refuse("its header has \"" + line.substr(0, 40) + "\", which is not known here");
    }
    return keyword != "end_header";
  }

  const MeshNumberType *
  TypeOf(const std::string & name) const
  {
    const MeshNumberType * const type = FindMeshNumberType(name);
    if (type == nullptr)
    {
      m_Scanner.Refuse("the type of a property is \"" + name.substr(0, 20) + "\", which is not known here");
    }
    return type;
  }

  double
  TakeNumber(const MeshNumberType & type)
  {
    return m_Format == "ascii" ? m_Scanner.TakeNumber("a number")
                               : type.convert(m_Scanner.TakeBytes(type.bytes), m_Format == "binary_big_endian");
  }

  /** Of a color, a normal or what else; it may be no number, as the quality of a point that has none. */
  void
  SkipNumber(const MeshNumberType & type)
  {
    if (m_Format != "ascii")
    {
      m_Scanner.TakeBytes(type.bytes);
    }
    else if (m_Scanner.TakeWord().empty())
    {
      RefuseInput(m_Scanner.GetPath(), "it is cut short: a number is missing");
    }
  }

  std::uint32_t
  TakeIndex(const MeshNumberType & type, const char * what)
  {
    const double value = this->TakeNumber(type);
    if (value != std::trunc(value) || value < 0.0 || value > std::numeric_limits<std::uint32_t>::max())
    {
      m_Scanner.Refuse(what + std::string(" is ") + std::to_string(value) +
                       "; it must be a whole number from 0 to 2^32 - 1");
    }
    return static_cast<std::uint32_t>(value);
  }

  void
  ReadElement(const Element & element)
  {
    for (std::size_t i = 0; i < element.count && !element.properties.empty(); ++i)
    {
      double point[3] = { NAN, NAN, NAN };
      for (const Property & property : element.properties)
      {
        if (property.lengthType != nullptr)
        {
          this->ReadList(element, property);
          continue;
        }
        if (property.name.size() == 1 && property.name[0] >= 'x' && property.name[0] <= 'z')
        {
          point[property.name[0] - 'x'] = this->TakeNumber(*property.type);
        }
        else
        {
          this->SkipNumber(*property.type);
        }
      }
      if (m_Format == "ascii")
      {
        m_Scanner.TakeLine(); // which may have more than the header tells
      }
      if (element.name == "vertex")
      {
        m_Data.coordinates.insert(m_Data.coordinates.end(), point, point + 3);
      }
    }
  }

  /** A face has its points in a list of one of two names; a list of another name is of texture, or of strips. */
  void
  ReadList(const Element & element, const Property & property)
  {
    const bool isFace =
      element.name == "face" && (property.name == "vertex_indices" || property.name == "vertex_index");
    const std::uint32_t length = this->TakeIndex(*property.lengthType, "the length of a list");
    if (element.name == "tristrips")
    {
      m_Scanner.Refuse("it has \"tristrips\"; faces of an element \"face\" can be worked on");
    }
    MeshCell cell;
    for (std::uint32_t i = 0; i < length; ++i)
    {
      if (isFace)
      {
        cell.points.push_back(this->TakeIndex(*property.type, "a point of a face"));
      }
      else
      {
        this->SkipNumber(*property.type);
      }
    }
    if (isFace)
    {
      m_Data.cells.push_back(std::move(cell));
    }
  }

  TextScanner          m_Scanner;
  PointData            m_Data;
  std::string          m_Format;
  std::vector<Element> m_Elements;
};

template <typename TValue>
void
AddBytes(std::string & content, TValue value)
{
  content.append(reinterpret_cast<const char *>(&value), sizeof(value));
}

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
    AddBytes(content, coordinate);
  }
  for (const MeshCell & cell : data.cells)
  {
    const auto size = static_cast<std::uint32_t>(cell.points.size());
    isShort ? AddBytes(content, static_cast<std::uint8_t>(size)) : AddBytes(content, size);
    for (const std::uint32_t point : cell.points)
    {
      AddBytes(content, point);
    }
  }
  WriteBytes(path, content);
}
