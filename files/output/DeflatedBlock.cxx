// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/output/DeflatedBlock.h"

#include "itk_zlib.h"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>

namespace
{

/** Level 1 is by a half faster than level 6, and its files of brains are 2 to 5 % larger. */
constexpr int level = 1;
/** libdeflate begins another block after 65,535 bytes at that level, or after 8,192 matches. */
constexpr std::size_t largestBlock = 65520;
constexpr std::size_t smallestBlock = 8192;

constexpr std::size_t endOfBlock = 256;
constexpr int         longestCode = 15;

class BitReader
{
public:
  explicit BitReader(const std::vector<char> & bytes)
    : m_Bytes(bytes)
  {}

  bool
  At(std::size_t bit) const
  {
    return (static_cast<unsigned char>(m_Bytes.at(bit / 8)) >> bit % 8 & 1) != 0;
  }

  /** The next bits as a number, whose lowest bit comes first. */
  std::size_t
  Take(std::size_t count)
  {
    std::size_t value = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
      value |= static_cast<std::size_t>(this->At(m_Next++)) << i;
    }
    return value;
  }

private:
  const std::vector<char> & m_Bytes;
  std::size_t               m_Next = 0;
};

/** A prefix code of RFC 1951, 3.2.2, by the lengths of its words. */
class PrefixCode
{
public:
  explicit PrefixCode(std::vector<std::size_t> lengths)
    : m_Lengths(std::move(lengths))
  {}

  std::size_t
  LengthOf(std::size_t symbol) const
  {
    return m_Lengths[symbol];
  }

  /** The word of a symbol, whose highest bit comes first in a stream. */
  std::size_t
  WordOf(std::size_t symbol) const
  {
    const auto  place = m_Lengths.begin() + static_cast<std::ptrdiff_t>(symbol);
    std::size_t word = 0;
    for (std::size_t length = 1; length < *place; ++length)
    {
      word = (word + static_cast<std::size_t>(std::count(m_Lengths.begin(), m_Lengths.end(), length))) << 1;
    }
    return word + static_cast<std::size_t>(std::count(m_Lengths.begin(), place, *place));
  }

  std::size_t
  Take(BitReader & bits) const
  {
    std::size_t word = 0;
    for (std::size_t length = 1; length <= longestCode; ++length)
    {
      word = word << 1 | bits.Take(1);
      for (std::size_t symbol = 0; symbol < m_Lengths.size(); ++symbol)
      {
        if (m_Lengths[symbol] == length && this->WordOf(symbol) == word)
        {
          return symbol;
        }
      }
    }
    throw std::out_of_range("no word of the code");
  }

private:
  std::vector<std::size_t> m_Lengths;
};

/** Reads the code of literals and lengths from a block whose codes are its own (RFC 1951, 3.2.7). */
PrefixCode
ReadLiteralCode(BitReader & bits)
{
  constexpr std::array<std::size_t, 19> order{ 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };

  const std::size_t        count = bits.Take(5) + endOfBlock + 1;
  std::vector<std::size_t> lengths(order.size(), 0);
  bits.Take(5); // the number of distances
  const std::size_t given = bits.Take(4) + 4;
  for (std::size_t i = 0; i < given; ++i)
  {
    lengths[order.at(i)] = bits.Take(3);
  }
  const PrefixCode code(lengths);
  lengths.clear();
  while (lengths.size() < count)
  {
    const std::size_t symbol = code.Take(bits);
    switch (symbol)
    {
      case 16:
        lengths.insert(lengths.end(), 3 + bits.Take(2), lengths.back());
        break;
      case 17:
        lengths.insert(lengths.end(), 3 + bits.Take(3), 0);
        break;
      case 18:
        lengths.insert(lengths.end(), 11 + bits.Take(7), 0);
        break;
      default:
        lengths.push_back(symbol);
    }
  }
  lengths.resize(count); // A run may go on into the distances.
  return PrefixCode(lengths);
}

constexpr std::size_t unknown = 8;

/** How many bits of the last byte a block leaves empty, by looking for the word that ends it; unknown where it may have ended
 * in several places. */
