// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/nonlocalmeans/TileDenoiserCpu.h"

#include "core/Dispatch.h"
#include "denoising/nonlocalmeans/NonLocalMeansLoopsCpu.h"

#include <algorithm>

/** The weights of the pairs of one plane, the numbers of pairs by which their means are divided, and the sums to which
 * they are added. */
namespace cudaneuro::cpu
{

std::int64_t
TileDenoiser::CountAlong(int axis, std::int64_t i, std::int64_t offset) const
{
  const std::int64_t lower = m_Tile.begin[axis] + i + std::min<std::int64_t>(0, offset);
  const std::int64_t upper = m_Tile.begin[axis] + i + std::max<std::int64_t>(0, offset);
  const std::int64_t first = std::max(-m_Plan.patch[axis], -lower);
  const std::int64_t last = std::min(m_Plan.patch[axis], m_Grid.size[axis] - 1 - upper);
  return std::max<std::int64_t>(0, last - first + 1);
}

void
TileDenoiser::ComputeInverseCountsOfPlane(const WindowOffset & pairs)
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

float
TileDenoiser::InverseCountAlongZ(const WindowOffset & pairs, std::int64_t z) const
{
  return 1.0f / static_cast<float>(std::max<std::int64_t>(1, this->CountAlong(2, z, pairs.offset[2])));
}

template <bool VSquares, bool VMap>
bool
TileDenoiser::AccumulateRows(
  const WindowOffset & pairs, std::int64_t z, bool isNext, std::int64_t row, std::int64_t numberOfRows)
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

bool
TileDenoiser::AccumulateBothEnds(const WindowOffset & pairs, std::int64_t z, bool isNext)
{
  const std::int64_t zOfB = z + pairs.offset[2];
  const bool         isSameRow = pairs.offset[1] == 0 && pairs.offset[2] == 0;
  if (isSameRow || z < 0 || zOfB >= m_Tile.size[2] || this->CountsPairs() || m_Plan.NeedsMaxima())
  {
    return false;
  }
  // Offsets within a plane go row by row: there the sums of the two ends overlap only in columns that are not used.
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

void
TileDenoiser::ComputeWeights(const WindowOffset & pairs, std::int64_t z, bool isNext)
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
TileDenoiser::AccumulatePlane(const WindowOffset & pairs, std::int64_t z)
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
TileDenoiser::Accumulate(
  std::int64_t n, const float * centers, const float * values, const float * weights, std::int64_t to)
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

} // namespace cudaneuro::cpu
