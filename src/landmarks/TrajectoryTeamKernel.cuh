// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_TrajectoryTeamKernel_cuh
#define cudaneuro_landmarks_TrajectoryTeamKernel_cuh

#include "cuda/GridBarrier.cuh"
#include "landmarks/TrajectoryTeamTile.cuh"

namespace cudaneuro
{

/** A team's part of the trajectories of few points, and of their adjoints: TrajectoryBlock, optimized for short stages.
 * Only the newest states or adjoints are read after the barrier at which a stage begins.
 *
 * A list of near points is made from the positions of the previous stage, for a distance enlarged by a margin. A point
 * that moves by more than half of the margin marks the next stage, and all tiles then renew their lists. On the way
 * back, all positions are known. */
template <typename TTile>
class TrajectoryTeam : private TrajectoryTeamTile<TTile>
{
  using Tile = TrajectoryTeamTile<TTile>;

public:
  using typename Tile::Arguments;
  using typename Tile::Memory;
  using typename Tile::T;

  __device__
  TrajectoryTeam(const Arguments & arguments, Memory & memory)
    : Tile(arguments, memory)
  {
    this->Select(static_cast<int>(blockIdx.x));
  }

  __device__ void
  Run()
  {
    GridBarrier barrier(m_Arguments.arrivals);
    this->ForEachTile(m_Arguments.numberOfEvaluations, [this] { this->Start(); });
    for (int stage = 0; stage < m_Stages; ++stage)
    {
      barrier.Arrive();
      if (m_HasOneTile && stage > 0)
      {
        this->List(stage - 1, m_Arguments.listSquaredDistance);
      }
      barrier.Wait();
      this->ForEachTile(m_Arguments.numberOfEvaluations, [this, stage] { this->Advance(stage); });
    }
    if (m_Arguments.numberOfGradients == 0)
    {
      return;
    }
    for (int stage = m_Stages - 1; stage >= 0; --stage)
    {
      barrier.Arrive();
      if (m_HasOneTile)
      {
        this->List(stage, m_Arguments.negligibleSquaredDistance);
        this->template StartCopyOfStates<AdjointPoint>(stage);
      }
      barrier.Wait();
      this->ForEachTile(m_Arguments.numberOfGradients, [this, stage] { this->GoBack(stage); });
    }
  }

private:
  using Tile::dimension;
  using Tile::m_Arguments;
  using Tile::m_HasOneTile;
  using Tile::m_Memory;
  using Tile::m_Stages;
  using Tile::m_Tile;
  using Tile::numbersOfLane;
  using typename Tile::Number;

  template <typename TBody>
  __device__ __forceinline__ void
  ForEachTile(int evaluations, const TBody & body)
  {
    const int tiles = evaluations * m_Arguments.numberOfTiles;
    const int block = static_cast<int>(blockIdx.x);
    if (m_HasOneTile)
    {
      if (block < tiles)
      {
        body();
      }
      return;
    }
    const int end = FirstOfBlock(tiles, block + 1);
    for (int index = FirstOfBlock(tiles, block) + TTile::Warp() / TTile::teamWarps; index < end; index += TTile::teams)
    {
      this->Select(index);
      body();
      TTile::Synchronize();
    }
  }

  /** Blocks have consecutive tiles, which are near the same groups and find them in the L1 cache. */
  static __device__ int
  FirstOfBlock(int tiles, int block)
  {
    return static_cast<int>(static_cast<std::int64_t>(tiles) * block / gridDim.x);
  }

  /** Lists the near points by their positions at a stage, beginning with the near point \p first. */
  __device__ __forceinline__ void
  List(int stage, T squaredDistance, int first = 0)
  {
    const NearPointSearch<T> search{
      this->States(stage), this->Boxes(stage), m_Tile, m_Arguments.numberOfPoints, squaredDistance
    };
    if constexpr (TTile::teamWarps == 1)
    {
      m_NearPoints = m_Memory.Near().List(search, first);
    }
    else
    {
      m_NearPoints = m_Memory.Near().List(search);
    }
  }

  __device__ __forceinline__ StagedRecords<TTile> &
                             Staged() const
  {
    return m_Memory.staged[TTile::Warp()];
  }

  /** If teams are blocks, starts copying the first states of the warp's share to shared memory. */
  template <template <typename, int> class TPoint>
  __device__ __forceinline__ void
  StartCopyOfStates(int stage)
  {
    if constexpr (TTile::teamWarps > 1)
    {
      const TeamShares share = this->ShareOfWarp();
      for (int chunk = 0; chunk < 2; ++chunk)
      {
        this->Staged().template StartCopy<TPoint<T, dimension>>(
          this->States(stage), nullptr, share, chunk, true, false);
      }
    }
  }

