// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/output/WrittenFile.h"

#include "files/base/FormatFiles.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

namespace
{

[[noreturn]] void
ThrowCutShort(const std::string & what, std::uint64_t there, std::uint64_t expected)
{
  throw std::runtime_error("the disk may be full: " + what + " has " + std::to_string(there) + " of " +
                           std::to_string(expected));
}

std::uint64_t
LittleEndian(const std::vector<char> & bytes, std::size_t begin, std::size_t count)
{
  std::uint64_t value = 0;
  for (std::size_t i = count; i > 0; --i)
  {
    value = value << 8 | static_cast<unsigned char>(bytes.at(begin + i - 1));
  }
  return value;
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

/** Checks the size of an HDF5 file against the end that its beginning notes. */
std::uint64_t
EndOfHdf5(const std::string & path)
{
  constexpr std::size_t   mostHeader = 64;
  constexpr std::size_t   atVersion = 8;
  const std::vector<char> start = BytesOf(path, 0, mostHeader);
  if (start.size() < mostHeader)
  {
    ThrowCutShort("its first block, in bytes,", start.size(), mostHeader);
  }
  // Versions 0 and 1 have more bytes before their addresses than later ones.
  const int     version = start[atVersion];
  const auto    lengthOfAddress = static_cast<std::size_t>(start[version < 2 ? 13 : 9]);
  const auto    atAddresses = static_cast<std::size_t>(version == 0 ? 24 : version == 1 ? 28 : 12);
  constexpr int endIsThird = 2;
  return LittleEndian(start, atAddresses + endIsThird * lengthOfAddress, lengthOfAddress);
}

/** The end of a Matlab file of level 4: that of its second matrix, which is that of the fixed parameters. */
std::uint64_t
EndOfMatlab(const std::string & path)
{
  constexpr std::size_t headerBytes = 20;
  std::uint64_t         end = 0;
  for (int matrix = 0; matrix < 2; ++matrix)
  {
    const std::vector<char> header = BytesOf(path, end, headerBytes);
    if (header.size() < headerBytes)
    {
      ThrowCutShort("a header in it, in bytes,", header.size(), headerBytes);
    }
    // Type, rows, columns, whether it is complex, and length of the name.
    const std::uint64_t rows = LittleEndian(header, 4, 4);
    const std::uint64_t columns = LittleEndian(header, 8, 4);
    end += headerBytes + LittleEndian(header, 16, 4) + rows * columns * sizeof(double);
  }
  return end;
}

/** Counts the words after "Parameters:" and "FixedParameters:" in complete lines. */
class ParameterCounter
{
public:
  void
  Add(char c)
  {
    if (c == '\n')
    {
      m_Count += m_IsCounting ? m_InLine : 0;
      m_Key.clear();
      m_IsKey = true;
      m_IsCounting = false;
      m_InLine = 0;
      m_IsWord = false;
    }
    else if (m_IsKey)
    {
      m_IsKey = c != ':' && m_Key.size() < longestKey;
      m_IsCounting = c == ':' && (m_Key == "Parameters" || m_Key == "FixedParameters");
      m_Key += c;
    }
    else
    {
      const bool isWord = std::isspace(static_cast<unsigned char>(c)) == 0;
      m_InLine += isWord && !m_IsWord ? 1 : 0;
      m_IsWord = isWord;
    }
  }

  std::uint64_t
  GetCount() const
  {
    return m_Count;
  }

private:
  static constexpr std::size_t longestKey = 20;

  std::string   m_Key;
  bool          m_IsKey = true;
  bool          m_IsCounting = false;
  bool          m_IsWord = false;
  std::uint64_t m_InLine = 0;
  std::uint64_t m_Count = 0;
};

std::uint64_t
CountParameters(const std::string & path)
{
  std::ifstream             file(path, std::ios::binary);
  std::array<char, 1 << 16> block{};
  ParameterCounter          counter;
  while (file)
  {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    std::for_each(block.data(), block.data() + file.gcount(), [&](char c) { counter.Add(c); });
  }
  return counter.GetCount();
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
