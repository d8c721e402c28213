// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/ErrorStream.h"
#include "files/base/Errors.h"
#include "files/input/GzipFile.h"
#include "files/input/InputFile.h"
#include "files/points/MeshFormats.h"
#include "files/points/MeshNumberType.h"

#include <gifti_io.h>
#include <itksys/Base64.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace
{

using GiftiImage = std::shared_ptr<gifti_image>;
using GiftiArray = giiDataArray;

GiftiImage
Own(gifti_image * image)
{
  return { image, [](gifti_image * ours) { gifti_free_image(ours); } };
}

std::string
NameOf(const GiftiArray & array)
{
  return gifti_intent_to_string(array.intent);
}

/** All but the numbers, by the library of the format. It takes numbers of text apart at the ends of its buffers, leaves as 0
 * what is missing, and ends with a segmentation fault where compressed data has other characters.
 * (test_files_meshes.py, test_numbers_across_buffers and test_damaged_gifti) */
GiftiImage
ReadHeader(const std::string & path, std::size_t size)
{
  const ErrorStreamCapture capture;
  gifti_set_verb(1);
  // One buffer, at whose ends numbers of a matrix would be taken apart, too.
  gifti_set_xml_buf_size(static_cast<int>(std::min<std::size_t>(size + 1, std::numeric_limits<int>::max())));
  gifti_set_perm_by_iord(0); // so that the order of indices is what the file says
  const GiftiImage image = Own(gifti_read_image(path.c_str(), 0));
  if (image == nullptr)
  {
    RefuseInput(path, "it is no GIFTI file, or cut short or damaged: " + OneLine(capture.TakeText()));
  }
  return image;
}

/** The bytes of an array's numbers that are binary. */
std::vector<unsigned char>
DecodeBinary(const std::string & path, const GiftiArray & array, std::string text, std::size_t expected)
{
  text.erase(std::remove_if(text.begin(), text.end(), [](unsigned char c) { return std::isspace(c) != 0; }),
             text.end());
  std::vector<unsigned char> bytes(text.size());
  const auto * const         input = reinterpret_cast<const unsigned char *>(text.data());
  bytes.resize(itksysBase64_Decode(input, text.size(), bytes.data(), text.size()));
  if (array.encoding == GIFTI_ENCODING_B64GZ)
  {
    CheckRatio(path, bytes.size(), expected);
    std::vector<unsigned char> inflated(expected);
    auto                       size = static_cast<uLongf>(expected);
    if (uncompress(inflated.data(), &size, bytes.data(), static_cast<uLong>(bytes.size())) != Z_OK)
    {
      RefuseInput(path, "the compressed data of its " + NameOf(array) + " is damaged, or of another size");
    }
    inflated.resize(size);
    bytes = std::move(inflated);
  }
  if (bytes.size() != expected)
  {
    RefuseCutShort(path, bytes.size(), expected);
  }
  return bytes;
}

/** The numbers of an array of three columns, row after row. */
std::vector<double>
DecodeNumbers(const std::string & path, const GiftiArray & array, const std::string & text)
{
  const auto          rows = static_cast<std::size_t>(array.dims[0]);
  std::vector<double> numbers;
  if (array.encoding == GIFTI_ENCODING_ASCII)
  {
    std::istringstream words(text);
    for (std::string word; words >> word;)
    {
      const double number = ParseNumber(path, "a number of its " + NameOf(array), word);
      numbers.push_back(array.datatype == NIFTI_TYPE_FLOAT32 ? static_cast<float>(number) : number);
    }
    if (numbers.size() != 3 * rows)
    {
      RefuseField(
        path, "the count of numbers of its " + NameOf(array), numbers.size(), "it must be " + std::to_string(3 * rows));
    }
  }
  else
  {
    const std::string      name = Lower(gifti_datatype2str(array.datatype)).substr(std::string("NIFTI_TYPE_").size());
    const MeshNumberType & type = *FindMeshNumberType(name);
    const auto             bytes = DecodeBinary(path, array, text, 3 * rows * type.bytes);
    for (std::size_t i = 0; i < 3 * rows; ++i)
    {
      const char * const number = reinterpret_cast<const char *>(bytes.data()) + i * type.bytes;
      numbers.push_back(type.convert(number, array.endian == GIFTI_ENDIAN_BIG));
    }
  }
  std::vector<double> turned = numbers;
  for (std::size_t i = 0; array.ind_ord == GIFTI_IND_ORD_COL_MAJOR && i < numbers.size(); ++i)
  {
    turned[i] = numbers[i % 3 * rows + i / 3];
  }
  return turned;
}

/** Which elements a GIFTI file has in which others. Where one is elsewhere, the library ends with a segmentation fault. */
constexpr const char * nestings[] = { "/GIFTI",
                                      "GIFTI/MetaData",
                                      "GIFTI/LabelTable",
                                      "GIFTI/DataArray",
                                      "MetaData/MD",
                                      "MD/Name",
                                      "MD/Value",
                                      "LabelTable/Label",
                                      "DataArray/MetaData",
                                      "DataArray/CoordinateSystemTransformMatrix",
                                      "CoordinateSystemTransformMatrix/DataSpace",
                                      "CoordinateSystemTransformMatrix/TransformedSpace",
                                      "CoordinateSystemTransformMatrix/MatrixData",
                                      "DataArray/Data" };

/** The texts of the elements Data of a file whose elements are nested as they must be. */
std::vector<std::string>
TextsOfData(const std::string & path, const std::string & text)
{
  std::vector<std::string> open{ "" };
  std::vector<std::string> data;
  std::size_t              contentBegin = 0;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at))
  {
    const bool        isComment = text.compare(at, 4, "<!--") == 0;
    const bool        isText = text.compare(at, 9, "<![CDATA[") == 0;
    const std::size_t end = text.find(isComment ? "-->" : isText ? "]]>" : ">", at);
    const std::size_t nameBegin = at + (text.compare(at, 2, "</") == 0 ? 2 : 1);
    const std::string name = text.substr(nameBegin, text.find_first_of(" \t\r\n/>", nameBegin) - nameBegin);
    const bool        isElement = text[at + 1] != '!' && text[at + 1] != '?';
    const bool        isKnown = std::count(std::begin(nestings), std::end(nestings), open.back() + '/' + name) > 0;
    const bool        isEnd = nameBegin == at + 2;
    if (end == std::string::npos || (isElement && (isEnd ? name != open.back() : !isKnown)))
    {
      RefuseInput(
        path, "it is no GIFTI file, or cut short or damaged, at its element \"" + OneLine(name.substr(0, 40)) + '"');
    }
    if (isElement && isEnd)
    {
      open.pop_back();
    }
    else if (isElement && text[end - 1] != '/')
    {
      open.push_back(name);
      contentBegin = end + 1;
    }
    if (isElement && name == "Data" && open.back() != "Data")
    {
      data.push_back(isEnd ? text.substr(contentBegin, at - contentBegin) : "");
    }
    at = end;
  }
  return data;
}

