// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_ShuffledOrder_h
#define cudaneuro_neighbors_ShuffledOrder_h

#include "core/HostDevice.h"

#include <cstdint>

namespace cudaneuro
{

/** The position of \p index, from 0 to count - 1, in an order without pattern: each index has a position of its own.
 * Neighbors of a patch stand beside one another in an image, and come in runs of indices; samples and groups of points
 * are random only in such an order.
 *
 * Multiplications by odd numbers and shifts that are added without carry can be undone, and so permute the numbers
 * of so many bits. What falls beyond the last index is sent on until it does not, which leaves a permutation of the
 * others. */
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
