// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_TrajectoryKernel_cuh
#define cudaneuro_landmarks_TrajectoryKernel_cuh

#include "cuda/GridBarrier.cuh"
#include "landmarks/TileLossTerms.cuh"
#include "landmarks/TrajectorySteps.cuh"
#include "landmarks/TrajectoryTile.cuh"
#include "points/PairSums.cuh"

namespace cudaneuro
{

/** Shared memory of a block, before the buffers of PairSums. */
template <typename TTile>
struct alignas(16) TrajectoryMemory
{
  using T = typename TTile::T;
  NearGroupMemory      near;
  PairSumMemory<TTile> pairs;
  /** Velocities or differences from a target, for the terms of the loss. */
  T vectors[TTile::dimension][TTile::points];
};

/** A block's part of the trajectories of all evaluations and of their adjoints. The unit of work is a tile of
 * consecutive points of one evaluation; each stage of a step is completed for all tiles before the next one begins.
 *
 * For each stage a tile reads the boxes of all groups of points and the states (and adjoints) of the near groups, and
 * writes its own points' states at the next stage and their boxes. Lanes that own points compute the sums. The rest is
 * computed number by number, with a thread for each of the tile's numbers, so that 16 lanes have the points of a
 * group. */
template <typename TTile>
class TrajectoryBlock : private TrajectoryTile<TTile>
{
  using Tile = TrajectoryTile<TTile>;

public:
  using T = typename TTile::T;
  using Arguments = TrajectoryArguments<T>;
  using Memory = TrajectoryMemory<TTile>;
  static constexpr int numbersOfTile = TTile::numbers * TTile::points;
  static_assert(numbersOfTile % 32 == 0, "whole warps work on a tile's numbers");

  __device__
  TrajectoryBlock(const Arguments & arguments, Memory & memory, T * chunks)
    : Tile(arguments)
    , m_Memory(memory)
    , m_Chunks(chunks)
  {}

  __device__ void
  Run()
  {
    GridBarrier barrier(m_Arguments.arrivals);
    this->ForEachTile(m_Arguments.numberOfEvaluations, [this] { this->Start(); });
    for (int stage = 0; stage < m_Stages; ++stage)
    {
      barrier.Arrive();
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
      barrier.Wait();
      this->ForEachTile(m_Arguments.numberOfGradients, [this, stage] { this->GoBack(stage); });
    }
  }

private:
  using Tile::dimension;
  using Tile::m_Arguments;
  using Tile::m_Stages;
  using Tile::m_Tile;
  using Tile::width;

  template <typename TBody>
  __device__ __forceinline__ void
  ForEachTile(int evaluations, const TBody & body)
  {
    const int tiles = evaluations * m_Arguments.numberOfTiles;
    for (int index = static_cast<int>(blockIdx.x); index < tiles; index += static_cast<int>(gridDim.x))
    {
      this->Select(index);
      body();
    }
  }

  /** Calls body(number, point of the tile, its place in an array of records, whether the point exists). */
  template <typename TBody>
  __device__ __forceinline__ void
  ForEachNumber(const TBody & body)
  {
    for (int index = static_cast<int>(threadIdx.x); index < numbersOfTile; index += TTile::threads)
    {
      const int number = index / TTile::points;
      const int pointOfTile = index % TTile::points;
      const int point = m_Tile * TTile::points + pointOfTile;
      body(number, pointOfTile, static_cast<std::int64_t>(point) * width + number, point < m_Arguments.numberOfPoints);
    }
  }

  /** Writes the tile's initial state. */
  __device__ void
  Start()
  {
    this->ForEachNumber([&](int number, int, std::int64_t at, bool isPoint) {
      const int point = static_cast<int>(at / width);
      T         value = 0;
      if (isPoint)
      {
        value = this->InitialState(number, point);
        this->States(0)[at] = value;
      }
      this->WriteBox(0, number, point, value, isPoint);
    });
  }

  /** Sums over all near pairs; the warps' sums are in PartialSums. */
  template <template <typename, int> class TPoint>
  __device__ __forceinline__ void
  SumPairs(int stage)
  {
    constexpr int                         groupsOfTile = TTile::points / pointsPerGroup;
    const T * const                       boxes = this->Boxes(stage);
    const int                             groups = m_Arguments.numberOfGroups;
    PairSums<TTile, TPoint<T, dimension>> sums(
      this->States(stage), this->Adjoints(stage), m_Tile, m_Memory.pairs, m_Chunks);
    const int              firstGroup = m_Tile * groupsOfTile;
    PointBox<T, dimension> box = PointBox<T, dimension>::template Read<ReadThroughL2>(boxes + firstGroup * boxWidth);
    for (int group = firstGroup + 1; group < min(firstGroup + groupsOfTile, groups); ++group)
    {
      box.Include(PointBox<T, dimension>::template Read<ReadThroughL2>(boxes + group * boxWidth));
    }
    for (int first = 0; first < groups; first += windowGroups)
    {
      const int near =
        NearGroups<TTile::warps>::List(box, boxes, first, groups, m_Arguments.negligibleSquaredDistance, m_Memory.near);
      sums.Add(m_Memory.near.list, near);
    }
    sums.Store();
    __syncthreads();
  }

  __device__ T
  SumOfWarps(int number, int pointOfTile) const
  {
    const auto & partial = *reinterpret_cast<const PartialSums<TTile> *>(m_Chunks);
    T            sum = partial.sums[0][number][pointOfTile];
    for (int warp = 1; warp < TTile::warps; ++warp)
    {
      sum += partial.sums[warp][number][pointOfTile];
    }
    return sum;
  }