/** The numbers of the one array of an intent, of one of some types; empty where the file has none. */
std::vector<double>
NumbersOf(const std::string &              path,
          gifti_image &                    header,
          const std::vector<std::string> & data,
          int                              intent,
          const std::vector<int> &         types)
{
  GiftiArray * const array = gifti_find_DA(&header, intent, 0);
  if (array == nullptr)
  {
    return {};
  }
  if (gifti_find_DA(&header, intent, 1) != nullptr)
  {
    RefuseInput(path, "it has two of its " + NameOf(*array) + "; files of one surface can be worked on");
  }
  if (array->num_dim != 2 || array->dims[0] < 1 || array->dims[1] != 3 ||
      std::count(types.begin(), types.end(), array->datatype) == 0)
  {
    RefuseInput(path,
                "its " + NameOf(*array) + " has " + std::to_string(array->dims[0]) + " x " +
                  std::to_string(array->dims[1]) + " numbers of " + gifti_datatype2str(array->datatype) +
                  "; it must have rows of three of " + gifti_datatype2str(types.front()));
  }
  if (array->encoding < GIFTI_ENCODING_ASCII || array->encoding > GIFTI_ENCODING_B64GZ ||
      array->ind_ord == GIFTI_IND_ORD_UNDEF ||
      (array->endian == GIFTI_ENDIAN_UNDEF && array->encoding != GIFTI_ENCODING_ASCII))
  {
    RefuseInput(path,
                "its " + NameOf(*array) +
                  " must have an Encoding of ASCII, Base64Binary or GZipBase64Binary, an Endian of "
                  "LittleEndian or BigEndian and an ArrayIndexingOrder of RowMajorOrder or ColumnMajorOrder");
  }
  const auto at = std::find(header.darray, header.darray + header.numDA, array) - header.darray;
  return DecodeNumbers(path, *array, data[static_cast<std::size_t>(at)]);
}

