// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/output/DeflatedPiece.h"

#include "itk_zlib.h"

#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>

namespace cudaneuro::files
{

namespace
{

/** Level 1 is one and a half times as fast as level 6, and its files of brains are 2 to 5 % larger. */
constexpr int level = 1;
/** libdeflate begins another block after 65,535 bytes at that level, or after 8,192 matches. */
constexpr std::size_t largestBlock = 65520;
constexpr std::size_t smallestBlock = 8192;

constexpr unsigned int unknown = 8;

/** Inflates a stream by zlib without storing the output, only to find the boundaries of words and blocks. */
class Inflater
{
public:
  /** Reads the codes of a block. */
  explicit Inflater(std::vector<char> & block)
  {
    constexpr int onlyDeflate = -15;
    Require(inflateInit2(&m_Stream, onlyDeflate));
    m_Stream.next_in = reinterpret_cast<Bytef *>(block.data());
    m_Stream.avail_in = static_cast<uInt>(block.size());
    m_Stream.next_out = &m_NoRoom;
    inflate(&m_Stream, Z_TREES);
  }

  ~Inflater() { inflateEnd(&m_Stream); }

  Inflater(const Inflater & other) { Require(inflateCopy(&m_Stream, const_cast<z_stream *>(&other.m_Stream))); }
  Inflater &
  operator=(const Inflater &) = delete;

  /** Reads a word from up to 16 bits.
   * \return its number of bits if it ends the block, else 0 */
  int
  TakeEnd(int bits, std::uint32_t value)
  {
    constexpr int endOfBlock = 128;
    constexpr int bitsLeft = 63;
    m_Stream.avail_in = 0;
    inflatePrime(&m_Stream, -1, 0); // discards the bits behind the codes
    inflatePrime(&m_Stream, bits, static_cast<int>(value & ((1U << bits) - 1)));
    inflate(&m_Stream, Z_BLOCK);
    return (m_Stream.data_type & endOfBlock) != 0 ? bits - (m_Stream.data_type & bitsLeft) : 0;
  }

private:
  static void
  Require(int result)
  {
    result == Z_OK ? void() : throw std::bad_alloc();
  }

  z_stream m_Stream{};
  Bytef    m_NoRoom = 0;
};

/** Returns how many bits of the last byte a block leaves empty, by searching for the word that ends it; unknown if it
 * may have ended at several places. */
unsigned int
EmptyBits(std::vector<char> & block)
{
  constexpr int longestWord = 15;
  const int     type = block.front() >> 1 & 3;
  if (type != 2 || block.size() < sizeof(std::uint32_t))
  {
    // A stored block ends with a byte. With the fixed code, the word at the end is zeros, like the empty bits.
    return type == 0 ? 0 : unknown;
  }
  const Inflater codes(block);
  std::uint32_t  tail = 0; // the last bits; the very last is the highest
  std::for_each(block.end() - sizeof(tail), block.end(), [&](char c) {
    tail = tail >> 8 | static_cast<std::uint32_t>(static_cast<unsigned char>(c)) << 24;
  });
  unsigned int found = unknown;
  for (int bits = 1; bits < longestWord + 8; ++bits)
  {
    const int length = Inflater(codes).TakeEnd(std::min(bits, 16), tail >> (32 - bits));
    const int empty = bits - length;
    if (length > 0 && empty < 8 && static_cast<std::uint64_t>(tail) >> (32 - empty) == 0)
    {
      if (found != unknown)
      {
        return unknown;
      }
      found = static_cast<unsigned int>(empty);
    }
  }
  return found;
}

/** Appends up to 65,535 bytes uncompressed, as a stored block (RFC 1951, 3.2.4) that is not the last. */
void
AppendStored(const char * bytes, std::size_t count, std::vector<char> & stream)
{
  stream.push_back('\0');
  for (const std::size_t number : { count, ~count })
  {
    stream.push_back(static_cast<char>(number & 0xff));
    stream.push_back(static_cast<char>(number >> 8 & 0xff));
  }
  stream.insert(stream.end(), bytes, bytes + count);
}

using Compressor = std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor *)>;

/** Appends a block of libdeflate.
 * \return false if libdeflate made more than one, or its end is not certain */
bool
AppendBlock(const Compressor & compressor, const char * bytes, std::size_t count, std::vector<char> & stream)
{
  std::vector<char> block(libdeflate_deflate_compress_bound(compressor.get(), count));
  block.resize(libdeflate_deflate_compress(compressor.get(), bytes, count, block.data(), block.size()));
  const bool         isOnly = !block.empty() && (block.front() & 1) != 0;
  const unsigned int empty = isOnly ? EmptyBits(block) : unknown;
  if (empty == unknown)
  {
    return false;
  }
  block.front() = static_cast<char>(block.front() & 0xfe);
  stream.insert(stream.end(), block.begin(), block.end());
  // An empty stored block fills the last byte: its header has three zero bits, and ends on a whole byte.
  AppendStored(nullptr, 0, stream);
  if (empty >= 3)
  {
    stream.erase(stream.end() - 5);
  }
  return true;
}

} // namespace

std::vector<char>
DeflatePiece(const char * bytes, std::size_t count)
{
  const Compressor compressor(libdeflate_alloc_compressor(level), libdeflate_free_compressor);
  if (!compressor)
  {
    throw std::bad_alloc();
  }
  std::vector<char> stream;
  std::size_t       size = largestBlock;
  for (std::size_t begin = 0; begin < count;)
  {
    const std::size_t piece = std::min(size, count - begin);
    const bool        isAppended = AppendBlock(compressor, bytes + begin, piece, stream);
    if (!isAppended && piece > smallestBlock)
    {
      size = piece / 2; // also for the rest, which is similar
      continue;
    }
    if (!isAppended)
    {
      AppendStored(bytes + begin, piece, stream);
    }
    begin += piece;
  }
  return stream;
}

} // namespace cudaneuro::files
