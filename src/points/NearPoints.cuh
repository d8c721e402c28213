// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_points_NearPoints_cuh
#define cudaneuro_points_NearPoints_cuh

#include "points/TeamTile.cuh"

/** Lists of the points that are near the box of a team's tile, in order. Both kinds of teams make the same list: a near
 * point is in a near group, because rounding preserves the order of numbers. */
namespace cudaneuro
{

/** The points of an evaluation at a stage, and the tile for which near points are listed. */
template <typename T>
struct NearPointSearch
{
  const T * states;
  const T * boxes;
  int       tile;
  int       points;
  T         squaredDistance;
};

template <int VDimension, typename T>
__device__ __forceinline__ PointBox<T, VDimension>
                           BoxOfTile(const NearPointSearch<T> & search)
{
  return PointBox<T, VDimension>::template Read<ReadPlainly>(search.boxes + search.tile * boxWidth);
}

/** \returns the bits of the lanes below the calling one */
__device__ __forceinline__ unsigned int
LanesBelow()
{
  return (1u << (threadIdx.x % 32)) - 1u;
}

/** Pads a list with points that add nothing, so that the last rounds of the slices are whole: the record behind those
 * of all points is 0. */
template <typename TTile>
__device__ __forceinline__ void
EndList(unsigned short * end, int points)
{
  if (TTile::Lane() < TTile::pointsAtOnce)
  {
    end[TTile::Lane()] = static_cast<unsigned short>(points);
  }
}

/** The list of a team that is a block. */
template <typename TTile>
struct NearPointsOfBlock
{
  using T = typename TTile::T;
  static constexpr int dimension = TTile::dimension;

  unsigned short list[TTile::mostListed + TTile::pointsAtOnce];
  int            counts[TTile::blockWarps];

  /** Called by all threads. Each warp tests equally many consecutive points. \returns the number of near points */
  __device__ int
  List(const NearPointSearch<T> & search)
  {
    const int    pointsOfWarp = 32 * DivideUp(search.points, TTile::threads);
    const int    first = TTile::Warp() * pointsOfWarp;
    const int    end = min(first + pointsOfWarp, search.points);
    int          count = 0;
    unsigned int votes = 0;
    this->Test(search, first, end, votes, count);
    if (TTile::Lane() == 0)
    {
      counts[TTile::Warp()] = count;
    }
    __syncthreads();
    int       ofAll = 0;
    int       at = this->CountBefore(ofAll);
    const int words = pointsOfWarp / 32;
    for (int word = 0; word < words; ++word)
    {
      const unsigned int ofWord = __shfl_sync(0xffffffffu, votes, word);
      if ((ofWord >> TTile::Lane()) & 1u)
      {
        list[at + __popc(ofWord & LanesBelow())] = static_cast<unsigned short>(first + 32 * word + TTile::Lane());
      }
      at += __popc(ofWord);
    }
    if (TTile::Warp() == 0)
    {
      EndList<TTile>(list + ofAll, search.points);
    }
    __syncthreads();
    return ofAll;
  }

private:
  /** \param votes receives in lane k the votes for the k-th 32 points */
  static __device__ __forceinline__ void
  Test(const NearPointSearch<T> & search, int first, int end, unsigned int & votes, int & count)
  {
    constexpr int atOnce = 4;
    static_assert(mostPointsOfTeams / TTile::threads + atOnce < 32, "a lane has one word of votes");
    const auto box = BoxOfTile<dimension>(search);
    for (int word = 0; first + 32 * word < end; word += atOnce)
    {
      T positions[atOnce][dimension];
#pragma unroll
      for (int k = 0; k < atOnce; ++k)
      {
        const int point = min(first + 32 * (word + k) + TTile::Lane(), search.points - 1);
        ReadPosition<ReadPlainly>(search.states + point * recordWidth<dimension>, positions[k]);
      }
#pragma unroll
      for (int k = 0; k < atOnce; ++k)
      {
        const int          point = first + 32 * (word + k) + TTile::Lane();
        const bool         isNear = point < end && !(box.SquaredDistance(positions[k]) > search.squaredDistance);
        const unsigned int ofWord = __ballot_sync(0xffffffffu, isNear);
        votes = TTile::Lane() == word + k ? ofWord : votes;
        count += __popc(ofWord);
      }
    }
  }

