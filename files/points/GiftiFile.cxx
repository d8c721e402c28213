// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/input/GzipFile.h"
#include "files/input/InputFile.h"
#include "files/points/PointFormats.h"
#include "itkByteSwapper.h"
#include "itk_zlib.h"
#include "files/base/Errors.h"

#include <itksys/Base64.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <limits>
#include <map>
#include <type_traits>

namespace
{

using Attributes = std::map<std::string, std::string>;

/** The attributes of an element of XML: NAME="VALUE" NAME='VALUE'. */
Attributes
AttributesOf(const std::string & path, const std::string & element)
{
  Attributes attributes;
  for (std::size_t at = element.find('='); at != std::string::npos; at = element.find('=', at))
  {
    const std::size_t begin = element.find_first_not_of(" \t\r\n", at + 1);
    const char        mark = begin == std::string::npos ? '\0' : element[begin];
    const std::size_t end = mark == '"' || mark == '\'' ? element.find(mark, begin + 1) : std::string::npos;
    if (end == std::string::npos)
    {
      RefuseInput(path, "an attribute of a DataArray in it does not end");
    }
    const std::vector<std::string> words = SplitWords(Trimmed(element.substr(0, at)));
    const std::string              name = words.empty() ? "" : words.back();
    attributes[name.substr(name.find_last_of("\"'\n") + 1)] = element.substr(begin + 1, end - begin - 1);
    at = end + 1;
  }
  return attributes;
}

/** The text between the marks of an element, in the part of a file from begin to end. */
std::string
ElementOf(const std::string & path, const std::string & text, const std::string & name)
{
  const std::string opening = '<' + name + '>';
  const std::size_t begin = text.find(opening);
  const std::size_t end = text.find("</" + name + '>');
  if (begin == std::string::npos || end == std::string::npos || end < begin)
  {
    RefuseInput(path, "a DataArray in it has no " + name + ", or it does not end");
  }
  if (text.find("<Data", begin + 1) != std::string::npos)
  {
    RefuseInput(path, "a DataArray in it has a second one in it, or a second " + name);
  }
  return text.substr(begin + opening.size(), end - begin - opening.size());
}

/** Bytes of text in base64, of which white space is no part. */
std::vector<unsigned char>
DecodeBase64(std::string text)
{
  text.erase(std::remove_if(text.begin(), text.end(), [](unsigned char c) { return std::isspace(c) != 0; }),
             text.end());
  std::vector<unsigned char> bytes(text.size());
  const auto * const         input = reinterpret_cast<const unsigned char *>(text.data());
  bytes.resize(itksysBase64_Decode(input, text.size(), bytes.data(), text.size()));
  return bytes;
}

/** Reads the numbers of an array of three columns: points or triangles. */
class ArrayReader
{
public:
  ArrayReader(const std::string & path, Attributes attributes, std::string data)
    : m_Path(path)
    , m_Attributes(std::move(attributes))
    , m_Data(std::move(data))
  {}

  /** \tparam TValue float or std::int32_t */
  template <typename TValue>
  std::vector<TValue>
  Read(const char * type)
  {
    this->Require("DataType", { type });
    this->Require("ArrayIndexingOrder", { "RowMajorOrder" });
    this->Require("Dimensionality", { "2" });
    this->Require("Dim1", { "3" });
    this->Require("Encoding", { "ASCII", "Base64Binary", "GZipBase64Binary" });
    this->Require("Endian", { "LittleEndian", "BigEndian" });
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const auto             count =
      3 * static_cast<std::size_t>(ParseInteger(m_Path, this->Describe("Dim0"), m_Attributes["Dim0"], 1, most));
    return m_Attributes["Encoding"] == "ASCII" ? this->ReadText<TValue>(count) : this->ReadBinary<TValue>(count);
  }

private:
  std::string
  Describe(const std::string & name)
  {
    return name + " of its " + m_Attributes["Intent"];
  }

  void
  Require(const char * name, const std::vector<std::string> & values)
  {
    std::string known;
    for (const std::string & value : values)
    {
      if (m_Attributes[name] == value)
      {
        return;
      }
      known += (known.empty() ? "" : " or ") + value;
    }
    RefuseField(
      m_Path, this->Describe(name), '"' + OneLine(m_Attributes[name].substr(0, 40)) + '"', "it must be " + known);
  }

  [[noreturn]] void
  RefuseSize(std::size_t found, std::size_t expected)
  {
    RefuseInput(m_Path,
                "its " + m_Attributes["Intent"] + " has " + std::to_string(found) + " numbers; there must be " +
                  std::to_string(expected));
  }

  template <typename TValue>
  std::vector<TValue>
  ReadText(std::size_t count)
  {
    std::replace(m_Data.begin(), m_Data.end(), '\n', ' ');
    std::replace(m_Data.begin(), m_Data.end(), '\r', ' ');
    const std::vector<std::string> words = SplitWords(m_Data);
    if (words.size() != count)
    {
      this->RefuseSize(words.size(), count);
    }
    std::vector<TValue> values;
    values.reserve(count);
    for (const std::string & word : words)
    {
      const std::string what = "a number of its " + m_Attributes["Intent"];
      if constexpr (std::is_integral_v<TValue>)
      {
        values.push_back(static_cast<TValue>(ParseInteger(m_Path, what, word, 0, std::numeric_limits<TValue>::max())));
      }
      else
      {
        values.push_back(static_cast<TValue>(ParseNumber(m_Path, what, word)));
      }
    }
    return values;
  }

