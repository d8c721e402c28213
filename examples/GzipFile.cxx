// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "GzipFile.h"

#include "ProgramSupport.h"
#include "itk_zlib.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace
{

constexpr std::size_t blockBytes = 1 << 20;
constexpr std::size_t dictionaryBytes = 1 << 15;

struct Block
{
  std::vector<char> compressed;
  uLong             checksum = 0;
  std::size_t       bytes = 0;
};

/** A block of the raw deflate format, which ends at a byte so that others can follow. */
std::vector<char>
Deflate(std::vector<char> & dictionary, std::vector<char> & bytes, bool isLast, GzipContent content)
{
  constexpr int rawFormat = -15;
  constexpr int memoryLevel = 8;
  // Half the time of zlib's default, for files that are a few percent larger.
  constexpr int level = 4;
  const int     strategy = content == GzipContent::RealNumbers ? Z_RLE : Z_DEFAULT_STRATEGY;
  z_stream      stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, rawFormat, memoryLevel, strategy) != Z_OK)
  {
    throw std::bad_alloc();
  }
  const std::unique_ptr<z_stream, int (*)(z_stream *)> end(&stream, [](z_stream * s) { return deflateEnd(s); });
  if (!dictionary.empty())
  {
    deflateSetDictionary(
      &stream, reinterpret_cast<const Bytef *>(dictionary.data()), static_cast<uInt>(dictionary.size()));
  }
  constexpr std::size_t flushBytes = 64;
  std::vector<char>     result(deflateBound(&stream, static_cast<uLong>(bytes.size())) + flushBytes);
  stream.next_in = reinterpret_cast<Bytef *>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef *>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  const int status = deflate(&stream, isLast ? Z_FINISH : Z_SYNC_FLUSH);
  if (status != (isLast ? Z_STREAM_END : Z_OK) || stream.avail_in != 0)
  {
    throw std::runtime_error("zlib failed to compress a block");
  }
  result.resize(stream.total_out);
  result.shrink_to_fit();
  return result;
}

Block
CompressBlock(const std::string & path, std::size_t begin, std::size_t end, bool isLast, GzipContent content)
{
  const std::size_t dictionaryBegin = begin - std::min(begin, dictionaryBytes);
  std::vector<char> dictionary(begin - dictionaryBegin);
  std::vector<char> bytes(end - begin);
  std::ifstream     file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(dictionaryBegin));
  file.read(dictionary.data(), static_cast<std::streamsize>(dictionary.size()));
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file)
  {
    throw std::runtime_error("what was written cannot be read");
  }
  Block block;
  block.bytes = bytes.size();
  block.checksum = crc32(0, reinterpret_cast<const Bytef *>(bytes.data()), static_cast<uInt>(bytes.size()));
  block.compressed = Deflate(dictionary, bytes, isLast, content);
  return block;
}

std::vector<Block>
CompressBlocks(const std::string & path, std::size_t size, GzipContent content)
{
  std::vector<Block>       blocks(std::max<std::size_t>(1, (size + blockBytes - 1) / blockBytes));
  std::atomic<std::size_t> next = 0;
  const auto               work = [&] {
    for (std::size_t i = next++; i < blocks.size(); i = next++)
    {
      ThrowIfInterrupted();
      blocks[i] =
        CompressBlock(path, i * blockBytes, std::min(size, (i + 1) * blockBytes), i + 1 == blocks.size(), content);
    }
  };
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());

  std::vector<std::future<void>> workers;
  for (std::size_t i = 0; i < std::min(cores, blocks.size()); ++i)
  {
    workers.push_back(std::async(std::launch::async, work));
  }
  for (std::future<void> & worker : workers)
  {
    worker.get();
  }
  return blocks;
}

void
WriteLittleEndian(std::ostream & file, std::uint64_t value)
{
  for (int byte = 0; byte < 4; ++byte)
  {
    file.put(static_cast<char>((value >> (8 * byte)) & 0xff));
  }
}

} // namespace

void
CompressFile(const std::string & from, const std::string & to, GzipContent content)
{
  const auto               size = static_cast<std::size_t>(std::filesystem::file_size(from));
  const std::vector<Block> blocks = CompressBlocks(from, size, content);
  // No name, no time, an unknown system: the same pixels give the same bytes.
  constexpr std::array<char, 10> header{ '\x1f', '\x8b', '\x08', 0, 0, 0, 0, 0, 0, '\xff' };

  std::ofstream file(to, std::ios::binary);
  file.write(header.data(), static_cast<std::streamsize>(header.size()));
  uLong checksum = crc32(0, nullptr, 0);
  for (const Block & block : blocks)
  {
    file.write(block.compressed.data(), static_cast<std::streamsize>(block.compressed.size()));
    checksum = crc32_combine(checksum, block.checksum, static_cast<z_off_t>(block.bytes));
  }
  WriteLittleEndian(file, checksum);
  WriteLittleEndian(file, size);
  file.close();
  if (!file)
  {
    throw std::runtime_error("the disk may be full");
  }
}