  /** \returns the number of near points of the preceding warps */
  __device__ __forceinline__ int
  CountBefore(int & ofAll) const
  {
    const int own = TTile::Lane() < TTile::blockWarps ? counts[TTile::Lane()] : 0;
    int       upToOwn = own;
    for (int distance = 1; distance < TTile::blockWarps; distance *= 2)
    {
      const int before = __shfl_up_sync(0xffffffffu, upToOwn, distance);
      upToOwn += TTile::Lane() >= distance ? before : 0;
    }
    ofAll = __shfl_sync(0xffffffffu, upToOwn, TTile::blockWarps - 1);
    return __shfl_sync(0xffffffffu, upToOwn - own, TTile::Warp());
  }
};

/** The list of a team that is a warp, or a part of it. */
template <typename TTile>
struct NearPointsOfWarp
{
  using T = typename TTile::T;
  static constexpr int dimension = TTile::dimension;

  unsigned short list[TTile::mostListed + TTile::pointsAtOnce];
  unsigned short groups[mostPointsOfTeams / pointsPerGroup];
  int            nearGroups;

  /** Called by all lanes. \param first the first near point to list, by its number. Unless it is 0, the previous call
   * must have been for the same search.
   * \returns the number of near points */
  __device__ int
  List(const NearPointSearch<T> & search, int first)
  {
    constexpr int atOnce = 4;
    const auto    box = BoxOfTile<dimension>(search);
    if (first == 0)
    {
      this->ListGroups(search, box);
    }
    __syncwarp();
    const int lastCandidate = nearGroups * pointsPerGroup - 1;
    int       count = 0;
    for (int candidate = TTile::Lane(); candidate - TTile::Lane() <= lastCandidate; candidate += 32 * atOnce)
    {
      int points[atOnce];
      T   positions[atOnce][dimension];
#pragma unroll
      for (int k = 0; k < atOnce; ++k)
      {
        const int of = min(candidate + 32 * k, lastCandidate);
        points[k] = groups[of / pointsPerGroup] * pointsPerGroup + of % pointsPerGroup;
        ReadPosition<ReadPlainly>(search.states + points[k] * recordWidth<dimension>, positions[k]);
      }
#pragma unroll
      for (int k = 0; k < atOnce; ++k)
      {
        const bool isNear = candidate + 32 * k <= lastCandidate && points[k] < search.points &&
                            !(box.SquaredDistance(positions[k]) > search.squaredDistance);
        count += this->Append(isNear, points[k], count - first);
      }
    }
    if (count - first <= TTile::mostListed)
    {
      EndList<TTile>(list + max(count - first, 0), search.points);
    }
    __syncwarp();
    return count;
  }

private:
  /** Writes the lanes' near points from \p at on, as far as they are in the list. \returns the number of near points */
  __device__ __forceinline__ int
  Append(bool isNear, int point, int at)
  {
    const unsigned int votes = __ballot_sync(0xffffffffu, isNear);
    const int          to = at + __popc(votes & LanesBelow());
    if (isNear && static_cast<unsigned int>(to) < static_cast<unsigned int>(TTile::mostListed))
    {
      list[to] = static_cast<unsigned short>(point);
    }
    return __popc(votes);
  }

  /** Lists the near groups. */
  __device__ __forceinline__ void
  ListGroups(const NearPointSearch<T> & search, const PointBox<T, dimension> & box)
  {
    constexpr int atOnce = 4;
    const int     ofAll = DivideUp(search.points, pointsPerGroup);
    int           count = 0;
    __syncwarp();
    for (int first = 0; first < ofAll; first += 32 * atOnce)
    {
      PointBox<T, dimension> others[atOnce];
#pragma unroll
      for (int k = 0; k < atOnce; ++k)
      {
        const int group = min(first + 32 * k + TTile::Lane(), ofAll - 1);
        others[k] = PointBox<T, dimension>::template Read<ReadPlainly>(search.boxes + group * boxWidth);
      }
#pragma unroll
      for (int k = 0; k < atOnce; ++k)
      {
        const int          group = first + 32 * k + TTile::Lane();
        const bool         isNear = group < ofAll && !(box.SquaredDistance(others[k]) > search.squaredDistance);
        const unsigned int votes = __ballot_sync(0xffffffffu, isNear);
        if (isNear)
        {
          groups[count + __popc(votes & LanesBelow())] = static_cast<unsigned short>(group);
        }
        count += __popc(votes);
      }
    }
    if (TTile::Lane() == 0)
    {
      nearGroups = count;
    }
  }
};

} // namespace cudaneuro

#endif
