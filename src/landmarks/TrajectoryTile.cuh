// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_TrajectoryTile_cuh
#define cudaneuro_landmarks_TrajectoryTile_cuh

#include "landmarks/TrajectoryArguments.h"
#include "points/PointRecords.cuh"

namespace cudaneuro
{

/** A tile of consecutive points of one evaluation: the places of its numbers, and the computations at the ends of a
 * trajectory. A number is a coordinate of a point's state (x, u); "at" is its place in an array of records. */
template <typename TTile>
class TrajectoryTile
{
public:
  using T = typename TTile::T;
  using Arguments = TrajectoryArguments<T>;
  static constexpr int dimension = TTile::dimension;
  static constexpr int width = recordWidth<dimension>;

  __device__ explicit TrajectoryTile(const Arguments & arguments)
    : m_Arguments(arguments)
    , m_Stages(arguments.numberOfSteps * arguments.stages)
  {}

protected:
  /** \param index over all tiles of all evaluations */
  __device__ void
  Select(int index)
  {
    m_Evaluation = index / m_Arguments.numberOfTiles;
    m_Tile = index % m_Arguments.numberOfTiles;
  }

  /** Array \p index of the \p count arrays of records that each evaluation has. */
  __device__ T *
  Records(T * array, int count = 1, int index = 0) const
  {
    return array + (static_cast<std::int64_t>(m_Evaluation) * count + index) * m_Arguments.paddedPoints * width;
  }
  __device__ T *
  States(int stage) const
  {
    return this->Records(m_Arguments.states, m_Stages + 1, stage);
  }
  __device__ T *
  Adjoints(int stage) const
  {
    return this->Records(m_Arguments.adjoints, 2, stage % 2);
  }
  __device__ T *
  Boxes(int stage) const
  {
    return m_Arguments.boxes +
           (static_cast<std::int64_t>(m_Evaluation) * m_Stages + stage) * m_Arguments.numberOfGroups * boxWidth;
  }
  __device__ LossTerms &
  Terms() const
  {
    return m_Arguments.terms[static_cast<std::int64_t>(m_Evaluation) * m_Arguments.numberOfTiles + m_Tile];
  }
  /** The records of the evaluation's target, or null. */
  __device__ const T *
  Targets() const
  {
    const int target = m_Arguments.targetOfEvaluation[m_Evaluation];
    return target < 0
             ? nullptr
             : m_Arguments.targets + static_cast<std::int64_t>(target) * m_Arguments.paddedPoints * targetWidth;
  }

  __device__ int
  FirstPoint() const
  {
    return m_Tile * TTile::points;
  }
  /** The number of points from the tile's first point to the end. */
  __device__ int
  PointsFromTile() const
  {
    return m_Arguments.numberOfPoints - this->FirstPoint();
  }

  __device__ T
  InitialState(int number, int point) const
  {
    const std::int64_t first = static_cast<std::int64_t>(m_Evaluation) * m_Arguments.numberOfPoints;
    return number < dimension
             ? m_Arguments.templatePoints[static_cast<std::int64_t>(point) * dimension + number]
             : static_cast<T>(m_Arguments.momenta[(first + m_Arguments.order[point]) * dimension + number - dimension] *
                              m_Arguments.scale);
  }

  /** Writes the boxes of groups, each from the coordinate \p number of 16 lanes' points. Called by all lanes. */
  __device__ __forceinline__ void
  WriteBox(int stage, int number, int point, T value, bool isPoint) const
  {
    const T beyond = static_cast<T>(3e38);
    T       lowest = isPoint ? value : beyond;
    T       highest = isPoint ? value : -beyond;
    for (int distance = 1; distance < pointsPerGroup; distance *= 2)
    {
      lowest = min(lowest, __shfl_xor_sync(0xffffffffu, lowest, distance));
      highest = max(highest, __shfl_xor_sync(0xffffffffu, highest, distance));
    }
    // The first lane of a group has an existing point, if the group exists.
    if (number < dimension && point % pointsPerGroup == 0 && isPoint)
    {
      T * const box = this->Boxes(stage) + static_cast<std::int64_t>(point) / pointsPerGroup * boxWidth;
      box[number] = lowest;
      box[boxHighest + number] = highest;
    }
  }

  /** The adjoint of a number at the end of the trajectory. \param difference of a position from the target */
  __device__ T
  FinalAdjoint(int number, const T * record, T difference) const
  {
    return number < dimension ? m_Arguments.twiceLambda * record[targetWeight] * difference : T(0);
  }

  __device__ void
  WriteGradient(int coordinate, int point, T adjoint, T velocity) const
  {
    const std::int64_t first = static_cast<std::int64_t>(m_Evaluation) * m_Arguments.numberOfPoints;
    m_Arguments.gradients[(first + m_Arguments.order[point]) * dimension + coordinate] =
      (static_cast<double>(adjoint) + velocity) / m_Arguments.scale;
  }

  const Arguments & m_Arguments;
  int               m_Stages;
  int               m_Evaluation = 0;
  int               m_Tile = 0;
};

} // namespace cudaneuro

#endif
