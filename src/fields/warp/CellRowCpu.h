// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_warp_CellRowCpu_h
#define cudaneuro_fields_warp_CellRowCpu_h

#include "fields/warp/WarpFormulas.h"

#include <algorithm>
#include <cstring>

namespace cudaneuro::cpu
{

/** The cells around the positions of some voxels of a row, computed in loops that compilers vectorize. The numbers
 * equal those of SampleCellOf and IsInside bit by bit; computed voxel by voxel they take three to four times as long.
 *
 * It is for grids that Suits accepts. Functions are inlined, so that VectorDispatch compiles them for SIMD vectors. */
class CellRow
{
public:
  /** The maximum number of voxels at a time, for which the numbers stay in the fastest cache. */
  static constexpr int length = 64;

  static bool
  Suits(const Extent & extent)
  {
    return IsSmall(extent) && extent.x > 1;
  }

  explicit CellRow(const Extent & extent)
    : m_Extent(extent)
    , m_Lengths{ extent.x, extent.y, extent.z }
    , m_Strides{ 1, extent.x, extent.x * extent.y }
  {}

  /** Finds the positions of \p count voxels from (x, y, z) on; \p index is the index of the first voxel. */
  CUDANEURO_ALWAYS_INLINE void
  FindPositions(const WarpMap & map, int x, int y, int z, int count, std::int64_t index)
  {
    m_Count = count;
    for (int axis = 0; axis < 3; ++axis)
    {
      const double * const row = map.transform.matrix + 3 * axis;
      const double         offset = map.transform.offset[axis];
      Axis &               along = m_Axes[axis];
      CUDANEURO_INDEPENDENT_ITERATIONS
      for (int i = 0; i < count; ++i)
      {
        MapCoordinate<std::uint32_t>(row, offset, x + i, y, z, along.voxel[i], along.rest[i]);
      }
    }
    if (map.vectors.data || map.field.x)
    {
      this->AddField(map, index);
    }
  }

  CUDANEURO_ALWAYS_INLINE void
  FindCells()
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      Axis &    along = m_Axes[axis];
      const int voxels = m_Lengths[axis];
      const int stride = m_Strides[axis];
      CUDANEURO_INDEPENDENT_ITERATIONS
      for (int i = 0; i < m_Count; ++i)
      {
        const SamplePair pair = SamplePairAt<std::uint32_t>(along.voxel[i], along.rest[i], voxels);
        along.lower[i] = pair.lower * stride;
        along.step[i] = (pair.upper - pair.lower) * stride;
        along.fraction[i] = pair.fraction;
        along.isInside[i] = IsInside(along.voxel[i], along.rest[i], voxels);
      }
    }
  }

  /** Loads the voxels of the cells, two at a time along x, which is faster than gathering. */
  CUDANEURO_ALWAYS_INLINE void
  Load(const float * volume)
  {
    const int last = m_Extent.x - 2;
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (int i = 0; i < m_Count; ++i)
    {
      m_Offsets[i] = std::min(m_Axes[0].lower[i], last) + m_Axes[1].lower[i] + m_Axes[2].lower[i];
    }
    for (int i = 0; i < m_Count; ++i)
    {
      const float * const row = volume + m_Offsets[i];
      const float * const next = row + m_Axes[1].step[i];
      const int           stepZ = m_Axes[2].step[i];
      std::memcpy(m_Pairs[0] + 2 * i, row, sizeof(float[2]));
      std::memcpy(m_Pairs[1] + 2 * i, next, sizeof(float[2]));
      std::memcpy(m_Pairs[2] + 2 * i, row + stepZ, sizeof(float[2]));
      std::memcpy(m_Pairs[3] + 2 * i, next + stepZ, sizeof(float[2]));
    }
  }

  /** Computes the same values as InterpolateWeighted; \p outside for positions that are not on the grid. */
  CUDANEURO_ALWAYS_INLINE void
  Interpolate(float outside, float * values) const
  {
    const Axis & x = m_Axes[0];
    const Axis & y = m_Axes[1];
    const Axis & z = m_Axes[2];
    const int    last = m_Extent.x - 2;
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (int i = 0; i < m_Count; ++i)
    {
      // The last voxel of a row is the second one of its pair; no voxel follows it, and its fraction is 0.
      const bool isLast = x.lower[i] > last;
      const auto alongX = [&](const float * pairs) {
        const float lower = pairs[2 * i];
        const float upper = pairs[2 * i + 1];
        return BetweenWeighted(x.fraction[i], isLast ? upper : lower, upper);
      };
      const float value = BetweenWeighted(z.fraction[i],
                                          BetweenWeighted(y.fraction[i], alongX(m_Pairs[0]), alongX(m_Pairs[1])),
                                          BetweenWeighted(y.fraction[i], alongX(m_Pairs[2]), alongX(m_Pairs[3])));
      values[i] = this->IsInsideAt(i) ? value : outside;
    }
  }

  /** Computes the same values as NearestVoxel; \p outside for positions that are not on the grid. */
  CUDANEURO_ALWAYS_INLINE void
  TakeNearest(const float * volume, float outside, float * values)
  {
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (int i = 0; i < m_Count; ++i)
    {
      const auto place = [&](const Axis & axis) {
        return axis.lower[i] + (axis.fraction[i] >= 0.5f ? axis.step[i] : 0);
      };
      m_Offsets[i] = place(m_Axes[0]) + place(m_Axes[1]) + place(m_Axes[2]);
    }
    for (int i = 0; i < m_Count; ++i)
    {
      const float value = volume[m_Offsets[i]];
      values[i] = this->IsInsideAt(i) ? value : outside;
    }
  }

  /** Computes the same values as LabelOfMostWeight; \p outside where there is no label. Most cells have one label. */
  CUDANEURO_ALWAYS_INLINE void
  TakeLabels(float outside, float * values)
  {
    int areOfOne = 1;
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (int i = 0; i < m_Count; ++i)
    {
      const float label = m_Pairs[0][2 * i];
      const bool  isOne = (m_Pairs[0][2 * i + 1] == label) & (m_Pairs[1][2 * i] == label) &
                         (m_Pairs[1][2 * i + 1] == label) & (m_Pairs[2][2 * i] == label) &
                         (m_Pairs[2][2 * i + 1] == label) & (m_Pairs[3][2 * i] == label) &
                         (m_Pairs[3][2 * i + 1] == label);
      values[i] = this->IsInsideAt(i) ? label : outside;
      areOfOne &= static_cast<int>(isOne) | static_cast<int>(!this->IsInsideAt(i));
    }
    if (areOfOne == 0)
    {
      this->Vote(outside, values);
    }
  }

