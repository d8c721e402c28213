// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/MetaImageHeader.h"

#include "files/input/GzipFile.h"
#include "files/input/TextHeader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

namespace
{

// ITK's reader copies names and values to buffers of 255 bytes.
constexpr std::size_t longestName = 200;
constexpr std::size_t longestValue = 240;

enum class ValueKind
{
  Text,
  Flag,
  Number,
  Integer,
  Color,
  Vector,
  Matrix
};

const std::map<std::string, ValueKind> &
KnownFields()
{
  static const std::map<std::string, ValueKind> fields{
    { "BinaryData", ValueKind::Flag },
    { "BinaryDataByteOrderMSB", ValueKind::Flag },
    { "CenterOfRotation", ValueKind::Vector },
    { "Color", ValueKind::Color },
    { "CompressedData", ValueKind::Flag },
    { "CompressedDataSize", ValueKind::Integer },
    { "DimSize", ValueKind::Vector },
    { "ElementByteOrderMSB", ValueKind::Flag },
    { "ElementMax", ValueKind::Number },
    { "ElementMin", ValueKind::Number },
    { "ElementNBits", ValueKind::Integer },
    { "ElementNumberOfChannels", ValueKind::Integer },
    { "ElementSize", ValueKind::Vector },
    { "ElementSpacing", ValueKind::Vector },
    { "ElementToIntensityFunctionOffset", ValueKind::Number },
    { "ElementToIntensityFunctionSlope", ValueKind::Number },
    { "HeaderSize", ValueKind::Integer },
    { "ID", ValueKind::Integer },
    { "ImagePosition", ValueKind::Vector },
    { "NDims", ValueKind::Integer },
    { "Offset", ValueKind::Vector },
    { "Orientation", ValueKind::Matrix },
    { "Origin", ValueKind::Vector },
    { "ParentID", ValueKind::Integer },
    { "Position", ValueKind::Vector },
    { "Rotation", ValueKind::Matrix },
    { "SequenceID", ValueKind::Vector },
    { "TransformMatrix", ValueKind::Matrix },
  };
  return fields;
}

/** The header of a MetaImage, which ends with the line of ElementDataFile. */
class Header : public TextHeader
{
public:
  explicit Header(const std::string & path)
    : TextHeader(path)
  {
    const std::vector<char> start = this->ReadHeader();
    auto                    at = start.begin();
    while (!this->Has("ElementDataFile"))
    {
      const auto end = std::find(at, start.end(), '\n');
      if (end == start.end() && (at == end || start.size() == largestHeader))
      {
        RefuseInput(this->GetPath(), "its header has no ElementDataFile, with which it ends");
      }
      this->AddLine(std::string(at, end));
      at = end == start.end() ? end : end + 1;
    }
    this->SetBytes(static_cast<std::uint64_t>(at - start.begin()));
  }

  bool
  IsTrue(const std::string & field) const
  {
    return Lower(this->Get(field)) == "true" || this->Get(field) == "1";
  }
  std::int64_t
  GetInteger(const std::string & field, std::int64_t absent, std::int64_t smallest, std::int64_t largest) const
  {
    return ParseInteger(this->GetPath(), field, this->Get(field, std::to_string(absent)), smallest, largest);
  }

private:
  void
  AddLine(const std::string & line)
  {
    const std::size_t separator = line.find_first_of("=:");
    const std::string name = Trimmed(line.substr(0, separator));
    if (separator == std::string::npos || name.empty() || name.size() > longestName)
    {
      RefuseInput(this->GetPath(), "its header has a line that is no \"name = value\"");
    }
    const std::string value = Trimmed(line.substr(separator + 1));
    if (value.size() > longestValue)
    {
      RefuseField(this->GetPath(), "the length of " + name, value.size(), "it must be 240 characters at the most");
    }
    const bool isText =
      std::all_of(line.begin(), line.end(), [](unsigned char c) { return c >= ' ' || c == '\t' || c == '\r'; });
    if (!isText)
    {
      RefuseInput(this->GetPath(), "its header has a line that is no text");
    }
    this->CheckValue(name, value);
    if (!this->Add(name, value))
    {
      RefuseInput(this->GetPath(), name + " is given twice");
    }
  }

