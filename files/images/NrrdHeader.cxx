// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/NrrdHeader.h"

#include "files/input/GzipFile.h"
#include "files/input/TextHeader.h"

#include <algorithm>
#include <map>
#include <vector>

namespace
{

// ITK's reader writes messages with whole lines to a buffer of 1025 bytes.
constexpr std::size_t longestLine = 400;

/** How a field is checked. */
enum class FieldKind
{
  Text,
  /** Numbers of axes, which may be nan. */
  Numbers,
  /** Distances of voxels along axes, which may be nan. */
  Spacings,
  /** Vectors as (1,0,0), or none. */
  Vectors
};

const std::map<std::string, FieldKind> &
KnownFields()
{
  static const std::map<std::string, FieldKind> fields{
    { "axis maxs", FieldKind::Numbers },
    { "axis mins", FieldKind::Numbers },
    { "byte skip", FieldKind::Text },
    { "centers", FieldKind::Text },
    { "content", FieldKind::Text },
    { "data file", FieldKind::Text },
    { "dimension", FieldKind::Text },
    { "encoding", FieldKind::Text },
    { "endian", FieldKind::Text },
    { "kinds", FieldKind::Text },
    { "labels", FieldKind::Text },
    { "line skip", FieldKind::Text },
    { "measurement frame", FieldKind::Vectors },
    { "number", FieldKind::Text },
    { "old max", FieldKind::Numbers },
    { "old min", FieldKind::Numbers },
    { "sample units", FieldKind::Text },
    { "sizes", FieldKind::Text },
    { "space", FieldKind::Text },
    { "space dimension", FieldKind::Text },
    { "space directions", FieldKind::Vectors },
    { "space origin", FieldKind::Vectors },
    { "space units", FieldKind::Text },
    { "spacings", FieldKind::Spacings },
    { "thicknesses", FieldKind::Numbers },
    { "type", FieldKind::Text },
    { "units", FieldKind::Text },
  };
  return fields;
}

/** The name by which a field is known here: the format has several names for some fields. */
std::string
CanonicalName(const std::string & name)
{
  static const std::map<std::string, std::string> others{
    { "axismaxs", "axis maxs" }, { "axismins", "axis mins" }, { "byteskip", "byte skip" },
    { "centerings", "centers" }, { "datafile", "data file" }, { "lineskip", "line skip" },
    { "oldmax", "old max" },     { "oldmin", "old min" },     { "sampleunits", "sample units" },
  };
  const std::string lower = Lower(name);
  const auto        found = others.find(lower);
  return found == others.end() ? lower : found->second;
}

class Header : public TextHeader
{
public:
  explicit Header(const std::string & path)
    : TextHeader(path)
  {
    const std::vector<char> start = this->ReadHeader();
    auto                    at = start.begin();
    bool                    isEnd = false;
    for (bool isFirst = true; !isEnd; isFirst = false)
    {
      const auto end = std::find(at, start.end(), '\n');
      if (end == start.end() && start.size() == largestHeader)
      {
        RefuseInput(this->GetPath(), "its header does not end, with an empty line");
      }
      std::string line(at, end);
      if (!line.empty() && line.back() == '\r')
      {
        line.pop_back();
      }
      isEnd = line.empty() || end == start.end();
      this->AddLine(line, isFirst);
      at = end == start.end() ? end : end + 1;
    }
    this->SetBytes(static_cast<std::uint64_t>(at - start.begin()));
  }

  std::string
  GetRequired(const std::string & field) const
  {
    const std::string value = this->Get(field);
    return value.empty() ? (RefuseInput(this->GetPath(), "its header has no \"" + field + '"'), value) : value;
  }

private:
  void
  AddLine(const std::string & line, bool isFirst)
  {
    if (isFirst)
    {
      const bool isKnown = line.size() == 8 && line.rfind("NRRD000", 0) == 0 && line[7] >= '1' && line[7] <= '5';
      if (!isKnown)
      {
        RefuseInput(this->GetPath(), "its first line is none of NRRD0001 to NRRD0005");
      }
      return;
    }
    if (line.size() > longestLine)
    {
      RefuseField(this->GetPath(),
                  "the length of the line \"" + line.substr(0, 20) + "...\"",
                  line.size(),
                  "it must be 400 characters at the most");
    }
    const bool isText = std::all_of(line.begin(), line.end(), [](unsigned char c) { return c >= ' ' || c == '\t'; });
    if (!isText)
    {
      RefuseInput(this->GetPath(), "its header has a line that is no text");
    }
    const std::size_t colon = line.find(':');
    const bool        isOfKeys = colon != std::string::npos && colon + 1 < line.size() && line[colon + 1] == '=';
    if (line.empty() || line[0] == '#' || isOfKeys)
    {
      return;
    }
    if (colon == std::string::npos || colon + 1 >= line.size() || line[colon + 1] != ' ')
    {
      RefuseInput(this->GetPath(), "its header has a line that is no \"name: value\"");
    }
    this->AddField(CanonicalName(line.substr(0, colon)), Trimmed(line.substr(colon + 1)));
  }

