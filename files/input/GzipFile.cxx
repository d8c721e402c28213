// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/input/GzipFile.h"

#include "files/base/Errors.h"
#include "files/base/Interruption.h"
#include "files/input/InputFile.h"

#include <libdeflate.h>

#include <algorithm>
#include <memory>
#include <new>

namespace cudaneuro::files
{

namespace
{

using Decompressor = std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor *)>;

bool
IsGzip(const char * data, std::size_t bytes)
{
  return bytes > 1 && data[0] == '\x1f' && data[1] == '\x8b';
}

/** Finds the next member of gzip data from a position on, behind zeros, with which tapes and some copies pad files.
 * \return the end of the data if there is none; a warning names other data, as gzip does */
std::size_t
FindMember(const std::string & path, const char * compressed, std::size_t size, std::size_t begin)
{
  const char * const end = compressed + size;
  const char * const next = std::find_if(compressed + begin, end, [](char c) { return c != '\0'; });
  const auto         left = static_cast<std::size_t>(end - next);
  if (left == 0 || IsGzip(next, left))
  {
    return size - left;
  }
  Warn(path + ": the last " + std::to_string(left) + " bytes are ignored; they are behind the end of its gzip data");
  return size;
}

/** Decompresses all members of gzip data, or data of the zlib format.
 * \param most the largest number of bytes
 * \return the bytes, at least the announced ones */
LargeBuffer
InflateMembers(
  const std::string & path, const char * compressed, std::size_t size, std::uint64_t announcedBytes, std::uint64_t most)
{
  CheckRatio(path, size, announcedBytes);
  const Decompressor decompressor(libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  if (!decompressor)
  {
    throw std::bad_alloc();
  }
  const auto  inflate = IsGzip(compressed, size) ? libdeflate_gzip_decompress_ex : libdeflate_zlib_decompress_ex;
  LargeBuffer data(most);
  data.Touch();
  std::size_t taken = 0;
  std::size_t held = 0;
  while (taken < size)
  {
    ThrowIfInterrupted();
    std::size_t memberBytes = 0;
    std::size_t bytes = 0;
    const auto  result = inflate(
      decompressor.get(), compressed + taken, size - taken, data.data() + held, most - held, &memberBytes, &bytes);
    if (result != LIBDEFLATE_SUCCESS)
    {
      RefuseInput(path,
                  result == LIBDEFLATE_INSUFFICIENT_SPACE
                    ? "it holds more than the " + std::to_string(announcedBytes) + " bytes of its header"
                    : "it is cut short or damaged: its data cannot be decompressed");
    }
    taken = FindMember(path, compressed, size, taken + memberBytes);
    held += bytes;
  }
  if (held < announcedBytes)
  {
    RefuseCutShort(path, held, announcedBytes);
  }
  return data;
}

} // namespace

void
CheckRatio(const std::string & path, std::uint64_t compressedBytes, std::uint64_t announcedBytes)
{
  constexpr std::uint64_t largestRatio = 1032;
  if (announcedBytes / largestRatio > compressedBytes)
  {
    RefuseInput(path,
                "its header announces " + std::to_string(announcedBytes) + " bytes, which " +
                  std::to_string(compressedBytes) + " compressed bytes cannot hold");
  }
}

LargeBuffer
ReadGzip(const std::string & path, std::uint64_t announcedBytes)
{
  const LargeBuffer compressed = ReadManyBytes(path, 0, CheckRegularFile(path));
  return InflateMembers(path, compressed.data(), compressed.size(), announcedBytes, announcedBytes + inflatedSurplus);
}

void
CheckInflated(const std::string & path, const std::vector<char> & compressed, std::uint64_t announcedBytes)
{
  InflateMembers(path, compressed.data(), compressed.size(), announcedBytes, announcedBytes);
}

} // namespace cudaneuro::files
