// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_ShuffledOrder_h
#define cudaneuro_neighbors_ShuffledOrder_h

#include "core/HostDevice.h"

#include <cstdint>

namespace cudaneuro
{

/** The position of \p index, from 0 to count - 1, in a fixed permutation without pattern. Similar patches are neighbors
 * in an image, and have successive indices; only in such an order are samples and groups of points distributed
 * randomly.
 *
 * Multiplications by odd numbers and shifts combined by exclusive or are invertible, and so permute all numbers of the
 * required bits. Numbers beyond the last index are mapped again until they are not, which leaves a permutation of the
 * indices. */
CUDANEURO_HOST_DEVICE std::int64_t
                      ShuffledPosition(std::int64_t index, std::int64_t count)
{
  int bits = 1;
  while ((std::int64_t{ 1 } << bits) < count)
  {
    ++bits;
  }
  const std::uint64_t mask = (std::uint64_t{ 1 } << bits) - 1;
  const int           shift = (bits + 1) / 2;
  std::uint64_t       x = static_cast<std::uint64_t>(index);
  do
  {
    x = ((x ^ (x >> shift)) * 0x9e3779b97f4a7c15u) & mask;
    x = ((x ^ (x >> shift)) * 0xbf58476d1ce4e5b9u) & mask;
    x = ((x ^ (x >> shift)) * 0x94d049bb133111ebu) & mask;
    x = x ^ (x >> shift);
  } while (x >= static_cast<std::uint64_t>(count));
  return static_cast<std::int64_t>(x);
}

} // namespace cudaneuro

#endif
