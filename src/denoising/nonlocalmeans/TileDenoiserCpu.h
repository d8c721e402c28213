// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_TileDenoiserCpu_h
#define cudaneuro_denoising_nonlocalmeans_TileDenoiserCpu_h

#include "core/HostMemory.h"
#include "denoising/nonlocalmeans/NonLocalMeansLoopsCpu.h"
#include "denoising/nonlocalmeans/NonLocalMeansPlanCpu.h"
#include "denoising/nonlocalmeans/PatchBoxFilterCpu.h"
#include "images/noise/NoiseValues.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace cudaneuro::cpu
{

/** The pairs (i, i + offset) of one tile. */
struct WindowOffset
{
  NonLocalMeansPlan::Sizes offset;
  /** Rows and planes of i for which i or i + offset is in the tile. */
  std::int64_t rowBegin;
  std::int64_t numberOfRows;
  std::int64_t planeBegin;
  std::int64_t planeEnd;
  bool         isCenter;

  WindowOffset(const NonLocalMeansPlan::Sizes & o, const Tile & tile)
    : offset(o)
    , rowBegin(std::min<std::int64_t>(0, -o[1]))
    , numberOfRows(tile.size[1] + (o[1] < 0 ? -o[1] : o[1]))
    , planeBegin(-o[2])
    , planeEnd(tile.size[2])
    , isCenter(o[0] == 0 && o[1] == 0 && o[2] == 0)
  {}
};

/** Returns the layout of a tile's sums. It has room for rows outside the tile that pairs reach; their sums are not
 * used. */
inline Tile
MakeSumTile(const NonLocalMeansPlan & plan, Tile tile)
{
  tile.halo[1] = plan.window[1];
  tile.halo[2] = 0;
  return tile;
}

/** Denoises one tile by one box filter for each window offset (Darbon et al. 2008).
 *
 * The weights of all pairs (i, i + t) of one offset t are a box filter of one image of terms. As
 * w(i, i + t) = w(i + t, i), each weight serves both voxels, and half of the offsets suffice. A tile computes all
 * weights that its own voxels need, so that tiles are independent and the result does not depend on how threads share
 * them. */
class TileDenoiser
{
public:
  TileDenoiser(const NonLocalMeansPlan & plan, const Grid & grid, const Tile & tile)
    : m_Plan(plan)
    , m_Grid(grid)
    , m_Tile(tile)
    , m_SumTile(MakeSumTile(plan, tile))
    , m_Values(tile.Count(), plan.window[0])
    , m_Box(plan.patch, tile.rowStride, tile.size[1] + plan.window[1])
    , m_CountBox(plan.patch, tile.rowStride, tile.size[1] + plan.window[1])
    , m_Sums(m_SumTile.Count(), plan.window[0])
    , m_WeightSums(m_SumTile.Count(), plan.window[0])
    , m_Maxima(plan.NeedsMaxima() ? m_SumTile.Count() : 0, plan.window[0])
    , m_Precision(plan.HasMap() ? tile.Count() : 0, plan.window[0])
  {
    if (plan.HasMap())
    {
      m_OtherBox.emplace(plan.patch, tile.rowStride, tile.size[1] + plan.window[1]);
    }
  }

  /** \returns false where no voxel of the tile takes part. */
  bool
  Gather(const float * input, const unsigned char * mask)
  {
    m_Values.Fill(takesNoPart);
    m_Participation = GatherTile(m_Grid, m_Tile, input, mask, m_Plan.scale, m_Values.Data());
    if (m_Plan.HasMap())
    {
      this->GatherPrecision();
    }
    return m_Participation.anyInBox;
  }

  void
  Run()
  {
    m_Sums.Fill(0.0f);
    m_WeightSums.Fill(0.0f);
    m_Maxima.Fill(0.0f);
    const NonLocalMeansPlan::Sizes & radius = m_Plan.window;
    // Half of the window: the other half gives the same pairs.
    for (std::int64_t z = 0; z <= radius[2]; ++z)
    {
      for (std::int64_t y = z == 0 ? 0 : -radius[1]; y <= radius[1]; ++y)
      {
        for (std::int64_t x = z == 0 && y == 0 ? 0 : -radius[0]; x <= radius[0]; ++x)
        {
          this->RunOffset(WindowOffset({ x, y, z }, m_Tile));
        }
      }
    }
  }

  /** Writes the tile's outputs; voxels that take no part are copied. \p input and \p output are whole volumes. */
  void
  WriteOutput(const float * input, float * output) const
  {
    for (std::int64_t z = 0; z < m_Tile.size[2]; ++z)
    {
      for (std::int64_t y = 0; y < m_Tile.size[1]; ++y)
      {
        const std::int64_t row =
          m_Tile.begin[0] + m_Grid.size[0] * (m_Tile.begin[1] + y + m_Grid.size[1] * (m_Tile.begin[2] + z));
        for (std::int64_t x = 0; x < m_Tile.size[0]; ++x)
        {
          const float * const value = m_Values.Data() + m_Tile.Index(x, y, z);
          output[row + x] = *value < takesNoPart ? this->DenoisedValue(input[row + x], value, m_SumTile.Index(x, y, z))
                                                 : input[row + x];
        }
      }
    }
  }

private:
  /** RelativePrecision() of the tile and its halo. */
  void
  GatherPrecision()
  {
    m_Precision.Fill(1.0f);
    const auto begin = [&](int axis) { return std::max(-m_Tile.halo[axis], -m_Tile.begin[axis]); };
    const auto end = [&](int axis) {
      return std::min(m_Tile.size[axis] + m_Tile.halo[axis], m_Grid.size[axis] - m_Tile.begin[axis]);
    };
    for (std::int64_t z = begin(2); z < end(2); ++z)
    {
      for (std::int64_t y = begin(1); y < end(1); ++y)
      {
        const std::int64_t row = m_Grid.size[0] * (m_Tile.begin[1] + y + m_Grid.size[1] * (m_Tile.begin[2] + z));
        for (std::int64_t x = begin(0); x < end(0); ++x)
        {
          const float noise = m_Plan.noise[row + m_Tile.begin[0] + x];
          m_Precision.Data()[m_Tile.Index(x, y, z)] = RelativePrecision(m_Plan.largestNoise, noise);
        }
      }
    }
  }

  /** The precision of the voxel of a scaled intensity in m_Values; not to be read without a map. */
  const float *
  PrecisionOf(const float * value) const
  {
    return m_Plan.HasMap() ? m_Precision.Data() + (value - m_Values.Data()) : nullptr;
  }

  /** Whether the two ends of pairs have different terms: PatchSum with a map. */
  bool
  HasOtherTerms(const WindowOffset & pairs) const
  {
    return m_Plan.HasMap() && m_Plan.IsPatchSum() && !pairs.isCenter;
  }

  /** Whether the pairs of a patch must be counted. Otherwise their number is a product of one number for each axis. */
  bool
  CountsPairs() const
  {
    return !m_Plan.IsPatchSum() && !m_Participation.allInImage;
  }

  void
  RunOffset(const WindowOffset & pairs)
  {
    if (pairs.isCenter && !m_Plan.IsPatchSum())
    {
      return;
    }
    if (!m_Plan.IsPatchSum() && !this->CountsPairs())
    {
      this->ComputeInverseCountsOfPlane(pairs);
    }
    const std::int64_t numberOfPlanes = pairs.planeEnd - pairs.planeBegin;
    const std::int64_t reach = 2 * m_Plan.patch[2];
    for (std::int64_t plane = 0; plane < numberOfPlanes + reach; ++plane)
    {
      this->AddTerms(pairs, plane);
      const std::int64_t done = plane - reach;
      if (done >= 0 && (done % 2 == 1 || done == numberOfPlanes - 1))
      {
        this->FinishPlanes(pairs, done - done % 2, done % 2 == 1);
      }
    }
  }

  /** Adds planes \p first and, withNext, first + 1, counted from pairs.planeBegin, to the sums. */
  void
  FinishPlanes(const WindowOffset & pairs, std::int64_t first, bool withNext)
  {
    m_Box.SumAlongZ(first, withNext, pairs.numberOfRows);
    if (this->HasOtherTerms(pairs))
    {
      m_OtherBox->SumAlongZ(first, withNext, pairs.numberOfRows);
    }
    if (this->CountsPairs())
    {
      m_CountBox.SumAlongZ(first, withNext, pairs.numberOfRows);
    }
    for (int i = 0; i < (withNext ? 2 : 1); ++i)
    {
      const std::int64_t z = pairs.planeBegin + first + i;
      if (!this->AccumulateBothEnds(pairs, z, i == 1))
      {
        this->ComputeWeights(pairs, z, i == 1);
        this->AccumulatePlane(pairs, z);
      }
    }
  }

  /** Returns the distance in m_Values from i to i + offset. */
  std::int64_t
  ValueShift(const WindowOffset & pairs) const
  {
    return pairs.offset[0] + m_Tile.rowStride * pairs.offset[1] + m_Tile.PlaneStride() * pairs.offset[2];
  }

  void
  AddTerms(const WindowOffset & pairs, std::int64_t plane)
  {
    const std::int64_t patchY = m_Plan.patch[1];
    const std::int64_t z = pairs.planeBegin - m_Plan.patch[2] + plane;
    const std::int64_t n = (pairs.numberOfRows + 2 * patchY) * m_Tile.rowStride;
    const float *      a = m_Values.Data() + m_Tile.Index(-m_Tile.halo[0], pairs.rowBegin - patchY, z);
    const float *      b = a + this->ValueShift(pairs);
    if (pairs.isCenter)
    {
      ComputePairCounts(n, a, b, m_Box.Terms());
    }
    else if (this->HasOtherTerms(pairs))
    {
      ComputePatchSumTerms(n, a, b, this->PrecisionOf(a), m_Box.Terms());
      ComputePatchSumTerms(n, b, a, this->PrecisionOf(b), m_OtherBox->Terms());
      m_OtherBox->AddPlane(plane, pairs.numberOfRows);
    }
    else if (m_Plan.IsPatchSum())
    {
      ComputePatchSumTerms(n, a, b, m_Box.Terms());
    }
    else
    {
      ComputeSquaredDifferences(n, a, b, m_Box.Terms());
    }
    m_Box.AddPlane(plane, pairs.numberOfRows);
    if (this->CountsPairs())
    {
      ComputePairCounts(n, a, b, m_CountBox.Terms());
      m_CountBox.AddPlane(plane, pairs.numberOfRows);
    }
  }

  /** Returns the factor from the inverse counts of ComputeInverseCountsOfPlane to those of plane \p z. */
  float
  InverseCountAlongZ(const WindowOffset & pairs, std::int64_t z) const
  {
    return 1.0f / static_cast<float>(std::max<std::int64_t>(1, this->CountAlong(2, z, pairs.offset[2])));
  }

  /** Computes and adds the weights of plane \p z in one loop. This serves where both ends of the pairs are in the tile
   * and in different rows, no pairs are counted, and no maxima are needed.
   * \returns whether it was done */
  bool
  AccumulateBothEnds(const WindowOffset & pairs, std::int64_t z, bool isNext)
  {
    const std::int64_t zOfB = z + pairs.offset[2];
    const bool         isSameRow = pairs.offset[1] == 0 && pairs.offset[2] == 0;
    if (isSameRow || z < 0 || zOfB >= m_Tile.size[2] || this->CountsPairs() || m_Plan.NeedsMaxima())
    {
      return false;
    }
    // Within a plane row by row: there the sums of the two ends overlap only in columns that are not used.
    const std::int64_t numberOfBlocks = pairs.offset[2] == 0 ? pairs.numberOfRows : 1;
    const std::int64_t rowsPerBlock = pairs.numberOfRows / numberOfBlocks;
    bool               isDone = true;
    for (std::int64_t block = 0; block < numberOfBlocks && isDone; ++block)
    {
      const std::int64_t row = block * rowsPerBlock;
      WithConstant<0, 1, 2, 3>((m_Plan.parameters.ricianCorrection ? 1 : 0) + (m_Plan.HasMap() ? 2 : 0),
                               [&](auto constant) {
                                 constexpr bool isSquared = constant() % 2 != 0;
                                 constexpr bool hasMap = constant() / 2 != 0;
                                 isDone = this->AccumulateRows<isSquared, hasMap>(pairs, z, isNext, row, rowsPerBlock);
                               });
    }
    return isDone;
  }

  /** Does AccumulateBothEnds for some rows; \p row counts from pairs.rowBegin. */
  template <bool VSquares, bool VMap>
  bool
  AccumulateRows(const WindowOffset & pairs, std::int64_t z, bool isNext, std::int64_t row, std::int64_t numberOfRows)
  {
    const std::int64_t x = -m_Tile.halo[0];
    const std::int64_t y = pairs.rowBegin + row;
    const float *      a = m_Values.Data() + m_Tile.Index(x, y, z);
    const std::int64_t toA = m_SumTile.Index(x, y, z);
    const std::int64_t toB = m_SumTile.Index(x + pairs.offset[0], y + pairs.offset[1], z + pairs.offset[2]);
    const float *      b = a + this->ValueShift(pairs);
    const std::int64_t firstSum = row * m_Tile.rowStride - m_Plan.patch[0];
    const PairSums     sumsOfPairs{ a,
                                b,
                                this->PrecisionOf(a),
                                this->PrecisionOf(b),
                                VMap ? m_OtherBox->SumsAlongZ(isNext) + firstSum : nullptr,
                                m_Plan.rician.twiceReference,
                                m_Sums.Data() + toA,
                                m_WeightSums.Data() + toA,
                                m_Sums.Data() + toB,
                                m_WeightSums.Data() + toB };
    const std::int64_t n = numberOfRows * m_Tile.rowStride;
    const std::int64_t count = 2 * m_Plan.patch[0] + 1;
    const float *      sums = m_Box.SumsAlongZ(isNext) + firstSum;
    const float *      inverse = m_CountBox.Boxes() + row * m_Tile.rowStride;
    if (m_Plan.IsPatchSum())
    {
      return AccumulatePairs<true, VSquares, VMap>(n, sums, count, inverse, 1.0f, sumsOfPairs);
    }
    return AccumulatePairs<false, VSquares, VMap>(
      n, sums, count, inverse, this->InverseCountAlongZ(pairs, z), sumsOfPairs);
  }

  /** Turns the box filter's results of plane \p z into weights, in place. With a map, those of b are in the other box. */
  void
  ComputeWeights(const WindowOffset & pairs, std::int64_t z, bool isNext)
  {
    const std::int64_t n = pairs.numberOfRows * m_Tile.rowStride;
    const float *      a = m_Values.Data() + m_Tile.Index(-m_Tile.halo[0], pairs.rowBegin, z);
    const float *      b = a + this->ValueShift(pairs);
    m_Box.SumAlongX(isNext, pairs.numberOfRows);
    if (m_Plan.IsPatchSum())
    {
      MaskWeights(n, a, b, m_Box.Boxes());
      if (this->HasOtherTerms(pairs))
      {
        m_OtherBox->SumAlongX(isNext, pairs.numberOfRows);
        MaskWeights(n, a, b, m_OtherBox->Boxes());
      }
      return;
    }
    float factor = 1.0f;
    if (this->CountsPairs())
    {
      m_CountBox.SumAlongX(isNext, pairs.numberOfRows);
      InvertCounts(n, m_CountBox.Boxes());
    }
    else
    {
      factor = this->InverseCountAlongZ(pairs, z);
    }
    float * const       sums = m_Box.Boxes();
    const float * const inverse = m_CountBox.Boxes();
    if (!m_Plan.HasMap())
    {
      ComputeDistanceWeights(n, a, b, inverse, factor, sums);
      return;
    }
    ComputeDistanceWeights(n, a, b, inverse, factor, this->PrecisionOf(b), sums, m_OtherBox->Boxes());
    ComputeDistanceWeights(n, a, b, inverse, factor, this->PrecisionOf(a), sums, sums);
  }

  void
  AccumulatePlane(const WindowOffset & pairs, std::int64_t z)
  {
    const std::int64_t n = pairs.numberOfRows * m_Tile.rowStride;
    const float *      a = m_Values.Data() + m_Tile.Index(-m_Tile.halo[0], pairs.rowBegin, z);
    const float *      b = a + this->ValueShift(pairs);
    const std::int64_t x = -m_Tile.halo[0];
    const std::int64_t zOfB = z + pairs.offset[2];
    if (z >= 0 && z < m_Tile.size[2])
    {
      this->Accumulate(n, a, b, m_Box.Boxes(), m_SumTile.Index(x, pairs.rowBegin, z));
    }
    if (!pairs.isCenter && zOfB >= 0 && zOfB < m_Tile.size[2])
    {
      const float * const weights = m_Plan.HasMap() ? m_OtherBox->Boxes() : m_Box.Boxes();
      this->Accumulate(n, b, a, weights, m_SumTile.Index(x + pairs.offset[0], pairs.rowBegin + pairs.offset[1], zOfB));
    }
  }

  void
  Accumulate(std::int64_t n, const float * centers, const float * values, const float * weights, std::int64_t to)
  {
    float * const sums = m_Sums.Data() + to;
    float * const weightSums = m_WeightSums.Data() + to;
    if (m_Plan.parameters.ricianCorrection)
    {
      AccumulateTerms<true>(n, weights, centers, values, m_Plan.rician.twiceReference, sums, weightSums);
    }
    else
    {
      AccumulateTerms<false>(n, weights, centers, values, 0.0f, sums, weightSums);
    }
    if (m_Plan.NeedsMaxima())
    {
      AccumulateMaxima(n, weights, m_Maxima.Data() + to);
    }
  }

  /** Returns the number of d in [-patch radius, patch radius] for which the local coordinates i + d and i + d + offset
   * are both inside the image. */
  std::int64_t
  CountAlong(int axis, std::int64_t i, std::int64_t offset) const
  {
    const std::int64_t lower = m_Tile.begin[axis] + i + std::min<std::int64_t>(0, offset);
    const std::int64_t upper = m_Tile.begin[axis] + i + std::max<std::int64_t>(0, offset);
    const std::int64_t first = std::max(-m_Plan.patch[axis], -lower);
    const std::int64_t last = std::min(m_Plan.patch[axis], m_Grid.size[axis] - 1 - upper);
    return std::max<std::int64_t>(0, last - first + 1);
  }

  /** Computes inverse counts along x and y. Where only the image's border excludes pairs, the counts of
   * every plane are proportional to these. */
  void
  ComputeInverseCountsOfPlane(const WindowOffset & pairs)
  {
    float * inverse = m_CountBox.Boxes();
    for (std::int64_t y = pairs.rowBegin; y < pairs.rowBegin + pairs.numberOfRows; ++y)
    {
      const std::int64_t alongY = this->CountAlong(1, y, pairs.offset[1]);
      for (std::int64_t x = -m_Tile.halo[0]; x < m_Tile.rowStride - m_Tile.halo[0]; ++x)
      {
        *inverse++ = static_cast<float>(alongY * this->CountAlong(0, x, pairs.offset[0]));
      }
    }
    InvertCounts(pairs.numberOfRows * m_Tile.rowStride, m_CountBox.Boxes());
  }

  /** \param input intensity; \param value the scaled intensity in m_Values */
  float
  DenoisedValue(float input, const float * value, std::int64_t sumIndex) const
  {
    const bool isRician = m_Plan.parameters.ricianCorrection;
    if (IsAtLimit(*value))
    {
      return isRician ? std::abs(input) : input;
    }
    float weightSum = m_WeightSums.Data()[sumIndex];
    if (!m_Plan.IsPatchSum()) // under PatchSum the center is one of the pairs
    {
      weightSum += m_Plan.NeedsMaxima() ? MaximumCenterWeight(m_Maxima.Data()[sumIndex]) : 1.0f;
    }
    const float change = m_Sums.Data()[sumIndex] / weightSum;
    if (!isRician)
    {
      return input + change / m_Plan.scale.scale;
    }
    const float precision = m_Plan.HasMap() ? *this->PrecisionOf(value) : 1.0f;
    return RicianCorrected(input, change, WithPrecision(m_Plan.rician, precision));
  }

  const NonLocalMeansPlan & m_Plan;
  const Grid &              m_Grid;
  Tile                      m_Tile;
  Tile                      m_SumTile;
  TileParticipation         m_Participation;
  /** Scaled intensities of the tile and its halo. */
  AlignedBuffer  m_Values;
  PatchBoxFilter m_Box;
  PatchBoxFilter m_CountBox;
  AlignedBuffer  m_Sums;
  AlignedBuffer  m_WeightSums;
  AlignedBuffer  m_Maxima;
  AlignedBuffer  m_Precision;
  /** With a map: under PatchSum the terms of the second ends of pairs, otherwise their weights. */
  std::optional<PatchBoxFilter> m_OtherBox;
};

} // namespace cudaneuro::cpu

#endif