  /** Advances from the state of a stage to that of the next stage. */
  __device__ void
  Advance(int stage)
  {
    const Arguments & arguments = m_Arguments;
    const int         inStep = stage % arguments.stages;
    const bool        isLast = stage == m_Stages - 1;
    this->SumPairs<SlopePoint>(stage);
    this->ForEachNumber([&](int number, int pointOfTile, std::int64_t at, bool isPoint) {
      const T slope = this->SumOfWarps(number, pointOfTile) * (number < dimension ? T(1) : static_cast<T>(twiceLogOf2));
      T       next = 0;
      if (isPoint)
      {
        const T   begin = __ldcg(this->States(stage - inStep) + at);
        T * const carried = this->Records(arguments.carried) + at;
        T         slopes = inStep > 0 ? __ldcg(carried) : T(0);
        next = NextState(arguments, inStep, begin, slope, slopes);
        *carried = slopes;
        this->States(stage + 1)[at] = next;
      }
      if (stage == 0)
      {
        this->KeepFirstSlope(number, pointOfTile, at, slope, isPoint);
      }
      if (!isLast)
      {
        this->WriteBox(stage + 1, number, static_cast<int>(at / width), next, isPoint);
      }
    });
    if (stage == 0)
    {
      this->AddEnergy();
    }
    if (isLast)
    {
      this->Meet();
    }
  }

  __device__ void
  KeepFirstSlope(int number, int pointOfTile, std::int64_t at, T slope, bool isPoint)
  {
    if (number < dimension)
    {
      m_Memory.vectors[number][pointOfTile] = slope;
      if (isPoint)
      {
        this->Records(m_Arguments.firstSlopes)[at] = slope;
      }
    }
  }

  /** Adds the kinetic energy, from memory.vectors, which are velocities. */
  __device__ void
  AddEnergy()
  {
    __syncthreads();
    if (threadIdx.x < 32)
    {
      const double energy = TileKineticEnergy(m_Memory.vectors,
                                              this->States(0) + static_cast<std::int64_t>(this->FirstPoint()) * width,
                                              this->PointsFromTile());
      if (threadIdx.x == 0)
      {
        this->Terms().kineticEnergy = energy;
      }
    }
    __syncthreads();
  }

  /** At the end of the trajectory, writes distances to the target, and the initial adjoint. */
  __device__ void
  Meet()
  {
    const T * const targets = this->Targets();
    if (!targets)
    {
      return;
    }
    const T lastWeight = m_Arguments.weight[m_Arguments.stages - 1];
    this->ForEachNumber([&](int number, int pointOfTile, std::int64_t at, bool isPoint) {
      if (isPoint)
      {
        const T * const record = targets + at / width * targetWidth;
        T               difference = 0;
        if (number < dimension)
        {
          difference = __ldcg(this->States(m_Stages) + at) - record[number];
          m_Memory.vectors[number][pointOfTile] = difference;
        }
        const T adjoint = this->FinalAdjoint(number, record, difference);
        this->Records(m_Arguments.carried)[at] = adjoint;
        this->Records(m_Arguments.sums)[at] = adjoint;
        this->Adjoints(m_Stages - 1)[at] = lastWeight * adjoint;
      }
    });
    __syncthreads();
    if (threadIdx.x < 32)
    {
      WriteDistances(m_Memory.vectors,
                     targets + static_cast<std::int64_t>(this->FirstPoint()) * targetWidth,
                     this->PointsFromTile(),
                     this->Terms());
    }
    __syncthreads();
  }

  /** Goes back from the adjoint of a stage to that of the previous stage, or from the first stage to the gradient. */
  __device__ void
  GoBack(int stage)
  {
    const Arguments & arguments = m_Arguments;
    const int         inStep = stage % arguments.stages;
    this->SumPairs<AdjointPoint>(stage);
    this->ForEachNumber([&](int number, int pointOfTile, std::int64_t at, bool isPoint) {
      if (!isPoint)
      {
        return;
      }
      const T part = this->SumOfWarps(number, pointOfTile) * (number < dimension ? static_cast<T>(twiceLogOf2) : T(1));
      const T sum = __ldcg(this->Records(arguments.sums) + at) + part;
      if (stage > 0)
      {
        T * const carried = this->Records(arguments.carried) + at;
        T         ofStepEnd = __ldcg(carried);
        this->Adjoints(stage - 1)[at] = PreviousAdjoint(arguments, inStep, part, sum, ofStepEnd);
        *carried = ofStepEnd;
        this->Records(arguments.sums)[at] = sum;
      }
      else if (number >= dimension)
      {
        this->WriteGradient(number - dimension,
                            static_cast<int>(at / width),
                            sum,
                            __ldcg(this->Records(arguments.firstSlopes) + at - dimension));
      }
    });
  }

  Memory & m_Memory;
  T *      m_Chunks;
};

/** Shoots all evaluations and goes back along those with a gradient: see TrajectoryArguments. A cooperative launch,
 * whose blocks share all tiles. */
template <typename TTile>
__global__ void
__launch_bounds__(TTile::threads, TTile::residentBlocks)
  TrajectoryKernel(const __grid_constant__ TrajectoryArguments<typename TTile::T> arguments)
{
  extern __shared__ int4 shared[];
  using Block = TrajectoryBlock<TTile>;
  Block block(arguments,
              *reinterpret_cast<typename Block::Memory *>(shared),
              reinterpret_cast<typename TTile::T *>(reinterpret_cast<char *>(shared) + sizeof(typename Block::Memory)));
  block.Run();
}

} // namespace cudaneuro

#endif
