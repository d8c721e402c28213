// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/points/SurfaceFormats.h"
#include "files/input/TextScanner.h"

#include <algorithm>
#include <cstring>

namespace
{

enum class Encoding
{
  Text,
  LittleEndian,
  BigEndian
};

/** A type of numbers: its bytes, and how to make a double of them. */
struct NumberType
{
  const char * name;
  const char * otherName;
  std::size_t  bytes;
  double (*convert)(const char *);
};

template <typename TValue>
double
Convert(const char * bytes)
{
  TValue value;
  std::memcpy(&value, bytes, sizeof(TValue));
  return static_cast<double>(value);
}

constexpr NumberType numberTypes[] = {
  { "char", "int8", 1, Convert<std::int8_t> },    { "uchar", "uint8", 1, Convert<std::uint8_t> },
  { "short", "int16", 2, Convert<std::int16_t> }, { "ushort", "uint16", 2, Convert<std::uint16_t> },
  { "int", "int32", 4, Convert<std::int32_t> },   { "uint", "uint32", 4, Convert<std::uint32_t> },
  { "float", "float32", 4, Convert<float> },      { "double", "float64", 8, Convert<double> }
};

/** A number of each element, or a list of numbers, whose length has a type of its own. */
struct Property
{
  std::string        name;
  const NumberType * type = nullptr;
  const NumberType * lengthType = nullptr;
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
    this->ReadHeader();
    for (const Element & element : m_Elements)
    {
      this->ReadElement(element);
    }
    if (!m_HasPoints)
    {
      RefuseInput(m_Scanner.GetPath(), "it has no element \"vertex\"");
    }
    for (const MeshCell & cell : m_Data.cells)
    {
      this->CheckCell(cell);
    }
    return std::move(m_Data);
  }

private:
  void
  ReadHeader()
  {
    if (Trimmed(m_Scanner.TakeLine()) != "ply")
    {
      m_Scanner.Refuse("it is no PLY file: it does not begin with \"ply\"");
    }
    bool hasFormat = false;
    for (;;)
    {
      if (m_Scanner.GetRemainingBytes() == 0)
      {
        RefuseInput(m_Scanner.GetPath(), "it is cut short: \"end_header\" is missing");
      }
      const std::vector<std::string> words = SplitWords(Trimmed(m_Scanner.TakeLine()));
      const std::string              keyword = words.empty() ? "" : words[0];
      if (keyword == "end_header")
      {
        break;
      }
      if (keyword == "format" && words.size() >= 2)
      {
        m_Encoding = this->EncodingOf(words[1]);
        hasFormat = true;
      }
      else if (keyword == "element" && words.size() == 3)
      {
        const auto count =
          ParseInteger(m_Scanner.GetPath(), "the number of elements " + words[1], words[2], 0, 0xffffffff);
        m_Elements.push_back({ words[1], static_cast<std::size_t>(count), {} });
      }
      else if (keyword == "property" && words.size() >= 3 && !m_Elements.empty())
      {
        this->AddProperty(words);
      }
      else if (keyword != "comment" && keyword != "obj_info" && !keyword.empty())
      {
        m_Scanner.Refuse("its header has \"" + keyword.substr(0, 20) + "\", which is not known here");
      }
    }
    if (!hasFormat)
    {
      RefuseInput(m_Scanner.GetPath(), "its header has no \"format\"");
    }
  }

  Encoding
  EncodingOf(const std::string & name) const
  {
    if (name != "ascii" && name != "binary_little_endian" && name != "binary_big_endian")
    {
      m_Scanner.Refuse("the format is \"" + name.substr(0, 20) +
                       "\"; it must be ascii, binary_little_endian or binary_big_endian");
    }
    return name == "ascii"               ? Encoding::Text
           : name == "binary_big_endian" ? Encoding::BigEndian
                                         : Encoding::LittleEndian;
  }

  const NumberType *
  TypeOf(const std::string & name) const
  {
    const auto * const found =
      std::find_if(std::begin(numberTypes), std::end(numberTypes), [&](const NumberType & type) {
        return name == type.name || name == type.otherName;
      });
    if (found == std::end(numberTypes))
    {
      m_Scanner.Refuse("the type of a property is \"" + name.substr(0, 20) + "\", which is not known here");
    }
    return found;
  }

  void
  AddProperty(const std::vector<std::string> & words)
  {
    Property property;
    if (words[1] == "list")
    {
      if (words.size() != 5)
      {
        m_Scanner.Refuse("a list must have two types and a name");
      }
      property = { words[4], this->TypeOf(words[3]), this->TypeOf(words[2]) };
    }
    else
    {
      property = { words[2], this->TypeOf(words[1]), nullptr };
    }
    m_Elements.back().properties.push_back(property);
  }

