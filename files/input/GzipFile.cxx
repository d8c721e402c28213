// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/input/GzipFile.h"

#include "files/input/InputFile.h"
#include "files/base/Interruption.h"

#include <libdeflate.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>

namespace
{

constexpr std::size_t blockBytes = 1 << 20;

using Compressor = std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor *)>;
using Decompressor = std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor *)>;

Compressor
MakeCompressor()
{
  // The fastest level that compresses brains and labels better than zlib's default.
  constexpr int level = 6;
  Compressor    compressor(libdeflate_alloc_compressor(level), libdeflate_free_compressor);
  return compressor ? std::move(compressor) : throw std::bad_alloc();
}

Decompressor
MakeDecompressor()
{
  Decompressor decompressor(libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  return decompressor ? std::move(decompressor) : throw std::bad_alloc();
}

/** Compresses a part of a file to a gzip member, without name and time: the same pixels give the same bytes. */
std::vector<char>
CompressBlock(libdeflate_compressor * compressor, const std::string & path, std::size_t begin, std::size_t end)
{
  std::vector<char> bytes(end - begin);
  std::ifstream     file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(begin));
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
  {
    throw std::runtime_error("what was written cannot be read");
  }
  std::vector<char> member(libdeflate_gzip_compress_bound(compressor, bytes.size()));
  member.resize(libdeflate_gzip_compress(compressor, bytes.data(), bytes.size(), member.data(), member.size()));
  member.shrink_to_fit();
  return member;
}

std::vector<std::vector<char>>
CompressBlocks(const std::string & path, std::size_t size)
{
  std::vector<std::vector<char>> members(std::max<std::size_t>(1, (size + blockBytes - 1) / blockBytes));
  std::atomic<std::size_t>       next = 0;
  const auto                     work = [&] {
    const Compressor compressor = MakeCompressor();
    for (std::size_t i = next++; i < members.size(); i = next++)
    {
      ThrowIfInterrupted();
      members[i] = CompressBlock(compressor.get(), path, i * blockBytes, std::min(size, (i + 1) * blockBytes));
    }
  };
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());

  std::vector<std::future<void>> workers;
  for (std::size_t i = 0; i < std::min(cores, members.size()); ++i)
  {
    workers.push_back(std::async(std::launch::async, work));
  }
  for (std::future<void> & worker : workers)
  {
    worker.get();
  }
  return members;
}

} // namespace

void
CompressFile(const std::string & from, const std::string & to)
{
  const auto    size = static_cast<std::size_t>(std::filesystem::file_size(from));
  const auto    members = CompressBlocks(from, size);
  std::ofstream file(to, std::ios::binary);
  for (const std::vector<char> & member : members)
  {
    file.write(member.data(), static_cast<std::streamsize>(member.size()));
  }
  file.close();
  if (!file)
  {
    throw std::runtime_error("the disk may be full");
  }
}

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

std::vector<char>
InflateGzip(const std::string & path, const std::vector<char> & compressed, std::uint64_t announcedBytes)
{
  CheckRatio(path, compressed.size(), announcedBytes);
  const Decompressor decompressor = MakeDecompressor();
  std::vector<char>  data(announcedBytes + inflatedSurplus);
  std::size_t        taken = 0;
  std::size_t        held = 0;
  while (taken < compressed.size())
  {
    ThrowIfInterrupted();
    std::size_t memberBytes = 0;
    std::size_t bytes = 0;
    const auto  result = libdeflate_gzip_decompress_ex(decompressor.get(),
                                                      compressed.data() + taken,
                                                      compressed.size() - taken,
                                                      data.data() + held,
                                                      data.size() - held,
                                                      &memberBytes,
                                                      &bytes);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE)
    {
      RefuseInput(path, "it holds far more than the " + std::to_string(announcedBytes) + " bytes of its header");
    }
    if (result != LIBDEFLATE_SUCCESS)
    {
      RefuseInput(path, "it is cut short or damaged: its gzip data cannot be decompressed");
    }
    taken += memberBytes;
    held += bytes;
  }
  if (held < announcedBytes)
  {
    RefuseCutShort(path, held, announcedBytes);
  }
  data.resize(announcedBytes);
  return data;
}

void
CheckInflated(const std::string & path, const std::vector<char> & compressed, std::uint64_t announcedBytes)
{
  CheckRatio(path, compressed.size(), announcedBytes);
  const bool         isGzip = compressed.size() > 1 && compressed[0] == '\x1f' && compressed[1] == '\x8b';
  const auto         decompress = isGzip ? libdeflate_gzip_decompress : libdeflate_zlib_decompress;
  const Decompressor decompressor = MakeDecompressor();
  std::vector<char>  data(announcedBytes);
  std::size_t        held = 0;
  switch (decompress(decompressor.get(), compressed.data(), compressed.size(), data.data(), data.size(), &held))
  {
    case LIBDEFLATE_SUCCESS:
      break;
    case LIBDEFLATE_INSUFFICIENT_SPACE:
      RefuseInput(path, "it holds more than the " + std::to_string(announcedBytes) + " bytes of its header");
    default:
      RefuseInput(path, "it is cut short or damaged: its data cannot be decompressed");
  }
  if (held < announcedBytes)
  {
    RefuseCutShort(path, held, announcedBytes);
  }
}