  /** The warp's share, if teams are blocks. */
  __device__ __forceinline__ TeamShares
  ShareOfWarp() const
  {
    const int pointsOfShare = TTile::PointsOfShare(m_NearPoints);
    return this->Shares(TTile::Warp() * pointsOfShare, 0, pointsOfShare);
  }

  /** Up to \p mostPoints near points from \p first on. \param firstListed index of the list's first near point */
  __device__ __forceinline__ TeamShares
  Shares(int first, int firstListed, int mostPoints) const
  {
    const int points = RoundUp(max(min(m_NearPoints - first, mostPoints), 0), TTile::pointsAtOnce);
    return { m_Memory.Near().list + (first - firstListed), points, TTile::PointsOfShare(m_NearPoints) };
  }

  /** Sums over the listed pairs. If the team is a warp, it lists the points of further shares when those of its list
   * have been processed.
   * \param listStage, squaredDistance the parameters of the list
   * \param sums receives the sums for the numbers of the lane */
  template <template <typename, int> class TPoint>
  __device__ __forceinline__ void
  SumPairs(int stage, bool hasStates, int listStage, T squaredDistance, T (&sums)[numbersOfLane])
  {
    TeamPairSums<TTile, TPoint<T, dimension>> pairs(this->States(stage), this->Adjoints(stage), this->FirstPoint());
    if constexpr (TTile::teamWarps == 1)
    {
      const int pointsOfShare = TTile::PointsOfShare(m_NearPoints);
      const int mostPoints = TTile::mostListed / pointsOfShare * pointsOfShare;
      for (int first = 0; first < m_NearPoints; first += mostPoints)
      {
        if (first > 0)
        {
          this->List(listStage, squaredDistance, first);
        }
        pairs.Add(this->Shares(first, first, mostPoints), this->Staged(), false);
      }
      SumOfWarp<TTile>(pairs, sums);
    }
    else
    {
      pairs.Add(this->ShareOfWarp(), this->Staged(), hasStates);
      m_Memory.Store(pairs);
      __syncthreads();
      sums[0] = m_Memory.SumOfNumber();
    }
  }

  /** Advances from the state of a stage to that of the next stage. */
  __device__ void
  Advance(int stage)
  {
    const bool hasList = m_HasOneTile && stage > 0;
    if (hasList)
    {
      this->template StartCopyOfStates<SlopePoint>(stage);
    }
    const bool isMarked = stage == 0 || *this->Mark(stage) != 0;
    const int  listStage = isMarked ? stage : stage - 1;
    if (!hasList || isMarked)
    {
      CommitCopies();
      WaitForCopies<0>();
      this->List(listStage, m_Arguments.listSquaredDistance);
    }
    T slopes[numbersOfLane];
    this->template SumPairs<SlopePoint>(
      stage, hasList && !isMarked, listStage, m_Arguments.listSquaredDistance, slopes);
    this->LoadKeptOfAdvance(stage);
    this->ForEachNumber([&](int k, const Number & number) {
      this->AdvanceNumber(
        stage, k, number, slopes[k] * (number.number < dimension ? T(1) : static_cast<T>(twiceLogOf2)));
    });
    if (stage == 0)
    {
      this->AddEnergy();
    }
    if (stage == m_Stages - 1)
    {
      this->Meet();
    }
  }

  /** Goes back from the adjoint of a stage to that of the previous stage, or from the first stage to the gradient. */
  __device__ void
  GoBack(int stage)
  {
    if (!m_HasOneTile)
    {
      this->List(stage, m_Arguments.negligibleSquaredDistance);
    }
    T parts[numbersOfLane];
    this->template SumPairs<AdjointPoint>(stage, m_HasOneTile, stage, m_Arguments.negligibleSquaredDistance, parts);
    this->LoadKeptOfGoingBack();
    this->ForEachNumber([&](int k, const Number & number) {
      if (number.isPoint)
      {
        this->GoBackNumber(
          stage, k, number, parts[k] * (number.number < dimension ? static_cast<T>(twiceLogOf2) : T(1)));
      }
    });
  }

  int m_NearPoints = 0;
};

/** Shoots all evaluations and goes back along those with a gradient: see TrajectoryArguments. A cooperative launch,
 * whose teams share all tiles. */
template <typename TTile>
__global__ void
__launch_bounds__(TTile::threads, 1)
  TrajectoryTeamKernel(const __grid_constant__ TrajectoryArguments<typename TTile::T> arguments)
{
  extern __shared__ int4 shared[];
  using Team = TrajectoryTeam<TTile>;
  Team team(arguments, *reinterpret_cast<typename Team::Memory *>(shared));
  team.Run();
}

} // namespace cudaneuro

#endif
