// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/FormatReaders.h"

#include "files/base/Errors.h"
#include "files/images/VoxelFiles.h"
#include "files/input/HeaderLines.h"
#include "files/system/SystemFile.h"
#include "itkIOCommon.h"
#include "itkMetaDataObject.h"
#include "itkMetaImageIO.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace cudaneuro::files
{

namespace
{

/** The fields of a header, in which the last line of a name counts. */
using Fields = std::map<std::string, std::string>;

/** Whether MetaIO's buffers hold a name and a value. */
bool
FitsBuffers(const std::string & name, const std::string & value)
{
  static const std::set<std::string> shortFields{ "AcquisitionDate", "Comment", "Name", "ObjectSubType", "ObjectType" };
  constexpr std::size_t              longestShort = 254;
  constexpr std::size_t              longest = 32766;
  return name.size() <= longestShort && value.size() <= (shortFields.count(name) > 0 ? longestShort : longest);
}

/** Reads the lines up to that of ElementDataFile. */
Fields
ReadFields(HeaderLines & lines)
{
  Fields fields;
  for (std::string line; fields.count("ElementDataFile") == 0;)
  {
    if (!lines.Take(line))
    {
      RefuseInput(lines.GetPath(), "its header has no ElementDataFile, with which it ends");
    }
    const std::size_t separator = line.find_first_of("=:");
    const std::string name = Trimmed(line.substr(0, separator));
    if (separator == std::string::npos || name.empty())
    {
      Trimmed(line).empty() ? void() : lines.Refuse(line, "it must be \"name = value\"");
      continue;
    }
    const std::string value = Trimmed(line.substr(separator + 1));
    if (!FitsBuffers(name, value))
    {
      lines.Refuse(
        line, "ITK's reader has room for names, comments and texts of 254 characters, and for other values of 32766");
    }
    fields[name] = value;
  }
  return fields;
}

std::string
Get(const Fields & fields, const std::string & name, const std::string & absent = "")
{
  const auto found = fields.find(name);
  return found == fields.end() || found->second.empty() ? absent : found->second;
}

/** Whether MetaIO takes a field for true. */
bool
IsTrue(const Fields & fields, const std::string & name, const char * absent)
{
  return std::string("Tt1").find(Get(fields, name, absent)[0]) != std::string::npos;
}

/** The first number of a field. */
std::int64_t
IntegerOf(const std::string & path,
          const Fields &      fields,
          const std::string & name,
          const std::string & absent,
          std::int64_t        smallest,
          std::int64_t        largest)
{
  return ParseInteger(path, name, SplitWords(Get(fields, name, absent))[0], smallest, largest);
}

/** Checks that fields of numbers have as many as MetaIO reads: it would go on to read in the next line. */
void
CheckNumbers(const std::string & path, const Fields & fields, std::size_t axes)
{
  std::map<std::string, std::size_t> counts{ { "Color", 4 }, { "ElementMax", 1 }, { "ElementMin", 1 } };
  for (const char * const name : { "CenterOfRotation",
                                   "DimSize",
                                   "ElementSize",
                                   "ElementSpacing",
                                   "ImagePosition",
                                   "Offset",
                                   "Origin",
                                   "Position",
                                   "SequenceID" })
  {
    counts[name] = axes;
  }
  for (const char * const name : { "Orientation", "Rotation", "TransformMatrix" })
  {
    counts[name] = axes * axes;
  }
  for (const auto & [name, value] : fields)
  {
    const std::size_t count = counts[name];
    const auto        words = SplitWords(value);
    if (words.size() < count)
    {
      RefuseField(path, "the count of numbers of " + name, words.size(), "it must be " + std::to_string(count));
    }
    for (std::size_t i = 0; i < count; ++i)
    {
      ParseNumber(path, name, words[i]);
    }
  }
}

/** The files of "LIST", whose names are in the lines after it; with a number, that of the axes that a file has. */
std::vector<std::string>
ListedFiles(HeaderLines & lines, const std::string & list, const std::vector<std::uint64_t> & sizes)
{
  const std::size_t axes = sizes.size();
  const auto        words = SplitWords(list);
  // MetaIO's documentation has "LIST 2D".
  const std::string digits = words.size() < 2 ? "0" : words[1].substr(0, words[1].find_first_of("Dd"));
  const auto        announced =
    static_cast<std::size_t>(ParseInteger(lines.GetPath(), "the number after LIST", digits, 0, 10));
  const std::size_t   axesOfFile = announced == 0 || announced > axes ? axes - 1 : announced;
  const std::uint64_t count =
    SaturatedProduct({ sizes.begin() + static_cast<std::ptrdiff_t>(axesOfFile), sizes.end() });
  std::vector<std::string> names;
  for (std::string line; names.size() < count && lines.Take(line) && !Trimmed(line).empty();)
  {
    names.push_back(Trimmed(line));
  }
  if (names.size() < count)
  {
    RefuseField(lines.GetPath(), "the count of files after LIST", names.size(), "it must be " + std::to_string(count));
  }
  if (lines.IsEnd())
  {
    RefuseInput(lines.GetPath(),
                "ITK's reader leaves out the last file of LIST, since there is no end of line after its name; add one");
  }
  return names;
}

/** The files of a pattern, after which the first number, the last and the step may stand. */
std::vector<std::string>
PatternFiles(const std::string & path, const std::string & text, std::int64_t slices)
{
  const auto                words = SplitWords(text);
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 1; i < words.size(); ++i)
  {
    numbers.push_back(ParseInteger(path, "a number of ElementDataFile", words[i], -(1 << 30), 1 << 30));
  }
  constexpr std::size_t longest = 79;
  if (numbers.size() == 2 || numbers.size() > 3 || words[0].size() > longest)
  {
    RefuseField(path,
                "ElementDataFile",
                '"' + Printable(text) + '"',
                "it must be a pattern of up to 79 characters, alone, with the first number, or with the first, the "
                "last and the step");
  }
  const std::int64_t first = numbers.empty() ? 1 : numbers[0];
  const std::int64_t step = numbers.size() > 2 ? numbers[2] : 1;
  const std::int64_t last = numbers.size() > 1 ? numbers[1] : first + (slices - 1);
  return NamesOfPattern(path, words[0], first, last, step, static_cast<std::uint64_t>(slices));
}

VoxelFiles
FilesOf(HeaderLines & lines, const Fields & fields, const std::vector<std::uint64_t> & sizes)
{
  constexpr std::int64_t largest = std::int64_t(1) << 53;
  const std::string &    path = lines.GetPath();
  const std::string      name = Get(fields, "ElementDataFile");
  const bool             isLocal = Lower(name) == "local";
  VoxelFiles             files;
  files.headerPath = path;
  files.encoding = !IsTrue(fields, "BinaryData", "T")      ? VoxelEncoding::Text
                   : IsTrue(fields, "CompressedData", "F") ? VoxelEncoding::Deflated
                                                           : VoxelEncoding::Raw;
  files.paths = isLocal                      ? std::vector<std::string>{ path }
                : name.rfind("LIST", 0) == 0 ? ListedFiles(lines, name, sizes)
                : name.find('%') != std::string::npos
                  ? PatternFiles(path, name, static_cast<std::int64_t>(sizes.back()))
                  : std::vector<std::string>{ name };
  for (std::string & file : files.paths)
  {
    file = isLocal ? file : BesideHeader(path, file);
    std::error_code error; // of names that are too long, for example
    if (files.paths.size() == 1 && !std::filesystem::exists(ToPath(file), error) &&
        std::filesystem::exists(ToPath(file + ".gz"), error))
    {
      file += ".gz";
      files.encoding = VoxelEncoding::Deflated;
    }
  }
  const std::int64_t headerSize = IntegerOf(path, fields, "HeaderSize", "0", -1, largest);
  files.offset = headerSize > 0               ? static_cast<std::uint64_t>(headerSize)
                 : isLocal && headerSize == 0 ? lines.GetPosition()
                                              : 0;
  if (files.encoding == VoxelEncoding::Deflated)
  {
    files.compressedBytes = static_cast<std::uint64_t>(IntegerOf(path, fields, "CompressedDataSize", "0", 0, largest));
    if (headerSize != 0 || (isLocal && files.compressedBytes == 0))
    {
      RefuseInput(path,
                  "its voxels are compressed, for which HeaderSize must be 0, and CompressedDataSize be given where "
                  "they are in the same file");
    }
  }
  return files;
}

void
WarnOfScaling(const std::string & path, const Fields & fields)
{
  for (const auto & [name, none] : std::map<std::string, std::string>{ { "ElementToIntensityFunctionSlope", "1" },
                                                                       { "ElementToIntensityFunctionOffset", "0" } })
  {
    const std::string value = Get(fields, name, none);
    if (ParseNumber(path, name, value) != ParseNumber(path, name, none))
    {
      Warn(path + ": " + name + " is " + value +
           ", and is not applied, as ITK does: voxels are taken as they are stored");
    }
  }
}

/** Puts MetaIO's own fields where ITK's writer finds them; it reads units of length of its own accord. */
void
KeepFields(const Fields & fields, itk::MetaDataDictionary & metadata)
{
  for (const char * const name : { "Color", "Comment", "ID", "Modality", "Name", "ParentID" })
  {
    if (const std::string value = Get(fields, name); !value.empty())
    {
      itk::EncapsulateMetaData<std::string>(metadata, name, value);
    }
  }
  if (metadata.HasKey(itk::ITK_VoxelUnits))
  {
    itk::EncapsulateMetaData<std::string>(metadata, itk::ITK_VoxelUnits, "mm");
  }
}

} // namespace

