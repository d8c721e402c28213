// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_TrajectoryTeamMemory_cuh
#define cudaneuro_landmarks_TrajectoryTeamMemory_cuh

#include "points/NearPoints.cuh"
#include "points/TeamPairSums.cuh"

#include <type_traits>

/** Shared memory of a block of teams, and sums over the slices and shares of a team. */
namespace cudaneuro
{

/** Sums a number over the slices of a warp. \returns the sum at the point of the tile whose number is the lane's index
 * modulo the tile's 16 points */
template <typename TTile, typename T>
__device__ __forceinline__ T
SumOfSlices(const T (&ofLane)[TTile::pointsPerLane])
{
  T own = 0;
#pragma unroll
  for (int r = 0; r < TTile::pointsPerLane; ++r)
  {
    T sum = ofLane[r];
    for (int distance = TTile::lanesOfSlice; distance < 32; distance *= 2)
    {
      sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    }
    own = TTile::Lane() % TTile::points / TTile::lanesOfSlice == r ? sum : own;
  }
  return own;
}

/** The sums of a team that is a warp. Of each pair of numbers, the lower half of the warp receives the first, and the
 * upper half the second. */
template <typename TTile, typename TSums, typename T>
__device__ __forceinline__ void
SumOfWarp(const TSums & pairs, T (&sums)[TTile::numbers / 2])
{
#pragma unroll
  for (int number = 0; number < TTile::numbers; ++number)
  {
    T ofLane[TTile::pointsPerLane];
#pragma unroll
    for (int r = 0; r < TTile::pointsPerLane; ++r)
    {
      ofLane[r] = pairs.Sum(r, number);
    }
    const T sum = SumOfSlices<TTile>(ofLane);
    if (TTile::Lane() / TTile::points == number % 2)
    {
      sums[number / 2] = sum;
    }
  }
}

/** Additional shared memory of a team that is a block. */
template <typename TTile>
struct TeamOfBlockMemory
{
  using T = typename TTile::T;

  NearPointsOfBlock<TTile> near;
  T                        sums[TTile::shares][TTile::numbers][32][TTile::pointsPerLane];

  __device__ auto &
  Near()
  {
    return near;
  }

  /** Stores the sums of the warp's share. */
  template <typename TSums>
  __device__ __forceinline__ void
  Store(const TSums & pairs)
  {
#pragma unroll
    for (int number = 0; number < TTile::numbers; ++number)
    {
#pragma unroll
      for (int r = 0; r < TTile::pointsPerLane; ++r)
      {
        sums[TTile::Warp()][number][TTile::Lane()][r] = pairs.Sum(r, number);
      }
    }
  }

  /** \returns the sum over all shares, as SumOfWarp, of the number that belongs to this warp */
  __device__ __forceinline__ T
  SumOfNumber() const
  {
    if (TTile::Warp() >= TTile::numbers)
    {
      return 0;
    }
    T total[TTile::pointsPerLane] = {};
#pragma unroll
    for (int share = 0; share < TTile::shares; ++share)
    {
#pragma unroll
      for (int r = 0; r < TTile::pointsPerLane; ++r)
      {
        total[r] += sums[share][TTile::Warp()][TTile::Lane()][r];
      }
    }
    return SumOfSlices<TTile>(total);
  }
};

/** Additional shared memory of teams that are warps. */
template <typename TTile>
struct TeamOfWarpMemory
{
  NearPointsOfWarp<TTile> near[TTile::teams];

  __device__ auto &
  Near()
  {
    return near[TTile::Warp()];
  }
};

template <typename TTile>
struct alignas(16) TrajectoryTeamMemory
  : std::conditional_t<TTile::teamWarps == 1, TeamOfWarpMemory<TTile>, TeamOfBlockMemory<TTile>>
{
  StagedRecords<TTile> staged[TTile::blockWarps];
  typename TTile::T    vectors[TTile::teams][TTile::dimension][TTile::points];
};

} // namespace cudaneuro

#endif