  double
  TakeNumber(const NumberType & type)
  {
    if (m_Encoding == Encoding::Text)
    {
      return m_Scanner.TakeNumber("a number");
    }
    const char * const bytes = m_Scanner.TakeBytes(type.bytes);
    if (m_Encoding == Encoding::LittleEndian)
    {
      return type.convert(bytes);
    }
    char turned[8];
    std::reverse_copy(bytes, bytes + type.bytes, turned);
    return type.convert(turned);
  }

  /** Takes a property of an element: one number, or those of a list. */
  void
  TakeProperty(const Property & property, std::vector<double> & numbers)
  {
    numbers.clear();
    std::size_t count = 1;
    if (property.lengthType != nullptr)
    {
      const double length = this->TakeNumber(*property.lengthType);
      const auto   most = static_cast<double>(m_Scanner.GetRemainingBytes());
      if (!(length >= 0.0 && length <= most && length == std::trunc(length)))
      {
        RefuseField(m_Scanner.GetPath(),
                    "the length of a list",
                    length,
                    "the rest of the file has " + std::to_string(m_Scanner.GetRemainingBytes()) + " bytes");
      }
      count = static_cast<std::size_t>(length);
    }
    for (std::size_t i = 0; i < count; ++i)
    {
      numbers.push_back(this->TakeNumber(*property.type));
    }
  }

  void
  ReadElement(const Element & element)
  {
    // Each has a byte of the file at least, so that a number that is too large is noticed before memory is asked for.
    if (element.count > m_Scanner.GetRemainingBytes() && !element.properties.empty())
    {
      RefuseField(m_Scanner.GetPath(),
                  "the number of elements " + element.name,
                  element.count,
                  "it is cut short: the rest of the file has " + std::to_string(m_Scanner.GetRemainingBytes()) +
                    " bytes");
    }
    const bool isVertex = element.name == "vertex";
    m_HasPoints = m_HasPoints || isVertex;
    if (isVertex)
    {
      this->RequireCoordinates(element);
    }
    std::vector<double> numbers;
    for (std::size_t i = 0; i < element.count && !element.properties.empty(); ++i)
    {
      double point[3] = {};
      for (const Property & property : element.properties)
      {
        this->TakeProperty(property, numbers);
        const bool isAxis = property.name.size() == 1 && property.name[0] >= 'x' && property.name[0] <= 'z';
        if (isVertex && isAxis && numbers.size() == 1)
        {
          point[property.name[0] - 'x'] = numbers[0];
        }
        if (element.name == "face" && (property.name == "vertex_indices" || property.name == "vertex_index"))
        {
          this->AddFace(numbers);
        }
      }
      if (isVertex)
      {
        m_Data.coordinates.insert(m_Data.coordinates.end(), point, point + 3);
      }
    }
  }

  void
  RequireCoordinates(const Element & element) const
  {
    for (const char * const name : { "x", "y", "z" })
    {
      if (std::none_of(element.properties.begin(), element.properties.end(), [&](const Property & property) {
            return property.name == name && property.lengthType == nullptr;
          }))
      {
        RefuseInput(m_Scanner.GetPath(), "its points have no property \"" + std::string(name) + '"');
      }
    }
  }

  void
  AddFace(const std::vector<double> & numbers)
  {
    MeshCell cell;
    for (const double number : numbers)
    {
      if (!(number >= 0.0 && number < 4294967296.0 && number == std::trunc(number)))
      {
        RefuseField(m_Scanner.GetPath(), "a point of a face", number, "it must be a whole number of 0 or more");
      }
      cell.points.push_back(static_cast<std::uint32_t>(number));
    }
    if (cell.points.size() < 3)
    {
      RefuseInput(m_Scanner.GetPath(),
                  "a face has " + std::to_string(cell.points.size()) + " points; it must have 3 or more");
    }
    m_Data.cells.push_back(std::move(cell));
  }

  void
  CheckCell(const MeshCell & cell) const
  {
    for (const std::uint32_t point : cell.points)
    {
      if (point >= m_Data.GetNumberOfPoints())
      {
        RefuseField(m_Scanner.GetPath(),
                    "a point of a face",
                    point,
                    "counted from 0, there are " + std::to_string(m_Data.GetNumberOfPoints()) + " points");
      }
    }
  }

  TextScanner          m_Scanner;
  Encoding             m_Encoding = Encoding::Text;
  std::vector<Element> m_Elements;
  bool                 m_HasPoints = false;
  PointData            m_Data;
};

} // namespace

PointData
ReadPly(const std::string & path)
{
  return PlyReader(path).Read();
}
