// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_FlowPoints_cuh
#define cudaneuro_landmarks_FlowPoints_cuh

#include "core/IntegerMath.h"
#include "landmarks/Flow.h"

#include <cstdint>

namespace cudaneuro::gpu
{

/** Counts of the points that fail. */
struct FlowCounts
{
  /** Number of points marked by the fixed-point iteration. */
  unsigned long long marked = 0;
  /** Number of points without an inverse, and their lowest index. */
  unsigned long long failed = 0;
  unsigned long long first = ~0ull;
};

/** The points that a kernel moves, and the output of their displacements: the voxels of a grid, or a list. A packet is
 * the points of a warp: on a grid, a brick of 8 x 4 voxels in as many planes as a thread has points, or in one plane
 * with as many times more rows.
 *
 * A displacement that could not be computed is marked by NaN in its first component. */
template <int VDimension>
struct FlowPoints
{
  /** Positions of a list in working units, replaced by displacements from \c results; null for a grid. */
  const double * list = nullptr;
  double *       results = nullptr;
  std::int64_t   count = 0;

  FlowGrid  grid;
  FlowField field;
  /** Length in mm of a working unit, by which displacements are multiplied; 1 for a list. */
  double length = 1.0;

  FlowReach    reach;
  FlowCounts * counts = nullptr;

  static constexpr int brickX = 8;
  static constexpr int brickY = 4;

  CUDANEURO_HOST_DEVICE std::int64_t
                        BricksAlongX() const
  {
    return DivideUp(std::int64_t{ grid.extent.x }, brickX);
  }
  CUDANEURO_HOST_DEVICE std::int64_t
                        BricksAlongY(int pointsPerThread) const
  {
    return DivideUp(std::int64_t{ grid.extent.y }, grid.extent.z > 1 ? brickY : brickY * pointsPerThread);
  }
  CUDANEURO_HOST_DEVICE std::int64_t
                        BricksAlongZ(int pointsPerThread) const
  {
    return grid.extent.z > 1 ? DivideUp(std::int64_t{ grid.extent.z }, pointsPerThread) : 1;
  }

  std::int64_t
  NumberOfPackets(int pointsPerThread) const
  {
    if (list != nullptr)
    {
      return DivideUp(count, std::int64_t{ 32 } * pointsPerThread);
    }
    return this->BricksAlongX() * this->BricksAlongY(pointsPerThread) * this->BricksAlongZ(pointsPerThread);
  }

  /** The index of a thread's p-th point; negative if there is none. */
  __device__ std::int64_t
             Find(std::int64_t packet, int lane, int p, int pointsPerThread) const
  {
    if (list != nullptr)
    {
      const std::int64_t index = (packet * pointsPerThread + p) * 32 + lane;
      return index < count ? index : -1;
    }
    const std::int64_t row = packet / this->BricksAlongX();
    const std::int64_t brick = packet - row * this->BricksAlongX();
    const std::int64_t plane = row / this->BricksAlongY(pointsPerThread);
    const std::int64_t rowOfPlane = row - plane * this->BricksAlongY(pointsPerThread);
    const bool         isSpace = grid.extent.z > 1;
    const std::int64_t x = brick * brickX + lane % brickX;
    const std::int64_t y = (isSpace ? rowOfPlane : rowOfPlane * pointsPerThread + p) * brickY + lane / brickX;
    const std::int64_t z = isSpace ? plane * pointsPerThread + p : 0;
    if (x >= grid.extent.x || y >= grid.extent.y || z >= grid.extent.z)
    {
      return -1;
    }
    return (z * grid.extent.y + y) * grid.extent.x + x;
  }

  /** Computes the position of a point. \returns whether the point exists and can move
   * \param isMarked whether only marked points are moved */
  __device__ bool
  Load(std::int64_t index, bool isMarked, double (&position)[VDimension]) const
  {
    if (index < 0 || (isMarked && !this->IsMarked(index)))
    {
      return false;
    }
    const std::int64_t row = list != nullptr ? 0 : index / grid.extent.x;
    const double       x = static_cast<double>(index - row * grid.extent.x);
    const double       y = static_cast<double>(row % grid.extent.y);
    const double       z = static_cast<double>(row / grid.extent.y);
    bool               isInside = true;
    for (int d = 0; d < VDimension; ++d)
    {
      const double * const matrix = grid.matrix + 3 * d;
      position[d] = list != nullptr ? list[index * VDimension + d]
                                    : matrix[0] * x + (matrix[1] * y + (matrix[2] * z + grid.offset[d]));
      isInside = isInside && position[d] >= reach.lowest[d] && position[d] <= reach.highest[d];
    }
    return isInside;
  }

  template <typename T>
  __device__ void
  Store(std::int64_t index, bool isMoved, const T (&displacement)[VDimension]) const
  {
    if (index < 0)
    {
      return;
    }
    if (list != nullptr)
    {
      for (int d = 0; d < VDimension; ++d)
      {
        results[index * VDimension + d] = isMoved ? static_cast<double>(displacement[d]) : 0.0;
      }
      return;
    }
    float * const vector = field.data + index * field.components;
    for (int d = 0; d < VDimension; ++d)
    {
      vector[d] = isMoved ? static_cast<float>(displacement[d] * static_cast<T>(length)) : 0.0f;
    }
    if (field.components > VDimension)
    {
      vector[VDimension] = 0.0f;
    }
  }

  /** Marks a point, and counts it. */
  __device__ void
  Mark(std::int64_t index, bool isFinal) const
  {
    if (isFinal)
    {
      atomicAdd(&counts->failed, 1ull);
      atomicMin(&counts->first, static_cast<unsigned long long>(index));
      return;
    }
    atomicAdd(&counts->marked, 1ull);
    if (list != nullptr)
    {
      results[index * VDimension] = nan("");
    }
    else
    {
      field.data[index * field.components] = nanf("");
    }
  }

private:
  __device__ bool
  IsMarked(std::int64_t index) const
  {
    return list != nullptr ? isnan(results[index * VDimension]) : isnan(field.data[index * field.components]);
  }
};

} // namespace cudaneuro::gpu

#endif
