// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_TrajectoryTeamTile_cuh
#define cudaneuro_landmarks_TrajectoryTeamTile_cuh

#include "landmarks/TileLossTerms.cuh"
#include "landmarks/TrajectorySteps.cuh"
#include "landmarks/TrajectoryTeamMemory.cuh"
#include "landmarks/TrajectoryTile.cuh"

namespace cudaneuro
{

/** A team's processing of the numbers of its own tile, before and after sums over pairs. A team with only one tile
 * keeps the tile's numbers in registers. */
template <typename TTile>
class TrajectoryTeamTile : protected TrajectoryTile<TTile>
{
  using Tile = TrajectoryTile<TTile>;

public:
  using T = typename TTile::T;
  using Arguments = TrajectoryArguments<T>;
  using Memory = TrajectoryTeamMemory<TTile>;

  __device__
  TrajectoryTeamTile(const Arguments & arguments, Memory & memory)
    : Tile(arguments)
    , m_Memory(memory)
    , m_HasOneTile(TTile::teams == 1 &&
                   arguments.numberOfEvaluations * arguments.numberOfTiles <= static_cast<int>(gridDim.x))
  {}

protected:
  using Tile::dimension;
  using Tile::m_Arguments;
  using Tile::m_Evaluation;
  using Tile::m_Stages;
  using Tile::width;
  static constexpr int numbersOfLane = TTile::teamWarps == 1 ? TTile::numbers / 2 : 1;

  /** A number of the tile that a lane processes after the sums. */
  struct Number
  {
    int number;
    int pointOfTile;
    int point;
    /** Whether the number belongs to this lane, and to an existing point. */
    bool isPoint;
    /** Its place in an array of records. */
    int at;
  };

  /** The values of a number that are kept from stage to stage. */
  struct Kept
  {
    T begin;
    T current;
    T carried;
    T sum;
  };

  /** Calls body(k, number) for the numbers of a lane. A team that is a block has a warp for each number of a point, and
   * a team that is a warp processes two numbers at a time. */
  template <typename TBody>
  __device__ __forceinline__ void
  ForEachNumber(const TBody & body) const
  {
#pragma unroll
    for (int k = 0; k < numbersOfLane; ++k)
    {
      Number number;
      number.number = TTile::teamWarps == 1 ? 2 * k + TTile::Lane() / TTile::points : TTile::Warp();
      number.pointOfTile = TTile::Lane() % TTile::points;
      number.point = this->FirstPoint() + number.pointOfTile;
      number.isPoint =
        (TTile::teamWarps == 1 || TTile::Lane() < TTile::points) && number.point < m_Arguments.numberOfPoints;
      number.at = number.point * width + number.number;
      if (number.number < TTile::numbers)
      {
        body(k, number);
      }
    }
  }

  /** Writes the tile's initial state. */
  __device__ void
  Start()
  {
    this->ForEachNumber([this](int k, const Number & number) {
      const T value = number.isPoint ? this->InitialState(number.number, number.point) : T(0);
      if (number.isPoint)
      {
        this->States(0)[number.at] = value;
      }
      m_Kept[k].current = value;
      this->WriteBox(0, number.number, number.point, value, number.isPoint);
    });
  }

  __device__ int *
  Mark(int stage) const
  {
    return m_Arguments.marks + static_cast<std::int64_t>(m_Evaluation) * (m_Stages + 1) + stage;
  }

  /** Loads the kept values of all numbers of a lane at once, because each store would delay the loads after it. */
  __device__ __forceinline__ void
  LoadKeptOfAdvance(int stage)
  {
    if (m_HasOneTile)
    {
      return;
    }
    const T * const current = this->States(stage);
    const T * const begin = this->States(stage - stage % m_Arguments.stages);
    const T * const carried = this->Records(m_Arguments.carried);
    this->ForEachNumber([&](int k, const Number & number) {
      m_Kept[k] = {};
      if (number.isPoint)
      {
        m_Kept[k].current = current[number.at];
        m_Kept[k].begin = begin[number.at];
        m_Kept[k].carried = carried[number.at];
      }
    });
  }

  /** Loads the kept values for going back, as LoadKeptOfAdvance. */
  __device__ __forceinline__ void
  LoadKeptOfGoingBack()
  {
    if (m_HasOneTile)
    {
      return;
    }
    const T * const sum = this->Records(m_Arguments.sums);
    const T * const carried = this->Records(m_Arguments.carried);
    this->ForEachNumber([&](int k, const Number & number) {
      m_Kept[k] = {};
      if (number.isPoint)
      {
        m_Kept[k].sum = sum[number.at];
        m_Kept[k].carried = carried[number.at];
      }
    });
  }

