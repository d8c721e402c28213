// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/nonlocalmeans/TileDenoiserCpu.h"

#include "denoising/nonlocalmeans/NonLocalMeansFormulas.h"
#include "denoising/nonlocalmeans/NonLocalMeansLoopsCpu.h"
#include "images/noise/NoiseValues.h"

#include <algorithm>
#include <cmath>

/** The processing of a tile: it is gathered, the pairs of each window offset are summed, and it is written. */
namespace cudaneuro::cpu
{
namespace
{

/** Returns the layout of a tile's sums. It has room for rows outside the tile that pairs reach, whose sums are not
 * used. */
Tile
MakeSumTile(const NonLocalMeansPlan & plan, Tile tile)
{
  tile.halo[1] = plan.window[1];
  tile.halo[2] = 0;
  return tile;
}

} // namespace

TileDenoiser::TileDenoiser(const NonLocalMeansPlan & plan, const Grid & grid, const Tile & tile)
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

bool
TileDenoiser::Gather(const float * input, const unsigned char * mask)
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
TileDenoiser::Run()
{
  m_Sums.Fill(0.0f);
  m_WeightSums.Fill(0.0f);
  m_Maxima.Fill(0.0f);
  const NonLocalMeansPlan::Sizes & radius = m_Plan.window;
  // Half of the window suffices: the other half consists of the same pairs.
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

void
TileDenoiser::WriteOutput(const float * input, float * output) const
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
        output[row + x] =
          *value < takesNoPart ? this->DenoisedValue(input[row + x], value, m_SumTile.Index(x, y, z)) : input[row + x];
      }
    }
  }
}

void
TileDenoiser::GatherPrecision()
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

void
TileDenoiser::RunOffset(const WindowOffset & pairs)
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

void
TileDenoiser::FinishPlanes(const WindowOffset & pairs, std::int64_t first, bool withNext)
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

void
TileDenoiser::AddTerms(const WindowOffset & pairs, std::int64_t plane)
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

float
TileDenoiser::DenoisedValue(float input, const float * value, std::int64_t sumIndex) const
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

} // namespace cudaneuro::cpu
