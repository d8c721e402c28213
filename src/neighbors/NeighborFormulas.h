// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_NeighborFormulas_h
#define cudaneuro_neighbors_NeighborFormulas_h

#include "core/HostDevice.h"

#include <cstdint>

namespace cudaneuro
{

/** A squared distance is the sum of this number of partial sums. Partial sum s adds the components whose index is s
 * modulo this number, in their order. CPUs add them side by side in vectors, and each lane of a warp has some of them.
 * Both get the same bits, because every operation is rounded separately: the files that use these formulas are compiled
 * with -ffp-contract=off. */
constexpr int numberOfPartialSums = 32;

/** The number of components of working vectors is a multiple of this; those beyond the dimension are 0. */
constexpr int componentGranularity = numberOfPartialSums;

/** sum + (a - b)^2. */
CUDANEURO_HOST_DEVICE double
AddSquaredDifference(double sum, float a, float b)
{
  const double difference = double{ a } - double{ b };
#if defined(__CUDA_ARCH__)
  return __dadd_rn(sum, __dmul_rn(difference, difference));
#else
  const double square = difference * difference;
  return sum + square;
#endif
}

/** Sum of four neighboring partial sums, one of numberOfPartialSums / 4 groups. */
CUDANEURO_HOST_DEVICE double
AddFour(const double * partial)
{
  return (partial[0] + partial[1]) + (partial[2] + partial[3]);
}

/** Sum of the sums of four, in the order of a butterfly over lanes whose indices differ in bit 0, in bit 1 and in bit
 * 2. */
CUDANEURO_HOST_DEVICE double
AddEight(const double * sums)
{
  return AddFour(sums) + AddFour(sums + 4);
}

/** The squared distance of two working vectors, with the same order of sums on every device. */
CUDANEURO_HOST_DEVICE double
SquaredDistance(const float * a, const float * b, int stride)
{
  double partial[numberOfPartialSums] = {};
  for (int i = 0; i < stride; i += numberOfPartialSums)
  {
    for (int s = 0; s < numberOfPartialSums; ++s)
    {
      partial[s] = AddSquaredDifference(partial[s], a[i + s], b[i + s]);
    }
  }
  double sums[numberOfPartialSums / 4];
  for (int l = 0; l < numberOfPartialSums / 4; ++l)
  {
    sums[l] = AddFour(partial + 4 * l);
  }
  return AddEight(sums);
}

/** A neighbor with the order of neighbors: by distance, and by index where it is equal. */
struct RankedNeighbor
{
  double       squaredDistance;
  std::int32_t index;
};

CUDANEURO_HOST_DEVICE bool
IsNearer(const RankedNeighbor & a, const RankedNeighbor & b)
{
  return a.squaredDistance < b.squaredDistance || (a.squaredDistance == b.squaredDistance && a.index < b.index);
}

} // namespace cudaneuro

#endif