  template <typename TValue>
  std::vector<TValue>
  ReadBinary(std::size_t count)
  {
    std::vector<unsigned char> bytes = DecodeBase64(std::move(m_Data));
    if (m_Attributes["Encoding"] == "GZipBase64Binary")
    {
      CheckRatio(m_Path, bytes.size(), count * sizeof(TValue));
      std::vector<unsigned char> inflated(count * sizeof(TValue));
      auto                       size = static_cast<uLongf>(inflated.size());
      if (uncompress(inflated.data(), &size, bytes.data(), static_cast<uLong>(bytes.size())) != Z_OK)
      {
        RefuseInput(m_Path, "the compressed data of its " + m_Attributes["Intent"] + " is damaged, or of another size");
      }
      inflated.resize(size);
      bytes = std::move(inflated);
    }
    if (bytes.size() != count * sizeof(TValue))
    {
      this->RefuseSize(bytes.size() / sizeof(TValue), count);
    }
    std::vector<TValue> values(count);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    const bool isBig = m_Attributes["Endian"] == "BigEndian";
    isBig ? itk::ByteSwapper<TValue>::SwapRangeFromSystemToBigEndian(values.data(), count)
          : itk::ByteSwapper<TValue>::SwapRangeFromSystemToLittleEndian(values.data(), count);
    return values;
  }

  std::string m_Path;
  Attributes  m_Attributes;
  std::string m_Data;
};

void
AddTriangles(const std::string & path, const std::vector<std::int32_t> & corners, PointData & data)
{
  for (std::size_t i = 0; i < corners.size(); ++i)
  {
    if (corners[i] < 0 || static_cast<std::size_t>(corners[i]) >= data.GetNumberOfPoints())
    {
      RefuseField(path,
                  "a point of triangle " + std::to_string(i / 3),
                  corners[i],
                  "counted from 0, there are " + std::to_string(data.GetNumberOfPoints()) + " points");
    }
    if (i % 3 == 0)
    {
      data.cells.emplace_back();
    }
    data.cells.back().points.push_back(static_cast<std::uint32_t>(corners[i]));
  }
}

/** Reads the arrays of points and of triangles, and no others. */
class GiftiReader
{
public:
  explicit GiftiReader(const std::string & path)
    : m_Path(path)
  {
    const std::vector<char> bytes = ReadBytes(path, 0, CheckRegularFile(path));
    m_Text.assign(bytes.begin(), bytes.end());
  }

  PointData
  Read()
  {
    const std::size_t begin = m_Text.find("<GIFTI");
    if (begin == std::string::npos)
    {
      RefuseInput(m_Path, "it is no GIFTI file");
    }
    const std::string tag = "<DataArray";
    for (std::size_t at = m_Text.find(tag, begin); at != std::string::npos; at = m_Text.find(tag, at + 1))
    {
      const std::size_t end = m_Text.find("</DataArray>", at);
      const std::size_t endOfTag = m_Text.find('>', at);
      if (end == std::string::npos || endOfTag > end)
      {
        RefuseInput(m_Path, "it is cut short in a DataArray");
      }
      this->ReadArray(AttributesOf(m_Path, m_Text.substr(at + tag.size(), endOfTag - at - tag.size())),
                      m_Text.substr(endOfTag, end - endOfTag));
    }
    if (m_Data.coordinates.empty())
    {
      RefuseInput(m_Path, "it has no array of NIFTI_INTENT_POINTSET, which are the points");
    }
    AddTriangles(m_Path, m_Triangles, m_Data);
    TurnAround(m_Data);
    return std::move(m_Data);
  }

private:
  void
  ReadArray(const Attributes & attributes, const std::string & content)
  {
    const auto        found = attributes.find("Intent");
    const std::string intent = found == attributes.end() ? "" : found->second;
    const bool        arePoints = intent == "NIFTI_INTENT_POINTSET";
    if (!arePoints && intent != "NIFTI_INTENT_TRIANGLE")
    {
      return;
    }
    if (arePoints ? !m_Data.coordinates.empty() : !m_Triangles.empty())
    {
      RefuseInput(m_Path, "it has two arrays of " + intent);
    }
    ArrayReader reader(m_Path, attributes, ElementOf(m_Path, content, "Data"));
    if (arePoints)
    {
      const std::vector<float> points = reader.Read<float>("NIFTI_TYPE_FLOAT32");
      m_Data.coordinates.assign(points.begin(), points.end());
    }
    else
    {
      m_Triangles = reader.Read<std::int32_t>("NIFTI_TYPE_INT32");
    }
  }

  std::string               m_Path;
  std::string               m_Text;
  PointData                 m_Data;
  std::vector<std::int32_t> m_Triangles;
};

} // namespace

PointData
ReadGifti(const std::string & path)
{
  return GiftiReader(path).Read();
}