  void
  AddField(const std::string & name, const std::string & value)
  {
    const auto known = KnownFields().find(name);
    if (known == KnownFields().end() || value.empty())
    {
      RefuseInput(this->GetPath(),
                  "its header has the field \"" + name + "\", which is not known here, or has no value");
    }
    std::string numbers = value;
    if (known->second == FieldKind::Vectors)
    {
      std::replace_if(
        numbers.begin(), numbers.end(), [](char c) { return c == '(' || c == ')' || c == ','; }, ' ');
    }
    for (const std::string & word : known->second == FieldKind::Text ? std::vector<std::string>() : SplitWords(numbers))
    {
      const std::string lower = Lower(word);
      if (known->second == FieldKind::Vectors ? lower == "none" : lower == "nan")
      {
        continue;
      }
      const double number = ParseNumber(this->GetPath(), '"' + name + '"', word);
      known->second == FieldKind::Spacings ? CheckSpacing(this->GetPath(), '"' + name + '"', number)
                                           : CheckCoordinate(this->GetPath(), '"' + name + '"', number);
    }
    if (!this->Add(name, value))
    {
      RefuseInput(this->GetPath(), "its header has \"" + name + "\" twice");
    }
  }
};

std::uint64_t
BytesOfType(const Header & header)
{
  static const std::map<std::string, std::uint64_t> types{
    { "signed char", 1 },
    { "int8", 1 },
    { "int8_t", 1 },
    { "uchar", 1 },
    { "unsigned char", 1 },
    { "uint8", 1 },
    { "uint8_t", 1 },
    { "short", 2 },
    { "short int", 2 },
    { "signed short", 2 },
    { "signed short int", 2 },
    { "int16", 2 },
    { "int16_t", 2 },
    { "ushort", 2 },
    { "unsigned short", 2 },
    { "unsigned short int", 2 },
    { "uint16", 2 },
    { "uint16_t", 2 },
    { "int", 4 },
    { "signed int", 4 },
    { "int32", 4 },
    { "int32_t", 4 },
    { "uint", 4 },
    { "unsigned int", 4 },
    { "uint32", 4 },
    { "uint32_t", 4 },
    { "float", 4 },
    { "double", 8 },
    { "longlong", 8 },
    { "long long", 8 },
    { "long long int", 8 },
    { "signed long long", 8 },
    { "signed long long int", 8 },
    { "int64", 8 },
    { "int64_t", 8 },
    { "ulonglong", 8 },
    { "unsigned long long", 8 },
    { "unsigned long long int", 8 },
    { "uint64", 8 },
    { "uint64_t", 8 },
  };
  const std::string type = header.GetRequired("type");
  const auto        found = types.find(Lower(type));
  if (found == types.end())
  {
    RefuseField(header.GetPath(), "\"type\"", '"' + type + '"', "it must be a type of one number, like float");
  }
  return found->second;
}

std::uint64_t
BytesOfVoxels(const Header & header)
{
  const std::string &    path = header.GetPath();
  constexpr std::int64_t mostAxes = 5;
  const auto             axes = ParseInteger(path, "\"dimension\"", header.GetRequired("dimension"), 1, mostAxes);
  const std::vector<std::string> sizes = SplitWords(header.GetRequired("sizes"));
  if (static_cast<std::int64_t>(sizes.size()) != axes)
  {
    RefuseField(path, "the count of \"sizes\"", sizes.size(), "\"dimension\" is " + std::to_string(axes));
  }
  std::vector<std::uint64_t> factors{ BytesOfType(header) };
  for (const std::string & size : sizes)
  {
    factors.push_back(static_cast<std::uint64_t>(ParseInteger(path, "\"sizes\"", size, 1, 0x7fffffff)));
  }
  const std::string endian = Lower(header.Get("endian"));
  if (endian != "little" && endian != "big" && (!endian.empty() || factors[0] > 1))
  {
    RefuseField(path, "\"endian\"", '"' + endian + '"', "it must be little or big");
  }
  return SaturatedProduct(factors);
}

/** The offset of the voxels in the file of the data. */
std::uint64_t
OffsetOf(const Header & header, const InputImage & image, std::uint64_t size)
{
  const std::int64_t skip = ParseInteger(header.GetPath(), "\"byte skip\"", header.Get("byte skip", "0"), -1, 1 << 30);
  if (skip == -1)
  {
    return size - std::min(size, image.bytes);
  }
  return static_cast<std::uint64_t>(skip) + (image.dataPath == header.GetPath() ? header.GetBytes() : 0);
}

} // namespace

InputImage
CheckNrrd(const std::string & path)
{
  const Header header(path);
  InputImage   image;
  image.format = ImageFormat::Nrrd;
  image.headerPath = path;
  const std::string dataFile = header.Get("data file");
  image.dataPath =
    dataFile.empty() ? path : header.GetDataPath("\"data file\"", dataFile, "it must be the name of one file");
  image.bytes = BytesOfVoxels(header);

  const std::uint64_t size = CheckRegularFile(image.dataPath, header.GetPath());
  const std::string   encoding = Lower(header.GetRequired("encoding"));
  const bool          isGzip = encoding == "gzip" || encoding == "gz";
  if (!isGzip && encoding != "raw")
  {
    RefuseField(path, "\"encoding\"", '"' + encoding + '"', "it must be raw or gzip");
  }
  if (header.Get("line skip", "0") != "0" || (isGzip && header.Get("byte skip", "0") != "0"))
  {
    RefuseInput(path, "it skips lines, or bytes of compressed data, which is not done here");
  }
  image.offset = OffsetOf(header, image, size);
  if (isGzip)
  {
    CheckRatio(image.dataPath, size, image.bytes);
    image.checkVoxels = [path = image.dataPath, offset = image.offset, size, bytes = image.bytes] {
      CheckInflated(path, ReadBytes(path, offset, size - std::min(size, offset)), bytes);
    };
  }
  else
  {
    RequireBytes(image.dataPath, size, image.offset, image.bytes);
  }
  return image;
}
