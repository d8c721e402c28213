// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_VoxelChunkCpu_h
#define cudaneuro_metrics_VoxelChunkCpu_h

#include "core/IntegerMath.h"
#include "core/VectorDispatch.h"
#include "fields/CellSampler.h"
#include "metrics/ComparisonFormulas.h"
#include "metrics/MappedRowCpu.h"
#include "metrics/MetricEvaluator.h"
#include "metrics/correlation/WeightUnits.h"

#include <algorithm>
#include <cmath>
#include <cstring>

/** Voxels of the fixed and of the moving image, in chunks for the loops of metrics on the CPU. */
namespace cudaneuro::cpu
{

/** Included voxels of a row of the fixed image, and the moving image at their positions. The chunk is so short that its
 * buffers stay in the first-level cache. */
struct VoxelChunk
{
  static constexpr int length = 128;
  /** Loops over whole vectors extend to the next multiple of this; entries after the last voxel repeat it. */
  static constexpr int lanes = 16;

  /** The voxel of the row to which x is relative. */
  int first = 0;
  int count = 0;
  alignas(64) int x[length];
  alignas(64) float fixed[length];
  alignas(64) float value[length];
  /** The derivatives of the moving image along its axes. */
  alignas(64) float gradientX[length];
  alignas(64) float gradientY[length];
  alignas(64) float gradientZ[length];
  /** The weight of a voxel, if voxels are weighted, and its derivatives by the position on the moving grid. */
  alignas(64) float weight[length];
  alignas(64) float fadeX[length];
  alignas(64) float fadeY[length];
  alignas(64) float fadeZ[length];
  /** Whether there are voxels whose weight has a derivative; only then are the derivatives set. */
  bool isFading = false;

  int
  PaddedCount() const
  {
    return RoundUp(count, lanes);
  }
};

/** Returns the sum of VoxelChunk::lanes numbers, added in pairs. */
CUDANEURO_ALWAYS_INLINE float
SumOfLanes(float * lanes)
{
  for (int half = VoxelChunk::lanes / 2; half > 0; half /= 2)
  {
    for (int lane = 0; lane < half; ++lane)
    {
      lanes[lane] += lanes[lane + half];
    }
  }
  return lanes[0];
}

/** The positions along an axis of the moving grid: position + step * x, in double precision, so that positions in large
 * images keep as many digits as those in small ones. */
struct ChunkAxis
{
  double position;
  double step;
  /** The center of the last voxel, and the lower end of the last cell. */
  double last;
  double lastCell;

  ChunkAxis(const MappedRow & row, int axis, int x, int length)
    : position(row.At(axis, x))
    , step(row.step[axis])
    , last(length - 1)
    , lastCell(std::max(0, length - 2))
  {}

  CUDANEURO_ALWAYS_INLINE double
  At(int x) const
  {
    return step * x + position;
  }

  /** Returns whether voxels from \p begin to \p end lie between the outermost centers. */
  CUDANEURO_ALWAYS_INLINE bool
  Contains(int begin, int end) const
  {
    return At(begin) >= 0.0 && At(begin) <= last && At(end) >= 0.0 && At(end) <= last;
  }

  /** Returns the nearest position on the grid. */
  CUDANEURO_ALWAYS_INLINE double
  Bound(double at) const
  {
    const double atLeast = at > 0.0 ? at : 0.0;
    return atLeast < last ? atLeast : last;
  }

  /** Returns the lower end of the cell of a position on the grid. */
  CUDANEURO_ALWAYS_INLINE double
  Lower(double bounded) const
  {
    const double whole = std::floor(bounded);
    return whole < lastCell ? whole : lastCell;
  }

  /** Returns 1 where the image has a derivative, else 0: beyond the outermost centers it is constant. */
  CUDANEURO_ALWAYS_INLINE float
  HasDerivative(double at) const
  {
    return at >= 0.0 && at < last ? 1.0f : 0.0f;
  }
};

/** Fills chunks with the included voxels of rows. */
class ChunkReader
{
public:
  explicit ChunkReader(const ImageComparison & comparison)
    : m_Comparison(comparison)
    , m_Grid(comparison.movingExtent)
  {}

