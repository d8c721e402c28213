// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/checkpoints/Checksum.h"

#include <algorithm>
#include <cstring>

namespace cudaneuro
{
namespace
{

/** Odd numbers whose bits have no pattern: the fractional parts of the square roots of 3 and 2. */
constexpr std::uint64_t firstFactor = 0xBB67AE8584CAA73BULL;
constexpr std::uint64_t secondFactor = 0x6A09E667F3BCC909ULL;

constexpr std::uint64_t
Mix(std::uint64_t lane, std::uint64_t word)
{
  const std::uint64_t product = (lane ^ word) * firstFactor;
  return (product << 32 | product >> 32) * secondFactor;
}

std::uint64_t
WordAt(const unsigned char * data)
{
  std::uint64_t word = 0;
  std::memcpy(&word, data, sizeof(word));
  return word;
}

} // namespace

void
Checksum64::AddBlocks(Lanes & lanes, const unsigned char * data, std::size_t blocks)
{
  // Four variables instead of a loop let compilers keep them in registers.
  auto [first, second, third, fourth] = lanes;
  for (std::size_t block = 0; block < blocks; ++block, data += blockSize)
  {
    first = Mix(first, WordAt(data));
    second = Mix(second, WordAt(data + wordSize));
    third = Mix(third, WordAt(data + 2 * wordSize));
    fourth = Mix(fourth, WordAt(data + 3 * wordSize));
  }
  lanes = { first, second, third, fourth };
}

void
Checksum64::Add(const void * data, std::size_t bytes)
{
  const auto * from = static_cast<const unsigned char *>(data);
  m_Bytes += bytes;
  if (m_RestBytes > 0)
  {
    const std::size_t taken = std::min(bytes, blockSize - m_RestBytes);
    std::copy_n(from, taken, m_Rest.data() + m_RestBytes);
    m_RestBytes += taken;
    from += taken;
    bytes -= taken;
    if (m_RestBytes < blockSize)
    {
      return;
    }
    AddBlocks(m_Lanes, m_Rest.data(), 1);
    m_RestBytes = 0;
  }
  const std::size_t blocks = bytes / blockSize;
  AddBlocks(m_Lanes, from, blocks);
  m_RestBytes = bytes - blocks * blockSize;
  std::copy_n(from + blocks * blockSize, m_RestBytes, m_Rest.data());
}

std::uint64_t
Checksum64::Get() const
{
  Lanes lanes = m_Lanes;
  if (m_RestBytes > 0)
  {
    // Zeros fill the block; the number of bytes, added below, distinguishes them from zeros in the data.
    std::array<unsigned char, blockSize> last{};
    std::copy_n(m_Rest.data(), m_RestBytes, last.data());
    AddBlocks(lanes, last.data(), 1);
  }
  std::uint64_t result = m_Bytes;
  for (const std::uint64_t lane : lanes)
  {
    result = Mix(result, lane);
  }
  return result ^ result >> 32;
}

std::uint64_t
Checksum(const void * data, std::size_t bytes)
{
  Checksum64 checksum;
  checksum.Add(data, bytes);
  return checksum.Get();
}

} // namespace cudaneuro
