// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_points_TeamTile_cuh
#define cudaneuro_points_TeamTile_cuh

#include "core/IntegerMath.h"
#include "points/PointBox.cuh"

/** Sums over pairs for tiles of one group of points, by a team of warps. */
namespace cudaneuro
{

/** Maximum number of points in all tiles together. */
constexpr int mostPointsOfTeams = 4224;

/** Number of warps in a block, few enough for each to have the registers that it needs. */
template <typename T>
constexpr int warpsOfTeamBlock = sizeof(T) == 4 ? 16 : 8;

/** A team of VWarps warps sums over the points j that are near the points i of its tile, which is a group. The points j
 * are divided into shares, and each share is summed by one warp: by one of its own if the team is a block, one after
 * the other if the team is a warp. Sums have the same bits with all teams. */
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

  /** Number of points i per lane. The lanes that hold one tile are a slice of the warp; slices process different points
   * j concurrently. Two points of doubles would need too many registers. */
  static constexpr int pointsPerLane = sizeof(T) == 4 ? 2 : 1;
  static constexpr int lanesOfSlice = points / pointsPerLane;
  static constexpr int slices = 32 / lanesOfSlice;

  /** Number of points j in two rounds of the slices, which are processed together, because one round would mostly wait
   * for results. */
  static constexpr int pointsAtOnce = 2 * slices;

  /** Maximum length of a team's list: all points, or so many that lists of all teams and the rest of a block's shared
   * memory take less than 64 KiB, which all devices have. */
  static constexpr int mostListed = VWarps == 1 ? 10240 / shares : mostPointsOfTeams;

  /** The number of near points in each share except the last ones. */
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