  /** Calls body(chunk) for the included voxels of a row. The gradient and the weights are set with VWithGradient and
   * VWeighted.
   * \param firstVoxel index of the row's voxel 0 */
  template <bool VWithGradient, bool VWeighted = false, typename TBody>
  CUDANEURO_ALWAYS_INLINE void
  ForChunks(const MappedRow & row, std::int64_t firstVoxel, VoxelChunk & chunk, const TBody & body) const
  {
    const Extent & to = m_Comparison.movingExtent;
    for (int begin = row.begin; begin < row.end; begin += VoxelChunk::length)
    {
      const ChunkAxis axes[3] = { { row, 0, begin, to.x }, { row, 1, begin, to.y }, { row, 2, begin, to.z } };
      chunk.first = begin;
      chunk.count = std::min(VoxelChunk::length, row.end - begin);
      this->SelectVoxels(axes, firstVoxel + begin, chunk);
      if (chunk.count > 0)
      {
        this->Sample<VWithGradient>(axes, chunk);
        if constexpr (VWeighted)
        {
          this->Weigh(axes, firstVoxel + begin, chunk);
        }
        body(chunk);
      }
    }
  }

private:
  /** Sets x and fixed of the voxels inside the masks. */
  CUDANEURO_ALWAYS_INLINE void
  SelectVoxels(const ChunkAxis * axes, std::int64_t firstVoxel, VoxelChunk & chunk) const
  {
    const float * const fixed = m_Comparison.fixed + firstVoxel;
    CopyFixed(fixed, chunk);
    if (m_Comparison.fixedMask != nullptr)
    {
      const unsigned char * const mask = m_Comparison.fixedMask + firstVoxel;
      KeepVoxels(chunk, [mask](int i) { return mask[i] != 0; });
    }
    if (m_Comparison.fixedWeights != nullptr)
    {
      const unsigned char * const weights = m_Comparison.fixedWeights + firstVoxel;
      KeepVoxels(chunk, [weights, &chunk](int i) { return weights[chunk.x[i]] != 0; });
    }
    if (m_Comparison.movingMask != nullptr)
    {
      int nearest[VoxelChunk::length];
      this->FindNearest(axes, chunk, nearest);
      const unsigned char * const mask = m_Comparison.movingMask;
      KeepVoxels(chunk, [mask, &nearest](int i) { return mask[nearest[i]] != 0; });
    }
    const int padded = chunk.PaddedCount();
    for (int i = chunk.count; i < padded; ++i)
    {
      chunk.x[i] = chunk.x[chunk.count - 1];
      chunk.fixed[i] = chunk.fixed[chunk.count - 1];
    }
  }

  /** Copies in SIMD vectors, because a call of memcpy takes longer. */
  static CUDANEURO_ALWAYS_INLINE void
  CopyFixed(const float * fixed, VoxelChunk & chunk)
  {
    constexpr int lanes = VoxelChunk::lanes;
    const int     whole = RoundDown(chunk.count, lanes);
    for (int i = 0; i < whole; i += lanes)
    {
      for (int lane = 0; lane < lanes; ++lane)
      {
        chunk.x[i + lane] = i + lane;
        chunk.fixed[i + lane] = fixed[i + lane];
      }
    }
    for (int i = whole; i < chunk.count; ++i)
    {
      chunk.x[i] = i;
      chunk.fixed[i] = fixed[i];
    }
  }

  template <typename TIsInside>
  static CUDANEURO_ALWAYS_INLINE void
  KeepVoxels(VoxelChunk & chunk, const TIsInside & isInside)
  {
    int kept = 0;
    for (int i = 0; i < chunk.count; ++i)
    {
      chunk.x[kept] = chunk.x[i];
      chunk.fixed[kept] = chunk.fixed[i];
      kept += isInside(i) ? 1 : 0;
    }
    chunk.count = kept;
  }

  /** Finds the voxels of the moving grid nearest to the positions. */
  CUDANEURO_ALWAYS_INLINE void
  FindNearest(const ChunkAxis * axes, const VoxelChunk & chunk, int * nearest) const
  {
    const auto round = [](const ChunkAxis & axis, int x) {
      return static_cast<int>(std::floor(axis.Bound(axis.At(x)) + 0.5));
    };
    for (int i = 0; i < chunk.count; ++i)
    {
      const int x = chunk.x[i];
      nearest[i] = round(axes[0], x) + round(axes[1], x) * m_Grid.row + round(axes[2], x) * m_Grid.plane;
    }
  }

  /** Sets the weights of the voxels; those after the last voxel are 0. */
  CUDANEURO_ALWAYS_INLINE void
  Weigh(const ChunkAxis * axes, std::int64_t firstVoxel, VoxelChunk & chunk) const
  {
    const unsigned char * const weights = m_Comparison.fixedWeights;
    const int                   padded = chunk.PaddedCount();
    for (int i = 0; i < padded; ++i)
    {
      const float weight =
        weights != nullptr ? static_cast<float>(weights[firstVoxel + chunk.x[i]]) * weightPerUnit : 1.0f;
      chunk.weight[i] = i < chunk.count ? weight : 0.0f;
    }
    const int last = chunk.x[chunk.count - 1];
    chunk.isFading =
      m_Comparison.fadesOut &&
      !(axes[0].Contains(chunk.x[0], last) && axes[1].Contains(chunk.x[0], last) && axes[2].Contains(chunk.x[0], last));
    if (chunk.isFading)
    {
      this->FadeOut(axes, chunk);
    }
  }

