// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/FormatReaders.h"

#include "files/base/Errors.h"
#include "files/images/NrrdFileIO.h"
#include "files/input/HeaderLines.h"
#include "itkMetaDataObject.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <map>
#include <set>

namespace cudaneuro::files
{

namespace
{

/** The fields of a header by their names in lower case without spaces, with which the format allows most of them to be
 * written. Comments, and pairs of keys and values of any length, are ITK's. */
struct Header
{
  std::string                        path;
  std::uint64_t                      bytes = 0;
  std::map<std::string, std::string> fields;
  std::vector<std::string>           listedFiles;

  std::string
  Get(const std::string & field) const
  {
    const auto found = fields.find(field);
    return found == fields.end() ? "" : found->second;
  }
  std::int64_t
  GetInteger(const std::string & field, std::int64_t smallest, std::int64_t largest) const
  {
    const std::string value = this->Get(field);
    return ParseInteger(path, '"' + field + '"', value.empty() ? "0" : value, smallest, largest);
  }
};

Header
ReadHeader(const std::string & path)
{
  // ITK's reader formats messages with whole lines in a buffer of 1025 bytes.
  constexpr std::size_t longest = 800;
  HeaderLines           lines(path);
  Header                header;
  header.path = path;
  const auto isList = [&] { return header.Get("datafile").rfind("LIST", 0) == 0; };
  for (std::string line; lines.Take(line) && (!line.empty() || isList());)
  {
    if (line.empty())
    {
      lines.Refuse(line, "ITK's reader takes it for the name of a data file; the list must end with the last name");
    }
    const std::size_t separator = std::min(line.find(": "), line.find(":="));
    const bool        isOfItk = line[0] == '#' || (separator < line.size() && line[separator + 1] == '=');
    if (!isOfItk && line.size() > longest)
    {
      lines.Refuse(line,
                   "ITK's reader has room for lines of 800 characters, but for comments and pairs \"key:=value\"");
    }
    if (isList())
    {
      header.listedFiles.push_back(line);
    }
    else if (!isOfItk && separator != std::string::npos)
    {
      header.fields[Replaced(Lower(line.substr(0, separator)), " ", "")] = Trimmed(line.substr(separator + 1));
    }
  }
  header.bytes = lines.GetPosition();
  return header;
}

/** The number of slices along all axes but the first, after a check of the sizes: ITK's reader cuts those of 2^32 and
 * more without a word, and its parser writes one number beyond its array of sixteen.
 */
std::uint64_t
CountSlices(const Header & header)
{
  constexpr std::size_t      mostAxes = 15;
  std::vector<std::uint64_t> slices;
  const auto                 sizes = SplitWords(header.Get("sizes"));
  for (const std::string & size : sizes)
  {
    slices.push_back(static_cast<std::uint64_t>(ParseInteger(header.path, "\"sizes\"", size, 1, 0x7fffffff)));
  }
  if (slices.empty() || slices.size() > mostAxes)
  {
    RefuseField(header.path, "the count of \"sizes\"", slices.size(), "it must be from 1 to 15");
  }
  slices[0] = 1;
  return SaturatedProduct(slices);
}

/** The files of "data file": one, a list in the lines after it, or a pattern with the first number, the last and the
 * step. */
std::vector<std::string>
DataFiles(const Header & header, std::uint64_t most)
{
  const std::string field = header.Get("datafile");
  if (field.empty())
  {
    return { header.path };
  }
  const auto               words = SplitWords(field);
  std::vector<std::string> names{ field };
  if (words[0] == "LIST")
  {
    names = header.listedFiles;
  }
  else if (field.find('%') != std::string::npos)
  {
    std::int64_t numbers[3] = {};
    for (std::size_t i = 0; i < 3; ++i)
    {
      const std::string word = i + 1 < words.size() ? words[i + 1] : "";
      numbers[i] = ParseInteger(header.path, "a number of \"data file\"", word, -(1 << 30), 1 << 30);
    }
    names = NamesOfPattern(header.path, words[0], numbers[0], numbers[1], numbers[2], most);
  }
  if (names.empty())
  {
    RefuseInput(header.path, "\"data file\" lists no files");
  }
  std::transform(
    names.begin(), names.end(), names.begin(), [&](auto & name) { return BesideHeader(header.path, name); });
  return names;
}

/** The offset after some lines of a file. */
std::uint64_t
AfterLines(const std::string & path, const std::string & headerPath, std::uint64_t offset, std::int64_t lines)
{
  const std::uint64_t size = CheckRegularFile(path, headerPath);
  std::ifstream       file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset));
  for (std::int64_t i = 0; i < lines && file; ++i)
  {
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return file ? static_cast<std::uint64_t>(file.tellg()) : size;
}

VoxelFiles
FilesOf(const Header & header)
{
  static const std::map<std::string, VoxelEncoding> encodings{
    { "raw", VoxelEncoding::Raw },         { "gzip", VoxelEncoding::Deflated }, { "gz", VoxelEncoding::Deflated },
    { "text", VoxelEncoding::Text },       { "txt", VoxelEncoding::Text },      { "ascii", VoxelEncoding::Text },
    { "hex", VoxelEncoding::Hexadecimal },
  };
  const auto encoding = encodings.find(Lower(header.Get("encoding")));
  if (encoding == encodings.end())
  {
    RefuseField(header.path,
                "\"encoding\"",
                '"' + Printable(header.Get("encoding")) + '"',
                "it must be raw, gzip, ascii or hex; \"unu save -f nrrd -e gzip\" of Teem writes it so");
  }
  VoxelFiles files;
  files.headerPath = header.path;
  files.encoding = encoding->second;
  files.isNrrd = true;
  files.paths = DataFiles(header, CountSlices(header));
  constexpr std::int64_t largest = std::int64_t(1) << 53;
  const std::int64_t     bytes = header.GetInteger("byteskip", -1, largest);
  const std::int64_t     lines = header.GetInteger("lineskip", 0, 1 << 30);
  const bool             isDeflated = files.encoding == VoxelEncoding::Deflated;
  if (bytes == -1 && files.encoding != VoxelEncoding::Raw)
  {
    RefuseInput(
      header.path,
      "its \"byte skip\" is -1, which stands for all bytes before the voxels, and they are not raw; \"unu save -f "
      "nrrd -e raw\" of Teem writes it so");
  }
  const std::uint64_t skipped = static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0));
  files.skippedBytes = isDeflated ? skipped : 0;
  const std::uint64_t begin = header.Get("datafile").empty() ? header.bytes : 0;
  files.offset =
    bytes == -1 ? 0 : SaturatedSum(AfterLines(files.paths[0], header.path, begin, lines), isDeflated ? 0 : skipped);
  return files;
}

