// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/NumberTypes.h"
#include "files/base/Xml.h"
#include "files/input/GzipFile.h"
#include "files/input/InputFile.h"
#include "files/output/ParallelFile.h"
#include "files/points/NumberScanner.h"
#include "files/points/PointFormats.h"
#include "files/system/SystemFile.h"

#include <itk_zlib.h>
#include <itksys/Base64.h>

#include <cstdint>
#include <map>

namespace cudaneuro::files
{

// Not read by gifti_clib, which takes numbers of text apart at the ends of its buffers, leaves as 0 what is missing,
// and ends with a segmentation fault for elements elsewhere (Documentation/itk-reader-reports.md).

namespace
{

constexpr const char * pointsIntent = "NIFTI_INTENT_POINTSET";
constexpr const char * trianglesIntent = "NIFTI_INTENT_TRIANGLE";

/** An array of a file. */
struct GiftiArray
{
  std::string                        intent;
  std::map<std::string, std::string> attributes;
  /** The XML before the numbers, which is metadata and spaces. */
  std::string about;
  std::string numbers;
};

struct GiftiContent
{
  /** The XML before the arrays. */
  std::string about;
  /** By their intents. */
  std::multimap<std::string, GiftiArray> arrays;
};

/** Takes apart a file whose elements end in the order in which they must. */
GiftiContent
Parse(const std::string & path, const std::string & text)
{
  GiftiContent             content;
  auto                     array = content.arrays.end();
  std::vector<std::string> open{ "" };
  std::size_t              begin = 0; // where the XML or the numbers begin that are next to be taken
  for (XmlMarkup tag = FindXmlMarkup(text, 0); tag.begin < text.size(); tag = FindXmlMarkup(text, tag.end))
  {
    const std::string & name = tag.name;
    const bool          isEnd = tag.kind == XmlMarkup::Kind::End;
    const bool          isElement = tag.kind != XmlMarkup::Kind::Other && tag.kind != XmlMarkup::Kind::CData;
    const std::string   written = text.substr(tag.begin, tag.end - tag.begin);
    if (!tag.isWhole || (isElement && isEnd && name != open.back()) ||
        (isElement && open.size() == 1 && name != "GIFTI") || (name == "Data" && !isEnd && open.back() != "DataArray"))
    {
      RefuseInput(path, "it is no GIFTI file, or cut short or damaged, at \"" + Printable(written) + '"');
    }
    if (!isElement)
    {
      continue;
    }
    if (name == "DataArray" && !isEnd)
    {
      content.about = content.arrays.empty() ? text.substr(begin, tag.begin - begin) : content.about;
      auto              attributes = XmlAttributesOf(written);
      const std::string intent = attributes["Intent"];
      array = content.arrays.insert({ intent, { intent, attributes, "", "" } });
    }
    else if (name == "Data" && isEnd)
    {
      array->second.numbers = XmlCharactersOf(text.substr(begin, tag.begin - begin));
    }
    else if (name == "Data")
    {
      array->second.about = text.substr(begin, tag.begin - begin);
    }
    begin = name == "GIFTI" || name == "DataArray" || name == "Data" ? tag.end : begin;
    if (isEnd)
    {
      open.pop_back();
    }
    else if (tag.kind == XmlMarkup::Kind::Begin)
    {
      open.push_back(name);
    }
  }
  if (open.size() > 1 || content.arrays.empty())
  {
    RefuseInput(path, "it is no GIFTI file, or cut short: it does not end with \"</GIFTI>\", or has no DataArray");
  }
  return content;
}

/** What older versions of nibabel's library for GIFTI call encodings and orders of bytes. */
const std::map<std::string, std::string> olderNames = { { "GIFTI_ENCODING_ASCII", "ASCII" },
                                                        { "GIFTI_ENCODING_B64BIN", "Base64Binary" },
                                                        { "GIFTI_ENCODING_B64GZ", "GZipBase64Binary" },
                                                        { "GIFTI_ENCODING_EXTBIN", "ExternalFileBinary" },
                                                        { "GIFTI_ENDIAN_LITTLE", "LittleEndian" },
                                                        { "GIFTI_ENDIAN_BIG", "BigEndian" } };

/** The value of an attribute, which must be one of some. */
std::string
Attribute(const std::string &              path,
          const GiftiArray &               array,
          const std::string &              name,
          const std::vector<std::string> & allowed)
{
  const auto        found = array.attributes.find(name);
  const std::string written = found == array.attributes.end() ? "" : found->second;
  const auto        older = olderNames.find(written);
  const std::string value = older == olderNames.end() ? written : older->second;
  if (std::count(allowed.begin(), allowed.end(), value) == 0)
  {
    RefuseInput(path,
                "its " + array.intent + " must have " + (name[0] == 'A' || name[0] == 'E' ? "an " : "a ") + name +
                  " of " + Listed(allowed) + "; it has \"" + Printable(value) + '"');
  }
  return value;
}

/** The bytes of numbers in a file of their own, which is beside the file that names it, and may have others. */
std::string
ReadExternal(const std::string & path, GiftiArray array, std::size_t expected)
{
  const std::string name = array.attributes["ExternalFileName"];
  const std::string written = array.attributes["ExternalFileOffset"];
  const auto        offset = ParseInteger(path, "an ExternalFileOffset", written.empty() ? "0" : written, 0, INT64_MAX);
  if (name.empty())
  {
    RefuseInput(path, "its " + array.intent + " is in a file of its own, which it does not name");
  }
  const std::vector<char> bytes =
    ReadBytes((ToPath(path).parent_path() / ToPath(name)).string(), static_cast<std::uint64_t>(offset), expected);
  return { bytes.begin(), bytes.end() };
}

/** The bytes of numbers that are binary. */
std::string
DecodeBinary(const std::string & path, std::string text, bool isCompressed, std::size_t expected)
{
  text.erase(std::remove_if(text.begin(), text.end(), [](unsigned char c) { return std::isspace(c) != 0; }),
             text.end());
  std::string bytes = DecodedBase64(text);
  if (isCompressed)
  {
    CheckRatio(path, bytes.size(), expected);
    std::string inflated(expected, '\0');
    auto        size = static_cast<uLongf>(expected);
    const auto  result = uncompress(reinterpret_cast<Bytef *>(inflated.data()),
                                   &size,
                                   reinterpret_cast<const Bytef *>(bytes.data()),
                                   static_cast<uLong>(bytes.size()));
    if (result != Z_OK)
    {
      RefuseInput(path, "the compressed data of an array is damaged, or of another size");
    }
    bytes = inflated.substr(0, size);
  }
  RequireBytes(path, bytes.size(), 0, expected);
  if (bytes.size() > expected)
  {
    RefuseField(path, "the size of an array in bytes", bytes.size(), "it must be " + std::to_string(expected));
  }
  return bytes;
}

/** The numbers of an array that has rows of three, one row after the other. */
std::vector<double>
Decode(const std::string & path, const GiftiArray & array, const std::vector<std::string> & types)
{
  Attribute(path, array, "Dimensionality", { "2" });
  Attribute(path, array, "Dim1", { "3" });
  const bool isByColumns =
    Attribute(path, array, "ArrayIndexingOrder", { "RowMajorOrder", "ColumnMajorOrder" }) == "ColumnMajorOrder";
  const auto encoding =
    Attribute(path, array, "Encoding", { "ASCII", "Base64Binary", "GZipBase64Binary", "ExternalFileBinary" });
  const auto type = TypeNamed(Lower(Attribute(path, array, "DataType", types)).substr(std::strlen("NIFTI_TYPE_")));
  const auto dim0 = array.attributes.find("Dim0");
  const auto rows = static_cast<std::size_t>(ParseInteger(
    path, "the Dim0 of its " + array.intent, dim0 == array.attributes.end() ? "" : dim0->second, 1, 0xffffffff));
  std::vector<double> numbers;
  if (encoding == "ASCII")
  {
    for (const std::string & word : SplitWords(array.numbers))
    {
      const double number = ParseNumber(path, "a number of its " + array.intent, word);
      numbers.push_back(type == itk::IOComponentEnum::FLOAT ? static_cast<float>(number) : number);
    }
  }
  else
  {
    const bool isBigEndian = Attribute(path, array, "Endian", { "LittleEndian", "BigEndian" }) == "BigEndian";
    const auto size = 3 * rows * BytesOf(type);
    const auto bytes = encoding == "ExternalFileBinary"
                         ? ReadExternal(path, array, size)
                         : DecodeBinary(path, array.numbers, encoding == "GZipBase64Binary", size);
    for (std::size_t at = 0; at < bytes.size(); at += BytesOf(type))
    {
      numbers.push_back(NumberAt(type, bytes.data() + at, isBigEndian));
    }
  }
  if (numbers.size() != 3 * rows)
  {
    RefuseField(
      path, "the count of numbers of its " + array.intent, numbers.size(), "it must be " + std::to_string(3 * rows));
  }
  std::vector<double> turned = numbers;
  for (std::size_t i = 0; isByColumns && i < numbers.size(); ++i)
  {
    turned[i] = numbers[i % 3 * rows + i / 3];
  }
  return turned;
}

/** The numbers of the one array of an intent, whose XML goes to the notes; empty where the file has none. */
std::vector<double>
NumbersOf(const std::string &              path,
          const GiftiContent &             content,
          const char *                     intent,
          const std::vector<std::string> & types,
          MeshNotes &                      notes)
{
  const auto found = content.arrays.find(intent);
  if (content.arrays.count(intent) > 1)
  {
    RefuseInput(path, std::string("it has two of its ") + intent + "; files of one surface can be worked on");
  }
  if (found == content.arrays.end())
  {
    return {};
  }
  notes.gifti[intent] = found->second.about;
  return Decode(path, found->second, types);
}

/** An array of rows of three numbers of 4 bytes. */
std::string
ArrayOf(const PointData & data, const char * intent, const char * type, const void * numbers, std::size_t rows)
{
  const auto                 size = static_cast<uLong>(12 * rows);
  uLongf                     packedSize = compressBound(size);
  std::vector<unsigned char> packed(packedSize);
  compress(packed.data(), &packedSize, static_cast<const Bytef *>(numbers), size);
  std::vector<unsigned char> text(packedSize / 3 * 4 + 5);
  text.resize(itksysBase64_Encode(packed.data(), packedSize, text.data(), 0));
  const auto about = data.mesh.gifti.find(intent);
  return std::string("<DataArray Intent=\"") + intent + "\" DataType=\"" + type +
         "\" ArrayIndexingOrder=\"RowMajorOrder\" Dimensionality=\"2\" Dim0=\"" + std::to_string(rows) +
         "\" Dim1=\"3\" Encoding=\"GZipBase64Binary\" Endian=\"LittleEndian\" ExternalFileName=\"\" "
         "ExternalFileOffset=\"\">" +
         (about == data.mesh.gifti.end() ? "\n" : about->second) + "<Data>" + std::string(text.begin(), text.end()) +
         "</Data>\n</DataArray>\n";
}

} // namespace

PointData
ReadGifti(const std::string & path)
{
  const GiftiContent content = Parse(path, ReadInflated(path));
  PointData          data;
  data.coordinates = NumbersOf(path, content, pointsIntent, { "NIFTI_TYPE_FLOAT32", "NIFTI_TYPE_FLOAT64" }, data.mesh);
  const std::vector<double> corners = NumbersOf(
    path, content, trianglesIntent, { "NIFTI_TYPE_INT32", "NIFTI_TYPE_UINT32", "NIFTI_TYPE_INT64" }, data.mesh);
  if (data.coordinates.empty())
  {
    RefuseInput(path, std::string("it has no array of ") + pointsIntent + ", which are the points");
  }
  for (std::size_t i = 0; i < corners.size(); ++i)
  {
    if (!IsIndex(corners[i]))
    {
      RefuseField(path,
                  "a point of triangle " + std::to_string(i / 3),
                  corners[i],
                  "it must be a whole number from 0 to 2^32 - 1");
    }
    if (i % 3 == 0)
    {
      data.cells.emplace_back();
    }
    data.cells.back().points.push_back(static_cast<std::uint32_t>(corners[i]));
  }
  data.mesh.gifti[""] = content.about;
  const std::size_t used = corners.empty() ? 1 : 2;
  if (content.arrays.size() > used)
  {
    data.notes.push_back("has " + std::to_string(content.arrays.size() - used) +
                         " arrays that are no points or triangles, which are left out");
  }
  return data;
}

void
WriteGifti(const std::string & path, const PointData & data)
{
  const auto                about = data.mesh.gifti.find("");
  const std::vector<float>  points(data.coordinates.begin(), data.coordinates.end());
  std::vector<std::int32_t> corners;
  for (const MeshCell & cell : data.cells)
  {
    corners.insert(corners.end(), cell.points.begin(), cell.points.end());
  }
  const std::string content =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE GIFTI SYSTEM "
    "\"http://www.nitrc.org/frs/download.php/115/gifti.dtd\">\n<GIFTI Version=\"1.0\" NumberOfDataArrays=\"" +
    std::string(corners.empty() ? "1" : "2") + "\">" + (about == data.mesh.gifti.end() ? "\n" : about->second) +
    ArrayOf(data, pointsIntent, "NIFTI_TYPE_FLOAT32", points.data(), points.size() / 3) +
    (corners.empty() ? "" : ArrayOf(data, trianglesIntent, "NIFTI_TYPE_INT32", corners.data(), data.cells.size())) +
    "</GIFTI>\n";
  FileContent file;
  file.bytes = content.size();
  file.memory = content.data();
  WriteInParallel(path, file);
}

} // namespace cudaneuro::files
