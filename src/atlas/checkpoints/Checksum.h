// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_checkpoints_Checksum_h
#define cudaneuro_atlas_checkpoints_Checksum_h

#include <array>
#include <cstddef>
#include <cstdint>

namespace cudaneuro
{

/** A checksum of 64 bits over bytes that come in pieces. It depends on the bytes alone, not on the pieces. It detects
 * damage and mistakes, not forgery.
 *
 * Words of 8 bytes are dealt to four lanes, each lane <- b rotate(a (lane xor word)). Four lanes do not wait for each
 * other: each one is as slow as its multiplications, and four process data faster than disks and networks deliver it.
 * Every step is invertible, since a and b are odd: two contents that differ within one word have different lanes
 * whatever follows, and different checksums. Damage to any single bit, byte or word is therefore always detected. With
 * one multiplication, the highest bit of a word would move to a single bit of the lane, which a second damaged bit
 * could cancel; the second multiplication spreads it over half of the lane. A cyclic redundancy check of 64 bits also
 * detects bursts for certain, but is several times slower without special instructions. */
class Checksum64
{
public:
  void
  Add(const void * data, std::size_t bytes);

  std::uint64_t
  Get() const;

private:
  static constexpr std::size_t numberOfLanes = 4;
  static constexpr std::size_t wordSize = sizeof(std::uint64_t);
  static constexpr std::size_t blockSize = numberOfLanes * wordSize;

  using Lanes = std::array<std::uint64_t, numberOfLanes>;
  static void
  AddBlocks(Lanes & lanes, const unsigned char * data, std::size_t blocks);

  // Initial values differ, so that lanes whose words are exchanged differ.
  Lanes                                m_Lanes{ 1, 2, 3, 4 };
  std::array<unsigned char, blockSize> m_Rest{};
  std::size_t                          m_RestBytes = 0;
  std::uint64_t                        m_Bytes = 0;
};

std::uint64_t
Checksum(const void * data, std::size_t bytes);

} // namespace cudaneuro

#endif