  void
  CheckValue(const std::string & name, const std::string & value)
  {
    const auto      known = KnownFields().find(name);
    const ValueKind kind = known == KnownFields().end() ? ValueKind::Text : known->second;
    if (kind == ValueKind::Flag)
    {
      const std::string flag = Lower(value);
      if (flag != "true" && flag != "false" && flag != "1" && flag != "0")
      {
        RefuseField(this->GetPath(), name, '"' + value + '"', "it must be True or False");
      }
    }
    else if (kind == ValueKind::Integer)
    {
      constexpr std::int64_t largest = std::int64_t(1) << 53;
      ParseInteger(this->GetPath(), name, value, -1, name == "CompressedDataSize" ? largest : (1 << 30));
    }
    else if (kind != ValueKind::Text)
    {
      this->CheckNumbers(name, kind, SplitWords(value));
    }
    if (name == "NDims")
    {
      constexpr std::int64_t largest = 5;
      m_Axes = static_cast<std::size_t>(ParseInteger(this->GetPath(), name, value, 1, largest));
    }
  }

  void
  CheckNumbers(const std::string & name, ValueKind kind, const std::vector<std::string> & words) const
  {
    std::size_t count = kind == ValueKind::Color ? 4 : 1;
    if (kind == ValueKind::Vector || kind == ValueKind::Matrix)
    {
      if (m_Axes == 0)
      {
        RefuseInput(this->GetPath(), name + " comes before NDims, on which its length depends");
      }
      count = kind == ValueKind::Vector ? m_Axes : m_Axes * m_Axes;
    }
    if (words.size() != count)
    {
      RefuseField(
        this->GetPath(), "the count of numbers of " + name, words.size(), "it must be " + std::to_string(count));
    }
    for (const std::string & word : words)
    {
      const double number = ParseNumber(this->GetPath(), name, word);
      if (name == "ElementSpacing" || name == "ElementSize")
      {
        CheckSpacing(this->GetPath(), name, number);
      }
      else
      {
        CheckCoordinate(this->GetPath(), name, number);
      }
    }
  }