  /** Multiplies the weights by those that remain outside the grid, and sets the derivatives. */
  CUDANEURO_ALWAYS_INLINE void
  FadeOut(const ChunkAxis * axes, VoxelChunk & chunk) const
  {
    const int padded = chunk.PaddedCount();
    for (int i = 0; i < padded; ++i)
    {
      Fade fades[3];
      for (int axis = 0; axis < 3; ++axis)
      {
        fades[axis] = FadeAt(static_cast<float>(-axes[axis].At(chunk.x[i])),
                             static_cast<float>(axes[axis].At(chunk.x[i]) - axes[axis].last),
                             m_Comparison.extended.lower[axis],
                             m_Comparison.extended.upper[axis]);
      }
      const float weight = chunk.weight[i];
      chunk.fadeX[i] = weight * fades[0].slope * fades[1].left * fades[2].left;
      chunk.fadeY[i] = weight * fades[0].left * fades[1].slope * fades[2].left;
      chunk.fadeZ[i] = weight * fades[0].left * fades[1].left * fades[2].slope;
      chunk.weight[i] = weight * fades[0].left * fades[1].left * fades[2].left;
    }
  }

  template <bool VWithGradient>
  CUDANEURO_ALWAYS_INLINE void
  Sample(const ChunkAxis * axes, VoxelChunk & chunk) const
  {
    CellBuffers cells;
    this->FindCells<VWithGradient>(axes, chunk, cells);
    this->LoadCells(chunk, cells);
    const int padded = chunk.PaddedCount();
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (int i = 0; i < padded; ++i)
    {
      Cell cell;
      cell.x = cells.x[i];
      cell.y = cells.y[i];
      cell.z = cells.z[i];
      const auto       value = [&cells, i](int row, int upper) { return cells.pairs[row][2 * i + upper]; };
      const CellValues values{ value(0, 0), value(0, 1), value(1, 0), value(1, 1),
                               value(2, 0), value(2, 1), value(3, 0), value(3, 1) };
      if constexpr (VWithGradient)
      {
        const ValueAndGradient sample = cell.InterpolateWithGradient(values);
        chunk.value[i] = sample.value;
        chunk.gradientX[i] *= sample.x;
        chunk.gradientY[i] *= sample.y;
        chunk.gradientZ[i] *= sample.z;
      }
      else
      {
        chunk.value[i] = cell.Interpolate(values);
      }
    }
  }

  /** The cells of a chunk, as in fields/CellSampler.h, in arrays for vectorized loops. */
  struct CellBuffers
  {
    alignas(64) int offset[VoxelChunk::length];
    alignas(64) float x[VoxelChunk::length];
    alignas(64) float y[VoxelChunk::length];
    alignas(64) float z[VoxelChunk::length];
    /** The two neighbors along x in each of the four rows of the cell. */
    alignas(64) float pairs[4][2 * VoxelChunk::length];
  };

  /** Finds the cells. Sets the gradients to HasDerivative, with which the image's derivatives are multiplied later. */
  template <bool VWithGradient>
  CUDANEURO_ALWAYS_INLINE void
  FindCells(const ChunkAxis * axes, VoxelChunk & chunk, CellBuffers & cells) const
  {
    const ChunkAxis ofX = axes[0];
    const ChunkAxis ofY = axes[1];
    const ChunkAxis ofZ = axes[2];
    const CellGrid  grid = m_Grid;
    const int       padded = chunk.PaddedCount();
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (int i = 0; i < padded; ++i)
    {
      const double x = ofX.At(chunk.x[i]);
      const double y = ofY.At(chunk.x[i]);
      const double z = ofZ.At(chunk.x[i]);
      const double lowerX = ofX.Lower(ofX.Bound(x));
      const double lowerY = ofY.Lower(ofY.Bound(y));
      const double lowerZ = ofZ.Lower(ofZ.Bound(z));
      cells.x[i] = static_cast<float>(ofX.Bound(x) - lowerX);
      cells.y[i] = static_cast<float>(ofY.Bound(y) - lowerY);
      cells.z[i] = static_cast<float>(ofZ.Bound(z) - lowerZ);
      cells.offset[i] =
        static_cast<int>(lowerX) + static_cast<int>(lowerY) * grid.row + static_cast<int>(lowerZ) * grid.plane;
      if constexpr (VWithGradient)
      {
        chunk.gradientX[i] = ofX.HasDerivative(x);
        chunk.gradientY[i] = ofY.HasDerivative(y);
        chunk.gradientZ[i] = ofZ.HasDerivative(z);
      }
    }
  }

  /** Loads the voxels of the cells in pairs along x, which is faster than gathering. */
  CUDANEURO_ALWAYS_INLINE void
  LoadCells(const VoxelChunk & chunk, CellBuffers & cells) const
  {
    const int           padded = chunk.PaddedCount();
    const float * const rows[4] = { m_Comparison.moving,
                                    m_Comparison.moving + m_Grid.stepY,
                                    m_Comparison.moving + m_Grid.stepZ,
                                    m_Comparison.moving + m_Grid.stepY + m_Grid.stepZ };
    for (int i = 0; i < padded; ++i)
    {
      for (int row = 0; row < 4; ++row)
      {
        std::memcpy(cells.pairs[row] + 2 * i, rows[row] + cells.offset[i], 2 * sizeof(float));
      }
    }
  }

  ImageComparison m_Comparison;
  CellGrid        m_Grid;
};

} // namespace cudaneuro::cpu

#endif