bool
FitsMetaImage(const std::string & key, const std::string & value)
{
  static const auto ownFields =
    SplitWords("AnatomicalOrientation BinaryData BinaryDataByteOrderMSB CenterOfRotation CompressedData "
               "CompressedDataSize DimSize DistanceUnits ElementByteOrderMSB ElementDataFile ElementMax ElementMin "
               "ElementNumberOfChannels ElementSize ElementSpacing ElementType HeaderSize ImagePosition NDims "
               "ObjectSubType ObjectType Offset Orientation Origin Position Rotation SequenceID TransformMatrix");
  return std::find(ownFields.begin(), ownFields.end(), key) == ownFields.end() && FitsBuffers(key, value) &&
         key.find_first_of("=:\r\n") == std::string::npos && value.find_first_of("\r\n") == std::string::npos;
}

itk::ImageIOBase::Pointer
OpenMetaImage(const std::string & path)
{
  HeaderLines  lines(path);
  const Fields fields = ReadFields(lines);
  // MetaIO has arrays for ten axes.
  const auto axes = static_cast<std::size_t>(IntegerOf(path, fields, "NDims", "0", 1, 10));
  CheckNumbers(path, fields, axes);
  const auto channels = static_cast<std::uint64_t>(IntegerOf(path, fields, "ElementNumberOfChannels", "1", 1, 1 << 16));
  std::vector<std::uint64_t> sizes;
  for (const std::string & size : SplitWords(Get(fields, "DimSize")))
  {
    constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
    sizes.push_back(static_cast<std::uint64_t>(ParseInteger(path, "DimSize", size, 1, largest)));
  }
  if (sizes.size() != axes)
  {
    RefuseField(path, "the count of numbers of DimSize", sizes.size(), "it must be " + std::to_string(axes));
  }
  WarnOfScaling(path, fields);
  const VoxelFiles files = FilesOf(lines, fields, sizes);
  if (files.encoding == VoxelEncoding::Text && channels > 1)
  {
    RefuseField(path, "ElementNumberOfChannels", channels, "it must be 1 where BinaryData is False");
  }
  const auto io = CheckedImageIO<itk::MetaImageIO>::New();
  io->SetFileName(path);
  io->files = files;
  io->correct = [fields](itk::ImageIOBase & reader) {
    ConvertToMillimeters(reader, { Get(fields, "DistanceUnits") });
    KeepFields(fields, reader.GetMetaDataDictionary());
  };
  CallToRead(path, [&] { io->ReadImageInformation(); });
  return io.GetPointer();
}

} // namespace cudaneuro::files
