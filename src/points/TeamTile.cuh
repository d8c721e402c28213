// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_points_TeamTile_cuh
#define cudaneuro_points_TeamTile_cuh

#include "core/IntegerMath.h"
#include "points/PointBox.cuh"

/** Sums over pairs for tiles of one group of points, by a team of warps. */
namespace cudaneuro
{

/** Most points of all tiles. */
constexpr int mostPointsOfTeams = 4224;

/** Warps of a block, so many that they have enough registers. */
template <typename T>
constexpr int warpsOfTeamBlock = sizeof(T) == 4 ? 16 : 8;

/** A team of VWarps warps sums over the points j that are near the points i of its tile, which is a group. The
 * points j are dealt to shares, and a share is added up by one warp: each by its own if the team is a block, one
 * after the other if the team is a warp. Sums have the same bits with all teams. */
template <typename TNumber, int VDimension, int VWarps>
struct TeamTile
{
  using T = TNumber;
  static constexpr int dimension = VDimension;
  static constexpr int numbers = 2 * VDimension;
  static constexpr int points = pointsPerGroup;

  static constexpr int shares = warpsOfTeamBlock<T>;
  static constexpr int teamWarps = VWarps;
  static constexpr int blockWarps = warpsOfTeamBlock<T>;
  static constexpr int threads = 32 * blockWarps;
  static constexpr int teams = blockWarps / VWarps;
  static_assert(VWarps == 1 || VWarps == shares, "teams are warps or blocks");

  /** Points i per lane. The lanes that hold one tile are a slice of the warp; slices process different points j
   * concurrently. Two points of doubles would need more registers than there are. */
  static constexpr int pointsPerLane = sizeof(T) == 4 ? 2 : 1;
  static constexpr int lanesOfSlice = points / pointsPerLane;
  static constexpr int slices = 32 / lanesOfSlice;

  /** Points j of two rounds of the slices, which are summed over at once: one round waits for results most of the
   * time. */
  static constexpr int pointsAtOnce = 2 * slices;

  /** Near points that a team has a list of at once: all, or as many that lists of all teams and what else a block
   * needs are less than 64 KiB, which all devices have. */
  static constexpr int mostListed = VWarps == 1 ? 10240 / shares : mostPointsOfTeams;

  /** How many of the near points a share has, but for the last ones. */
  static __device__ int
  PointsOfShare(int nearPoints)
  {
    return DivideUp(nearPoints, shares * pointsAtOnce) * pointsAtOnce;
  }
  static_assert(mostPointsOfTeams / shares + pointsAtOnce <= mostListed, "a share fits into a list");

  static __device__ int
  Lane()
  {
    return static_cast<int>(threadIdx.x % 32);
  }
  static __device__ int
  Warp()
  {
    return static_cast<int>(threadIdx.x / 32);
  }
  static __device__ void
  Synchronize()
  {
    if constexpr (VWarps == 1)
    {
      __syncwarp();
    }
    else
    {
      __syncthreads();
    }
  }
};

} // namespace cudaneuro

#endif