  __device__ __forceinline__ void
  AdvanceNumber(int stage, int k, const Number & number, T slope)
  {
    Kept &    kept = m_Kept[k];
    const int inStep = stage % m_Arguments.stages;
    if (inStep == 0)
    {
      kept.begin = kept.current;
    }
    const T next = NextState(m_Arguments, inStep, kept.begin, slope, kept.carried);
    if (number.isPoint)
    {
      this->States(stage + 1)[number.at] = next;
      if (!m_HasOneTile)
      {
        this->Records(m_Arguments.carried)[number.at] = kept.carried;
      }
      if (number.number < dimension && !(abs(next - kept.current) <= m_Arguments.mostMove))
      {
        *this->Mark(stage + 1) = 1;
      }
    }
    kept.current = next;
    if (stage == 0 && number.number < dimension)
    {
      this->Vectors()[number.number][number.pointOfTile] = slope;
      if (number.isPoint)
      {
        this->Records(m_Arguments.firstSlopes)[number.at] = slope;
      }
    }
    if (stage < m_Stages - 1)
    {
      this->WriteBox(stage + 1, number.number, number.point, next, number.isPoint);
    }
  }

  /** Velocities or differences from a target, for the terms of the loss. */
  __device__ auto &
  Vectors() const
  {
    return m_Memory.vectors[TTile::Warp() / TTile::teamWarps];
  }

  __device__ bool
  IsFirstWarp() const
  {
    return TTile::Warp() % TTile::teamWarps == 0;
  }

  /** Adds the kinetic energy, from the velocities. */
  __device__ void
  AddEnergy()
  {
    TTile::Synchronize();
    if (this->IsFirstWarp())
    {
      const double energy =
        TileKineticEnergy(this->Vectors(), this->States(0) + this->FirstPoint() * width, this->PointsFromTile());
      if (TTile::Lane() == 0)
      {
        this->Terms().kineticEnergy = energy;
      }
    }
    TTile::Synchronize();
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
    this->ForEachNumber([&](int k, const Number & number) {
      if (number.isPoint)
      {
        const T * const record = targets + number.point * targetWidth;
        T               difference = 0;
        if (number.number < dimension)
        {
          difference = this->States(m_Stages)[number.at] - record[number.number];
          this->Vectors()[number.number][number.pointOfTile] = difference;
        }
        m_Kept[k].carried = this->FinalAdjoint(number.number, record, difference);
        m_Kept[k].sum = m_Kept[k].carried;
        this->Records(m_Arguments.carried)[number.at] = m_Kept[k].carried;
        this->Records(m_Arguments.sums)[number.at] = m_Kept[k].sum;
        this->Adjoints(m_Stages - 1)[number.at] = m_Arguments.weight[m_Arguments.stages - 1] * m_Kept[k].carried;
      }
    });
    TTile::Synchronize();
    if (this->IsFirstWarp())
    {
      WriteDistances(
        this->Vectors(), targets + this->FirstPoint() * targetWidth, this->PointsFromTile(), this->Terms());
    }
    TTile::Synchronize();
  }

  __device__ __forceinline__ void
  GoBackNumber(int stage, int k, const Number & number, T part)
  {
    Kept &    kept = m_Kept[k];
    T * const sum = this->Records(m_Arguments.sums) + number.at;
    T * const carried = this->Records(m_Arguments.carried) + number.at;
    kept.sum += part;
    if (stage > 0)
    {
      this->Adjoints(stage - 1)[number.at] =
        PreviousAdjoint(m_Arguments, stage % m_Arguments.stages, part, kept.sum, kept.carried);
      if (!m_HasOneTile)
      {
        *sum = kept.sum;
        *carried = kept.carried;
      }
    }
    else if (number.number >= dimension)
    {
      this->WriteGradient(number.number - dimension,
                          number.point,
                          kept.sum,
                          this->Records(m_Arguments.firstSlopes)[number.at - dimension]);
    }
  }

  Memory & m_Memory;
  bool     m_HasOneTile;

private:
  Kept m_Kept[numbersOfLane] = {};
};

} // namespace cudaneuro

#endif