  std::size_t m_Axes = 0;
};

/** The size in bytes and the range of a type of numbers in a file. */
struct NumberType
{
  std::uint64_t bytes;
  double        smallest;
  double        largest;
};

NumberType
TypeOf(const Header & header)
{
  constexpr double                               infinity = std::numeric_limits<double>::infinity();
  static const std::map<std::string, NumberType> types{
    { "MET_CHAR", { 1, -128.0, 127.0 } },
    { "MET_UCHAR", { 1, 0.0, 255.0 } },
    { "MET_SHORT", { 2, -32768.0, 32767.0 } },
    { "MET_USHORT", { 2, 0.0, 65535.0 } },
    { "MET_INT", { 4, -2147483648.0, 2147483647.0 } },
    { "MET_UINT", { 4, 0.0, 4294967295.0 } },
    { "MET_LONG", { 4, -2147483648.0, 2147483647.0 } },
    { "MET_ULONG", { 4, 0.0, 4294967295.0 } },
    { "MET_LONG_LONG", { 8, -9223372036854774784.0, 9223372036854774784.0 } },
    { "MET_ULONG_LONG", { 8, 0.0, 18446744073709549568.0 } },
    { "MET_FLOAT", { 4, -std::numeric_limits<float>::max(), std::numeric_limits<float>::max() } },
    { "MET_DOUBLE", { 8, -infinity, infinity } },
  };
  const std::string name = header.Get("ElementType");
  const auto        found = types.find(name);
  if (found == types.end())
  {
    RefuseField(header.GetPath(), "ElementType", '"' + name + '"', "it must be a type of one number, like MET_FLOAT");
  }
  return found->second;
}

void
CheckUnscaled(const Header & header)
{
  const std::string slope = header.Get("ElementToIntensityFunctionSlope", "1");
  const std::string offset = header.Get("ElementToIntensityFunctionOffset", "0");
  if (ParseNumber(header.GetPath(), "slope", slope) != 1.0 || ParseNumber(header.GetPath(), "offset", offset) != 0.0)
  {
    RefuseInput(header.GetPath(),
                "ElementToIntensityFunctionSlope and Offset are " + slope + " and " + offset +
                  "; scaled intensities are read from NIfTI files only");
  }
}

/** Checks that a file has enough numbers as text. */
void
CheckNumbersOfText(const std::string & path, std::uint64_t offset, std::uint64_t count, const NumberType & type)
{
  const std::uint64_t     size = CheckRegularFile(path);
  const std::vector<char> text = ReadBytes(path, offset, size - std::min(size, offset));
  std::istringstream      stream(std::string(text.begin(), text.end()));
  std::uint64_t           found = 0;
  for (std::string word; found < count && stream >> word; ++found)
  {
    const double value = ParseNumber(path, "a voxel", word);
    if (!(value >= type.smallest && value <= type.largest))
    {
      RefuseField(path, "a voxel", value, "this is outside the range of its ElementType");
    }
  }
  if (found < count)
  {
    RefuseInput(path, "it is cut short; there are " + std::to_string(found) + " numbers of " + std::to_string(count));
  }
}

std::string
DataPathOf(const Header & header)
{
  const std::string name = header.Get("ElementDataFile");
  if (Lower(name) == "local")
  {
    return header.GetPath();
  }
  return header.GetDataPath("ElementDataFile", name, "it must be LOCAL or the name of one file");
}

/** \return the check of the voxels, which decompresses them */
std::function<void()>
CheckCompressed(const Header & header, const InputImage & image)
{
  const bool          isLocal = image.dataPath == header.GetPath();
  const std::uint64_t size = CheckRegularFile(image.dataPath, header.GetPath());
  const std::uint64_t offset = isLocal ? header.GetBytes() : 0;
  const auto          announced = static_cast<std::uint64_t>(
    std::max<std::int64_t>(0, header.GetInteger("CompressedDataSize", 0, -1, std::int64_t(1) << 53)));
  if ((isLocal && announced == 0) || header.Get("HeaderSize", "0") != "0" || !header.IsTrue("BinaryData"))
  {
    RefuseInput(header.GetPath(),
                "its voxels are compressed, for which BinaryData must be True, CompressedDataSize be given, and "
                "HeaderSize be 0");
  }
  const std::uint64_t bytes = announced > 0 ? announced : size;
  RequireBytes(image.dataPath, size, offset, bytes);
  CheckRatio(image.dataPath, bytes, image.bytes);
  return [path = image.dataPath, offset, bytes, voxelBytes = image.bytes] {
    CheckInflated(path, ReadBytes(path, offset, bytes), voxelBytes);
  };
}

/** The offset of voxels that are not compressed. */
std::uint64_t
OffsetOf(const Header & header, const InputImage & image)
{
  const std::int64_t  headerSize = header.GetInteger("HeaderSize", 0, -1, 1 << 30);
  const std::uint64_t size = CheckRegularFile(image.dataPath, header.GetPath());
  if (headerSize == -1)
  {
    return size - std::min(size, image.bytes);
  }
  const bool isLocal = image.dataPath == header.GetPath();
  return headerSize > 0 ? static_cast<std::uint64_t>(headerSize) : isLocal ? header.GetBytes() : 0;
}

void
CheckVoxels(const Header & header, InputImage & image, const NumberType & type, std::uint64_t channels)
{
  if (header.IsTrue("CompressedData"))
  {
    image.checkVoxels = CheckCompressed(header, image);
    return;
  }
  image.offset = OffsetOf(header, image);
  if (!header.IsTrue("BinaryData"))
  {
    if (channels != 1)
    {
      RefuseField(header.GetPath(), "ElementNumberOfChannels", channels, "it must be 1 where BinaryData is False");
    }
    image.checkVoxels = [path = image.dataPath, offset = image.offset, count = image.bytes / type.bytes, type] {
      CheckNumbersOfText(path, offset, count, type);
    };
    return;
  }
  const std::uint64_t size = CheckRegularFile(image.dataPath, header.GetPath());
  RequireBytes(image.dataPath, size, image.offset, image.bytes);
}

} // namespace

InputImage
CheckMetaImage(const std::string & path)
{
  const Header header(path);
  if (header.Get("ObjectType", "Image") != "Image")
  {
    RefuseField(path, "ObjectType", '"' + header.Get("ObjectType") + '"', "it must be Image");
  }
  constexpr std::int64_t mostChannels = 16;
  const NumberType       type = TypeOf(header);
  const auto channels = static_cast<std::uint64_t>(header.GetInteger("ElementNumberOfChannels", 1, 1, mostChannels));
  std::vector<std::uint64_t> factors{ type.bytes, channels };
  for (const std::string & size : SplitWords(header.Get("DimSize")))
  {
    factors.push_back(
      static_cast<std::uint64_t>(ParseInteger(path, "DimSize", size, 1, std::numeric_limits<std::int32_t>::max())));
  }
  if (factors.size() == 2)
  {
    RefuseInput(path, "its header has no DimSize");
  }
  CheckUnscaled(header);

  InputImage image;
  image.format = ImageFormat::MetaImage;
  image.headerPath = path;
  image.dataPath = DataPathOf(header);
  image.bytes = SaturatedProduct(factors);
  CheckVoxels(header, image, type, channels);
  return image;
}
