// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_points_TeamPairSums_cuh
#define cudaneuro_points_TeamPairSums_cuh

#include "cuda/AsyncCopy.cuh"
#include "points/TeamTile.cuh"

namespace cudaneuro
{

/** The points j of one or several shares: a part of a list, in multiples of pointsAtOnce. */
struct TeamShares
{
  const unsigned short * list;
  int                    points;
  /** Number of points in each share except the last one. */
  int pointsOfShare;
};

/** StartCopy through the L1 cache. */
__device__ __forceinline__ void
StartCopyThroughL1(int4 * shared, const int4 * global)
{
#if __CUDA_ARCH__ >= 800
  const unsigned int address = static_cast<unsigned int>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(address), "l"(global) : "memory");
#else
  *shared = *global;
#endif
}

/** Shared memory of a warp for records of its shares: two chunks, one of which is loaded while the other is summed
 * over. All lanes need each record, and each lane loads one. TPoint is SlopePoint or AdjointPoint. */
template <typename TTile>
struct StagedRecords
{
  using T = typename TTile::T;
  static constexpr int width = recordWidth<TTile::dimension>;
  template <typename TPoint>
  static constexpr int chunkPoints = 32 / TPoint::arrays;

  alignas(16) T records[2 * 32][width];

  /** \param array 0 for states, 1 for adjoints */
  template <typename TPoint>
  __device__ __forceinline__ T *
  Chunk(int array, int chunk)
  {
    return records[(2 * array + chunk % 2) * chunkPoints<TPoint>];
  }

  /** Starts to copy a chunk, of the requested arrays only; does nothing beyond the end of the shares. */
  template <typename TPoint>
  __device__ __forceinline__ void
  StartCopy(const T * states, const T * adjoints, const TeamShares & shares, int chunk, bool ofStates, bool ofAdjoints)
  {
    constexpr int pieces = (TTile::numbers * static_cast<int>(sizeof(T)) + 15) / 16;
    const int     array = TTile::Lane() / chunkPoints<TPoint>;
    const int     pointOfChunk = TTile::Lane() % chunkPoints<TPoint>;
    const int     point = chunk * chunkPoints<TPoint> + pointOfChunk;
    if (point < shares.points && (array == 0 ? ofStates : ofAdjoints))
    {
      const T * const    from = array == 0 ? states : adjoints;
      const int4 * const record = reinterpret_cast<const int4 *>(from + shares.list[point] * width);
      int4 * const       to = reinterpret_cast<int4 *>(this->Chunk<TPoint>(array, chunk) + pointOfChunk * width);
#pragma unroll
      for (int piece = 0; piece < pieces; ++piece)
      {
        // Warps of a block with tiles of their own mostly read the same records.
        if constexpr (TTile::teamWarps == 1)
        {
          StartCopyThroughL1(to + piece, record + piece);
        }
        else
        {
          cudaneuro::StartCopy(to + piece, record + piece);
        }
      }
    }
  }
};

/** The sums of a warp at the points i of its lanes. TPoint is SlopePoint or AdjointPoint.
 *
 * The points of a share are added plainly: there are at most mostPointsOfTeams over the number of shares and slices. */
template <typename TTile, typename TPoint>
class TeamPairSums
{
public:
  using T = typename TTile::T;
  static constexpr int dimension = TTile::dimension;
  static constexpr int width = recordWidth<dimension>;

  __device__
  TeamPairSums(const T * states, const T * adjoints, int firstPoint)
    : m_States(states)
    , m_Adjoints(adjoints)
  {
    for (int r = 0; r < TTile::pointsPerLane; ++r)
    {
      const int at = (firstPoint + r * TTile::lanesOfSlice + TTile::Lane() % TTile::lanesOfSlice) * width;
      m_Own[r].template Load<ReadPlainly>(states + at, adjoints + at);
    }
  }

  /** Adds shares one after the other. \param hasStates whether copies of the states of the first two chunks have been
   * started */
  __device__ __forceinline__ void
  Add(const TeamShares & shares, StagedRecords<TTile> & staged, bool hasStates)
  {
    int endOfShare = shares.pointsOfShare;
    this->StartChunk(shares, staged, 0, hasStates);
#pragma unroll 1
    for (int point = 0; point < shares.points;)
    {
      if (point % chunkPoints == 0)
      {
        const int chunk = point / chunkPoints;
        __syncwarp();
        this->StartChunk(shares, staged, chunk + 1, hasStates && chunk == 0);
        WaitForCopies<1>();
        __syncwarp();
      }
      this->AddPointsAtOnce(staged, point);
      point += TTile::pointsAtOnce;
      if (point == endOfShare)
      {
        this->EndShare();
        endOfShare += shares.pointsOfShare;
      }
    }
    __syncwarp();
    this->EndShare();
  }

  __device__ T
  Sum(int r, int number) const
  {
    return m_Sums[r][number];
  }

private:
  static constexpr int chunkPoints = StagedRecords<TTile>::template chunkPoints<TPoint>;
  static_assert(chunkPoints % TTile::pointsAtOnce == 0, "shares end with points that are summed over at once");

  __device__ __forceinline__ void
  StartChunk(const TeamShares & shares, StagedRecords<TTile> & staged, int chunk, bool hasStates) const
  {
    staged.template StartCopy<TPoint>(m_States, m_Adjoints, shares, chunk, !hasStates, true);
    CommitCopies();
  }

  /** \param point the first one, in a chunk that has arrived. The two chunks are adjacent in memory. */
  __device__ __forceinline__ void
  AddPointsAtOnce(StagedRecords<TTile> & staged, int point)
  {
    constexpr int   fromStateToAdjoint = 2 * chunkPoints * width;
    constexpr int   rounds = TTile::pointsAtOnce / TTile::slices;
    const int       slice = TTile::Lane() / TTile::lanesOfSlice;
    const T * const states = staged.records[point % (2 * chunkPoints) + slice];
    TPoint          others[rounds];
#pragma unroll
    for (int round = 0; round < rounds; ++round)
    {
      const T * const state = states + round * TTile::slices * width;
      others[round].template Load<ReadPlainly>(state, state + fromStateToAdjoint);
    }
#pragma unroll
    for (int round = 0; round < rounds; ++round)
    {
#pragma unroll
      for (int r = 0; r < TTile::pointsPerLane; ++r)
      {
        m_Own[r].Add(others[round], m_OfShare[r]);
      }
    }
  }

  __device__ __forceinline__ void
  EndShare()
  {
#pragma unroll
    for (int r = 0; r < TTile::pointsPerLane; ++r)
    {
#pragma unroll
      for (int d = 0; d < dimension; ++d)
      {
        m_Sums[r][d] += m_OfShare[r].first[d];
        m_Sums[r][dimension + d] += m_OfShare[r].second[d];
      }
      m_OfShare[r] = {};
    }
  }

  const T *                m_States;
  const T *                m_Adjoints;
  TPoint                   m_Own[TTile::pointsPerLane];
  RecordSums<T, dimension> m_OfShare[TTile::pointsPerLane];
  T                        m_Sums[TTile::pointsPerLane][TTile::numbers] = {};
};

} // namespace cudaneuro

#endif