private:
  struct Axis
  {
    alignas(64) int voxel[length];
    alignas(64) float rest[length];
    /** Offsets in memory: of the lower voxel from the grid's first voxel, and of the upper voxel from the lower. */
    alignas(64) int lower[length];
    alignas(64) int step[length];
    alignas(64) float fraction[length];
    alignas(64) int isInside[length];
  };

  CUDANEURO_ALWAYS_INLINE SplitPosition
  PositionAt(int i) const
  {
    return { m_Axes[0].voxel[i], m_Axes[1].voxel[i], m_Axes[2].voxel[i],
             m_Axes[0].rest[i],  m_Axes[1].rest[i],  m_Axes[2].rest[i] };
  }

  CUDANEURO_ALWAYS_INLINE bool
  IsInsideAt(int i) const
  {
    return (m_Axes[0].isInside[i] & m_Axes[1].isInside[i] & m_Axes[2].isInside[i]) != 0;
  }

  CUDANEURO_ALWAYS_INLINE void
  AddField(const WarpMap & map, std::int64_t index)
  {
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (int i = 0; i < m_Count; ++i)
    {
      const SplitPosition moved = MovedPosition(map, this->PositionAt(i), DisplacementAt(map, index + i), 0);
      m_Axes[0].rest[i] = moved.restX;
      m_Axes[1].rest[i] = moved.restY;
      m_Axes[2].rest[i] = moved.restZ;
    }
  }

  /** The labels of the voxels of each cell, and their weights. */
  struct Ballots
  {
    alignas(64) float labels[8][length];
    alignas(64) float weights[8][length];
    /** The weights of the lower and the upper voxels along each axis. */
    alignas(64) float shares[3][2][length];
  };

  CUDANEURO_ALWAYS_INLINE void
  FillIn(Ballots & ballots) const
  {
    const int last = m_Extent.x - 2;
    for (int row = 0; row < 4; ++row)
    {
      CUDANEURO_INDEPENDENT_ITERATIONS
      for (int i = 0; i < m_Count; ++i)
      {
        const float lower = m_Pairs[row][2 * i];
        const float upper = m_Pairs[row][2 * i + 1];
        ballots.labels[2 * row][i] = m_Axes[0].lower[i] > last ? upper : lower;
        ballots.labels[2 * row + 1][i] = upper;
      }
    }
    for (int axis = 0; axis < 3; ++axis)
    {
      CUDANEURO_INDEPENDENT_ITERATIONS
      for (int i = 0; i < m_Count; ++i)
      {
        ballots.shares[axis][0][i] = 1.0f - m_Axes[axis].fraction[i];
        ballots.shares[axis][1][i] = m_Axes[axis].fraction[i];
      }
    }
    for (int k = 0; k < 8; ++k)
    {
      const float * const x = ballots.shares[0][k % 2];
      const float * const y = ballots.shares[1][k / 2 % 2];
      const float * const z = ballots.shares[2][k / 4];
      CUDANEURO_INDEPENDENT_ITERATIONS
      for (int i = 0; i < m_Count; ++i)
      {
        const float label = ballots.labels[k][i];
        ballots.weights[k][i] = x[i] * y[i] * z[i] * static_cast<float>(label == label);
      }
    }
  }

  CUDANEURO_ALWAYS_INLINE void
  Vote(float outside, float * values) const
  {
    Ballots ballots;
    this->FillIn(ballots);
    alignas(64) float most[length]{};
    alignas(64) float best[length]{};
    for (int k = 0; k < 8; ++k)
    {
      alignas(64) float weight[length]{};
      for (int other = 0; other < 8; ++other)
      {
        CUDANEURO_INDEPENDENT_ITERATIONS
        for (int i = 0; i < m_Count; ++i)
        {
          weight[i] += ballots.labels[other][i] == ballots.labels[k][i] ? ballots.weights[other][i] : 0.0f;
        }
      }
      CUDANEURO_INDEPENDENT_ITERATIONS
      for (int i = 0; i < m_Count; ++i)
      {
        const float label = ballots.labels[k][i];
        const bool  isBetter = (ballots.weights[k][i] > 0.0f) & IsBetterLabel(weight[i], label, most[i], best[i]);
        most[i] = isBetter ? weight[i] : most[i];
        best[i] = isBetter ? label : best[i];
      }
    }
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (int i = 0; i < m_Count; ++i)
    {
      values[i] = (this->IsInsideAt(i) & (most[i] > 0.0f)) ? best[i] : outside;
    }
  }

  Extent m_Extent;
  int    m_Lengths[3];
  int    m_Strides[3];
  int    m_Count = 0;
  Axis   m_Axes[3];
  alignas(64) int m_Offsets[length];
  /** The two voxels along x in each of the four rows of a cell. */
  alignas(64) float m_Pairs[4][2 * length];
};

} // namespace cudaneuro::cpu

#endif