/** An array to be written: what an earlier one says of its space and of itself, and new numbers. */
template <typename TValue>
void
SetNumbers(GiftiArray *& array, const void * notes, int intent, int type, const std::vector<TValue> & numbers)
{
  auto * const       earlier = static_cast<gifti_image *>(const_cast<void *>(notes));
  GiftiArray * const like = earlier == nullptr ? nullptr : gifti_find_DA(earlier, intent, 0);
  if (like != nullptr)
  {
    gifti_free_DataArray(array);
    array = gifti_copy_DataArray(like, 0);
  }
  const std::size_t bytes = numbers.size() * sizeof(TValue);
  array->intent = intent;
  array->datatype = type;
  array->ind_ord = GIFTI_IND_ORD_ROW_MAJOR;
  array->num_dim = 2;
  array->dims[0] = static_cast<int>(numbers.size() / 3);
  array->dims[1] = 3;
  array->encoding = GIFTI_ENCODING_B64GZ;
  array->endian = gifti_get_this_endian();
  array->nvals = static_cast<long long>(numbers.size());
  array->nbyper = sizeof(TValue);
  array->data = std::malloc(bytes);
  if (array->data == nullptr)
  {
    throw std::bad_alloc();
  }
  std::memcpy(array->data, numbers.data(), bytes);
}

} // namespace

PointData
ReadGifti(const std::string & path)
{
  const std::vector<char>        bytes = ReadBytes(path, 0, CheckRegularFile(path));
  const std::vector<std::string> texts = TextsOfData(path, { bytes.begin(), bytes.end() });
  const GiftiImage               image = ReadHeader(path, bytes.size());
  if (static_cast<std::size_t>(image->numDA) != texts.size())
  {
    RefuseField(path, "the count of its Data", texts.size(), "its DataArrays are " + std::to_string(image->numDA));
  }
  PointData data;
  data.coordinates = NumbersOf(path, *image, texts, NIFTI_INTENT_POINTSET, { NIFTI_TYPE_FLOAT32, NIFTI_TYPE_FLOAT64 });
  const std::vector<double> corners =
    NumbersOf(path, *image, texts, NIFTI_INTENT_TRIANGLE, { NIFTI_TYPE_INT32, NIFTI_TYPE_UINT32, NIFTI_TYPE_INT64 });
  if (data.coordinates.empty())
  {
    RefuseInput(path, "it has no array of NIFTI_INTENT_POINTSET, which are the points");
  }
  for (std::size_t i = 0; i < corners.size(); ++i)
  {
    if (corners[i] != std::trunc(corners[i]) || corners[i] < 0.0 ||
        corners[i] >= static_cast<double>(data.GetNumberOfPoints()))
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
  const int used = corners.empty() ? 1 : 2;
  if (image->numDA > used)
  {
    data.mesh.warnings.push_back(path + ": " + std::to_string(image->numDA - used) +
                                 " of its arrays are left out, which are no points or triangles");
  }
  data.mesh.gifti = image;
  return data;
}

void
WriteGifti(const std::string & path, const PointData & data)
{
  const int        arrays = data.cells.empty() ? 1 : 2;
  const int        dimensions[2] = { 1, 3 };
  const GiftiImage image = Own(gifti_create_image(arrays, NIFTI_INTENT_POINTSET, NIFTI_TYPE_FLOAT32, 2, dimensions, 0));
  const auto * const earlier = static_cast<const gifti_image *>(data.mesh.gifti.get());
  if (earlier != nullptr)
  {
    gifti_free_nvpairs(&image->meta);
    gifti_copy_nvpairs(&image->meta, &earlier->meta);
  }
  const std::vector<float>  points(data.coordinates.begin(), data.coordinates.end());
  std::vector<std::int32_t> corners;
  for (const MeshCell & cell : data.cells)
  {
    corners.insert(corners.end(), cell.points.begin(), cell.points.end());
  }
  SetNumbers(image->darray[0], earlier, NIFTI_INTENT_POINTSET, NIFTI_TYPE_FLOAT32, points);
  if (!corners.empty())
  {
    SetNumbers(image->darray[1], earlier, NIFTI_INTENT_TRIANGLE, NIFTI_TYPE_INT32, corners);
  }
  gifti_set_verb(0);
  const bool          isWritten = gifti_write_image(image.get(), path.c_str(), 1) == 0;
  const std::uint64_t size = CheckRegularFile(path);
  const std::uint64_t atEnd = std::min<std::uint64_t>(size, 16);
  const auto          end = ReadBytes(path, size - atEnd, atEnd);
  if (!isWritten || std::string(end.begin(), end.end()).find("</GIFTI>") == std::string::npos)
  {
    throw std::runtime_error("the disk may be full");
  }
}