/** The signs of the coordinates of a space among those of ITK, which go to the left, posterior and superior. */
using SpaceSigns = std::array<double, 3>;

SpaceSigns
SignsOf(const Header & header)
{
  static const std::map<std::string, SpaceSigns> spaces{
    { "right-anterior-superior", { -1.0, -1.0, 1.0 } },
    { "ras", { -1.0, -1.0, 1.0 } },
    { "left-anterior-superior", { 1.0, -1.0, 1.0 } },
    { "las", { 1.0, -1.0, 1.0 } },
    { "left-posterior-superior", { 1.0, 1.0, 1.0 } },
    { "lps", { 1.0, 1.0, 1.0 } },
    { "", { 1.0, 1.0, 1.0 } },
  };
  static const std::set<std::string> withoutBody{ "scanner-xyz", "3d-right-handed", "3d-left-handed" };
  const std::string                  space = header.Get("space");
  std::string                        name = Replaced(Lower(space), "-time", "");
  if (name == "rast" || name == "last" || name == "lpst" || name == "scanner-xyzt")
  {
    name.pop_back(); // also time
  }
  if (withoutBody.count(name) > 0)
  {
    WarnOnce(header.path,
             { "its space is " + space +
               ", which names no directions of the body; it is taken for left-posterior-superior, as by ITK" });
    name = "lps";
  }
  const auto found = spaces.find(name);
  if (found == spaces.end())
  {
    RefuseField(
      header.path,
      "\"space\"",
      '"' + Printable(space) + '"',
      "NRRD has right-anterior-superior, left-anterior-superior and left-posterior-superior; turn the signs and the "
      "order of the vectors' numbers to one of them");
  }
  return found->second;
}

/** The vectors of a field along the axes of ITK, if there are as many of as many numbers as are expected. */
std::vector<std::vector<double>>
VectorsOf(
  const Header & header, const std::string & field, const SpaceSigns & signs, std::size_t count, std::size_t axes)
{
  const std::string                text = header.Get(field);
  std::vector<std::vector<double>> vectors;
  bool                             isWhole = true;
  for (std::size_t at = text.find('('); at != std::string::npos; at = text.find('(', at + 1))
  {
    vectors.emplace_back();
    for (const std::string & word : SplitWords(Replaced(text.substr(at + 1, text.find(')', at) - at - 1), ",", " ")))
    {
      const std::size_t k = vectors.back().size();
      vectors.back().push_back(std::strtod(word.c_str(), nullptr) * (k < 3 ? signs[k] : 1.0));
    }
    isWhole = isWhole && vectors.back().size() == axes;
  }
  return isWhole && vectors.size() == count ? vectors : std::vector<std::vector<double>>();
}

/** Sets the places of voxels, in double precision. */
void
SetGeometry(const Header & header, const SpaceSigns & signs, itk::ImageIOBase & io)
{
  const unsigned int axes = io.GetNumberOfDimensions();
  if (signs[0] == 1.0 && signs[1] == 1.0)
  {
    return;
  }
  unsigned int axis = 0;
  for (std::vector<double> & direction : VectorsOf(header, "spacedirections", signs, axes, axes))
  {
    for (double & x : direction)
    {
      x /= io.GetSpacing(axis);
    }
    io.SetDirection(axis++, direction);
  }
  for (const std::vector<double> & origin : VectorsOf(header, "spaceorigin", signs, 1, axes))
  {
    for (axis = 0; axis < axes; ++axis)
    {
      io.SetOrigin(axis, origin[axis]);
    }
  }
  const auto frame = VectorsOf(header, "measurementframe", signs, axes, axes);
  if (axes == 3 && !frame.empty())
  {
    itk::EncapsulateMetaData(io.GetMetaDataDictionary(), "NRRD_measurement frame", frame);
  }
}

} // namespace

itk::ImageIOBase::Pointer
OpenNrrd(const std::string & path)
{
  const Header     header = ReadHeader(path);
  const auto       io = NrrdFileIO::New();
  const SpaceSigns signs = SignsOf(header);
  io->SetFileName(path);
  io->files = FilesOf(header);
  io->correct = [header, signs](itk::ImageIOBase & reader) {
    SetGeometry(header, signs, reader);
    ConvertToMillimeters(reader, SplitWords(Replaced(header.Get("spaceunits") + ' ' + header.Get("units"), "\"", " ")));
  };
  CallToRead(path, [&] { io->ReadImageInformation(); });
  return io.GetPointer();
}

} // namespace cudaneuro::files