std::size_t
EmptyBits(const std::vector<char> & block)
{
  BitReader         bits(block);
  const std::size_t type = bits.Take(3) >> 1;
  if (type != 2)
  {
    // A stored block ends with a byte. The word that ends one with the fixed code is zeros, like the empty bits.
    return type == 0 ? 0 : unknown;
  }
  const PrefixCode  code = ReadLiteralCode(bits);
  const std::size_t word = code.WordOf(endOfBlock);
  const std::size_t length = code.LengthOf(endOfBlock);
  std::size_t       found = unknown;
  for (std::size_t empty = 0; empty < 8 && static_cast<unsigned char>(block.back()) >> (8 - empty) == 0; ++empty)
  {
    const std::size_t end = 8 * block.size() - empty;
    bool              isEnd = true;
    for (std::size_t i = 0; i < length; ++i)
    {
      isEnd = isEnd && bits.At(end - 1 - i) == ((word >> i & 1) != 0);
    }
    if (isEnd && found != unknown)
    {
      return unknown;
    }
    found = isEnd ? empty : found;
  }
  return found;
}

void
AppendByZlib(const char * bytes, std::size_t count, std::vector<char> & stream)
{
  z_stream      zlib{};
  constexpr int onlyDeflate = -15;
  constexpr int usualMemory = 8;
  if (deflateInit2(&zlib, level, Z_DEFLATED, onlyDeflate, usualMemory, Z_DEFAULT_STRATEGY) != Z_OK)
  {
    throw std::bad_alloc();
  }
  const std::size_t begin = stream.size();
  stream.resize(begin + deflateBound(&zlib, static_cast<uLong>(count)) + 16);
  zlib.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes));
  zlib.avail_in = static_cast<uInt>(count);
  zlib.next_out = reinterpret_cast<Bytef *>(stream.data() + begin);
  zlib.avail_out = static_cast<uInt>(stream.size() - begin);
  deflate(&zlib, Z_SYNC_FLUSH);
  const bool isWhole = zlib.avail_in == 0 && zlib.avail_out > 0;
  stream.resize(stream.size() - zlib.avail_out);
  deflateEnd(&zlib);
  if (!isWhole)
  {
    throw std::runtime_error("zlib could not compress it");
  }
}

} // namespace

BlockDeflater::BlockDeflater()
  : m_Compressor(libdeflate_alloc_compressor(level), libdeflate_free_compressor)
{
  if (!m_Compressor)
  {
    throw std::bad_alloc();
  }
}

BlockDeflater::~BlockDeflater() = default;

void
BlockDeflater::Append(const char * bytes, std::size_t count, std::vector<char> & stream)
{
  std::size_t size = largestBlock;
  for (std::size_t begin = 0; begin < count;)
  {
    const std::size_t piece = std::min(size, count - begin);
    if (!this->AppendBlock(bytes + begin, piece, stream))
    {
      if (piece > smallestBlock)
      {
        size = piece / 2; // also for the rest, which is alike
        continue;
      }
      AppendByZlib(bytes + begin, piece, stream);
    }
    begin += piece;
  }
}

bool
BlockDeflater::AppendBlock(const char * bytes, std::size_t count, std::vector<char> & stream)
{
  std::vector<char> block(libdeflate_deflate_compress_bound(m_Compressor.get(), count));
  block.resize(libdeflate_deflate_compress(m_Compressor.get(), bytes, count, block.data(), block.size()));
  const bool        isOnly = !block.empty() && (block.front() & 1) != 0;
  const std::size_t empty = isOnly ? EmptyBits(block) : unknown;
  if (empty == unknown)
  {
    return false;
  }
  block.front() = static_cast<char>(block.front() & 0xfe);
  // The header of a stored block has three bits, zeros; then come bits up to a whole byte, its length 0, and the inverse of that.
  constexpr std::array<char, 5> stored{ '\0', '\0', '\0', '\xff', '\xff' };
  stream.insert(stream.end(), block.begin(), block.end());
  stream.insert(stream.end(), stored.begin() + (empty >= 3 ? 1 : 0), stored.end());
  return true;
}
