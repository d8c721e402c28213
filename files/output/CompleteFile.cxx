// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/output/CompleteFile.h"

#include "files/base/NumberTypes.h"
#include "files/base/FormatFiles.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace cudaneuro::files
{

namespace
{

[[noreturn]] void
ThrowCutShort(const std::string & what, std::uint64_t there, std::uint64_t expected)
{
  throw std::runtime_error("the disk may be full: " + what + " has " + std::to_string(there) + " of " +
                           std::to_string(expected));
}

/** Reads up to a number of bytes of a file from an offset on. */
std::vector<char>
BytesOf(const std::string & path, std::uint64_t begin, std::size_t count)
{
  std::ifstream     file(path, std::ios::binary);
  std::vector<char> bytes(count);
  file.seekg(static_cast<std::streamoff>(begin));
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return bytes;
}

/** The size of the header in a file that has header and voxels, as ITK writes it. */
std::uint64_t
HeaderBytes(const std::string & path)
{
  constexpr std::size_t   mostText = 1 << 20;
  const std::vector<char> start = BytesOf(path, 0, mostText);
  const std::string       end = HasEnding(path, ".mha") ? "ElementDataFile = LOCAL\n" : "\n\n";
  const auto              found = std::search(start.begin(), start.end(), end.begin(), end.end());
  if (found == start.end())
  {
    throw std::runtime_error("the disk may be full: its header has no end");
  }
  return static_cast<std::uint64_t>(found - start.begin()) + end.size();
}

/** Reads a header of a file, which has more than it.
 * \throws std::runtime_error for less */
std::vector<char>
HeaderOf(const std::string & path, std::uint64_t begin, std::size_t count)
{
  std::vector<char> header = BytesOf(path, begin, count);
  if (header.size() < count)
  {
    ThrowCutShort("a header in it, in bytes,", header.size(), count);
  }
  return header;
}

/** The end of an HDF5 file that its beginning notes: the third address, of 8 bytes each. */
std::uint64_t
EndOfHdf5(const std::string & path)
{
  const std::vector<char> start = HeaderOf(path, 0, 64);
  const int               version = start[8];
  const std::size_t       atAddresses = version == 0 ? 24 : version == 1 ? 28 : 12;
  return NumberAt<std::uint64_t>(start.data() + atAddresses + 2 * sizeof(std::uint64_t));
}

/** The end of a Matlab file of level 4: that of its second matrix, which is that of the fixed parameters. */
std::uint64_t
EndOfMatlab(const std::string & path)
{
  constexpr std::size_t headerBytes = 20;
  std::uint64_t         end = 0;
  for (int matrix = 0; matrix < 2; ++matrix)
  {
    // Type, rows, columns, whether it is complex, and length of the name.
    const std::vector<char> header = HeaderOf(path, end, headerBytes);
    const std::uint64_t     rows = NumberAt<std::uint32_t>(header.data() + 4);
    const std::uint64_t     columns = NumberAt<std::uint32_t>(header.data() + 8);
    end += headerBytes + NumberAt<std::uint32_t>(header.data() + 16) + rows * columns * sizeof(double);
  }
  return end;
}

/** Counts the numbers behind "Parameters:" and "FixedParameters:", in complete lines. */
std::uint64_t
CountParameters(const std::string & path)
{
  using Words = std::istream_iterator<std::string>;
  std::uint64_t count = 0;
  std::ifstream file(path, std::ios::binary);
  // A line that ends with the file is cut.
  for (std::string line; std::getline(file, line) && !file.eof();)
  {
    std::istringstream text(line);
    std::string        key;
    text >> key;
    count += key == "Parameters:" || key == "FixedParameters:" ? std::distance(Words(text), Words()) : 0;
  }
  return count;
}

} // namespace

void
RequireWholeImage(const std::string & path, std::uint64_t bytesOfVoxels)
{
  const auto        files = FilesToWrite(path);
  const bool        isPair = files.size() > 1;
  const std::string data = files.back().string();
  const auto        expected = bytesOfVoxels + (isPair ? 0 : HeaderBytes(path));
  const auto        there = std::filesystem::file_size(data);
  if (there != expected)
  {
    ThrowCutShort(std::filesystem::path(data).filename().string() + ", in bytes,", there, expected);
  }
}

void
RequireWholeTransform(const std::string & path, std::uint64_t numberOfParameters)
{
  const bool isText = HasEnding(path, ".tfm") || HasEnding(path, ".txt");
  const auto there = isText ? CountParameters(path) : std::filesystem::file_size(path);
  const auto expected = isText ? numberOfParameters : HasEnding(path, ".mat") ? EndOfMatlab(path) : EndOfHdf5(path);
  if (there < expected)
  {
    ThrowCutShort(isText ? "it, in parameters," : "it, in bytes,", there, expected);
  }
}

} // namespace cudaneuro::files
