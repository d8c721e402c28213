// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/checkpoints/CheckpointFormat.h"

#include "atlas/checkpoints/Checksum.h"
#include "cudaneuro/Error.h"
#include "system/PathNames.h"

#include <charconv>
#include <cstddef>
#include <cstdio>
#include <sstream>
#include <system_error>

namespace cudaneuro
{
namespace
{

const std::string magicLine = "cudaneuro atlas checkpoint\n";
const std::string checksumWord = "checksum ";
// 16 hexadecimal digits and the end of the line.
constexpr std::size_t checksumLength = 17;

std::string
ToHexadecimal(std::uint64_t value)
{
  std::array<char, checksumLength> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(value));
  return digits.data();
}

[[noreturn]] void
Refuse(const std::string & path, const std::string & reason)
{
  throw Error("Reading of " + path, reason);
}

/** The text without its last line, which must be its checksum. */
std::string
WithoutChecksum(const std::string & text, const std::string & path)
{
  const std::size_t length = checksumWord.size() + checksumLength;
  if (text.size() < length)
  {
    Refuse(path, "the file is cut off");
  }
  std::string       content = text.substr(0, text.size() - length);
  const std::string expected = checksumWord + ToHexadecimal(Checksum(content.data(), content.size())) + "\n";
  if (text.substr(content.size()) != expected)
  {
    Refuse(path, "the file is damaged or cut off: its checksum does not agree with its content");
  }
  return content;
}

/** Reads the words of a list. Its checksum is right, so that any error was written. */
class ListParser
{
public:
  ListParser(const std::string & text, const std::string & path)
    : m_Stream(text)
    , m_Path(path)
  {}

  void
  Expect(const std::string & word)
  {
    std::string found;
    m_Stream >> found;
    this->Require(found == word, word);
  }

  template <typename T>
  T
  Number(const std::string & name)
  {
    this->Expect(name);
    T number{};
    m_Stream >> number;
    this->Require(static_cast<bool>(m_Stream), name);
    return number;
  }

  std::uint64_t
  HexadecimalNumber(const std::string & name)
  {
    m_Stream >> std::hex;
    const auto number = this->Number<std::uint64_t>(name);
    m_Stream >> std::dec;
    return number;
  }

  /** The rest of the text after the end of this line, which must be \p bytes long. */
  std::string
  Rest(std::size_t bytes)
  {
    m_Stream.get();
    std::ostringstream rest;
    rest << m_Stream.rdbuf();
    const std::string text = rest.str();
    this->Require(text.size() == bytes + 1 && text.back() == '\n', "description");
    return text.substr(0, bytes);
  }

private:
  void
  Require(bool isRight, const std::string & what)
  {
    if (!isRight)
    {
      Refuse(m_Path, "the entry \"" + what + "\" is missing or wrong");
    }
  }

  std::istringstream m_Stream;
  std::string        m_Path;
};

} // namespace

std::uint64_t
ImageHeader::ComputeChecksum() const
{
  return Checksum(this, offsetof(ImageHeader, headerChecksum));
}

ImageHeader
ReadImageHeader(CheckpointInput & file, const std::string & path, int index, int generation)
{
  ImageHeader       header;
  const ImageHeader own;
  file.Read(&header, sizeof(header));
  if (header.magic != own.magic)
  {
    Refuse(path, "it is no file of an atlas's checkpoint");
  }
  if (header.byteOrder != own.byteOrder)
  {
    Refuse(path, "it was written on a machine of another byte order, or is damaged");
  }
  if (header.version != own.version)
  {
    Refuse(path,
           "its format has version " + std::to_string(header.version) + "; this program reads version " +
             std::to_string(own.version));
  }
  if (header.headerChecksum != header.ComputeChecksum())
  {
    Refuse(path, "the file is damaged: the checksum of its header does not agree");
  }
  if (header.index != index || header.generation != generation)
  {
    Refuse(path,
           "it is the file of image " + std::to_string(header.index) + " of generation " +
             std::to_string(header.generation));
  }
  if (file.GetSize() != sizeof(header) + header.bytes)
  {
    Refuse(path,
           "it has " + std::to_string(file.GetSize()) + " bytes instead of " +
             std::to_string(sizeof(header) + header.bytes));
  }
  return header;
}

std::string
ToText(const CheckpointList & list)
{
  std::string text = magicLine + "version " + std::to_string(checkpointVersion) + "\ngeneration " +
                     std::to_string(list.generation) + "\nimages " + std::to_string(list.images.size()) + "\n";
  for (const CheckpointReader::ImageEntry & image : list.images)
  {
    text += "bytes " + std::to_string(image.bytes) + " checksum " + ToHexadecimal(image.checksum) + "\n";
  }
  text += "description " + std::to_string(list.description.size()) + "\n" + list.description + "\n";
  return text + checksumWord + ToHexadecimal(Checksum(text.data(), text.size())) + "\n";
}

CheckpointList
FromText(const std::string & text, const std::string & path)
{
  if (text.compare(0, magicLine.size(), magicLine) != 0)
  {
    Refuse(path, "it is no list of an atlas's checkpoint");
  }
  const std::string version = "version " + std::to_string(checkpointVersion) + "\n";
  if (text.compare(magicLine.size(), version.size(), version) != 0)
  {
    const std::size_t end = text.find('\n', magicLine.size());
    Refuse(path,
           "its format has \"" + text.substr(magicLine.size(), end - magicLine.size()) +
             "\"; this program reads version " + std::to_string(checkpointVersion));
  }
  ListParser     parser(WithoutChecksum(text, path).substr(magicLine.size() + version.size()), path);
  CheckpointList list;
  list.generation = parser.Number<int>("generation");
  const int numberOfImages = parser.Number<int>("images");
  for (int index = 0; index < numberOfImages; ++index)
  {
    CheckpointReader::ImageEntry image;
    image.bytes = parser.Number<std::uint64_t>("bytes");
    image.checksum = parser.HexadecimalNumber("checksum");
    list.images.push_back(image);
  }
  list.description = parser.Rest(parser.Number<std::size_t>("description"));
  return list;
}

std::string
ListPath(const std::string & folder)
{
  return system::NameOf(system::PathOf(folder) / "checkpoint.list");
}

std::string
ImagePath(const std::string & folder, int index, int generation)
{
  const std::string name = "image-" + std::to_string(index) + "-" + std::to_string(generation) + ".state";
  return system::NameOf(system::PathOf(folder) / name);
}

int
GenerationOf(const std::string & fileName)
{
  const std::string  start = "image-";
  const char * const end = fileName.data() + fileName.size();
  if (fileName.compare(0, start.size(), start) != 0)
  {
    return -1;
  }
  int                          index = -1;
  int                          generation = -1;
  const std::from_chars_result first = std::from_chars(fileName.data() + start.size(), end, index);
  if (first.ec != std::errc() || first.ptr == end)
  {
    return -1;
  }
  if (std::from_chars(first.ptr + 1, end, generation).ec != std::errc())
  {
    return -1;
  }
  // The name must be the one that ImagePath makes from these numbers.
  const std::string finished = ImagePath("", index, generation);
  return fileName == finished || fileName == finished + unfinishedSuffix ? generation : -1;
}

} // namespace cudaneuro
