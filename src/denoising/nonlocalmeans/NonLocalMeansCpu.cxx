// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/nonlocalmeans/NonLocalMeansCpu.h"

#include "core/AlignedBuffer.h"
#include "denoising/nonlocalmeans/NonLocalMeansLoopsCpu.h"
#include "denoising/nonlocalmeans/PatchBoxFilterCpu.h"

#include <algorithm>
#include <cmath>

/** Non-local means by one box filter for each window offset (Darbon et al. 2008), in tiles.
 *
 * For one offset t the weights of all pairs (i, i + t) of a tile are a box filter of one image of terms. As
 * w(i, i + t) = w(i + t, i), each weight serves both voxels, and half of the offsets suffice. A tile computes all the
 * weights that its own voxels need, so that tiles are independent and the result does not depend on how threads share
 * them. */
namespace cudaneuro::cpu
{
namespace
{

using Sizes = std::array<std::int64_t, 3>;

/** What does not change from tile to tile. Radii are limited to where the image has voxels. */
struct Plan
{
  NonLocalMeansParameters parameters;
  Sizes                   window{};
  Sizes                   patch{};
  IntensityScale          scale;
  RicianScale             rician;

  Plan(const NonLocalMeansParameters & p, const Grid & grid, const IntensitySample & sample)
    : parameters(p)
    , scale{ NonLocalMeansReference(sample, p.ricianCorrection),
             static_cast<float>(NonLocalMeansIntensityScale(p.weighting, p.smoothing)) }
    , rician(MakeRicianScale(scale, p.noiseSigma))
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      window[axis] = std::min<std::int64_t>(p.windowRadius[axis], grid.size[axis] - 1);
      patch[axis] = std::min<std::int64_t>(p.patchRadius[axis], grid.size[axis] - 1);
    }
  }

  bool
  IsPatchSum() const
  {
    return parameters.weighting == NonLocalMeansWeighting::PatchSum;
  }
  bool
  NeedsMaxima() const
  {
    return !this->IsPatchSum() && parameters.centerWeight == NonLocalMeansCenterWeight::Maximum;
  }
  Sizes
  Halo() const
  {
    return { window[0] + patch[0], window[1] + patch[1], window[2] + patch[2] };
  }
  std::int64_t
  NumberOfOffsets() const
  {
    return (2 * window[0] + 1) * (2 * window[1] + 1) * (2 * window[2] + 1);
  }
};

/** Tile sizes by measurement: long rows, and enough of them that the halo costs little. A tile is the unit of progress,
 * of less than 0.1 s on one core, and so smaller for large windows. */
Sizes
LargestTileSize(const Plan & plan, const Grid & grid)
{
  constexpr std::int64_t length = 128;
  constexpr double       largestWork = 1e8;
  const double           edge = std::sqrt(largestWork / static_cast<double>(length * plan.NumberOfOffsets()));
  const std::int64_t     width = std::clamp<std::int64_t>(static_cast<std::int64_t>(edge), 8, 32);
  const std::int64_t     depth = std::min(width, grid.size[2]);
  return { length, width * width / depth, depth };
}

/** The pairs (i, i + offset) of one tile. */
struct OffsetJob
{
  Sizes offset;
  /** Rows and planes of i for which i or i + offset is in the tile. */
  std::int64_t rowBegin;
  std::int64_t numberOfRows;
  std::int64_t planeBegin;
  std::int64_t planeEnd;
  bool         isCenter;

  OffsetJob(const Sizes & o, const Tile & tile)
    : offset(o)
    , rowBegin(std::min<std::int64_t>(0, -o[1]))
    , numberOfRows(tile.size[1] + (o[1] < 0 ? -o[1] : o[1]))
    , planeBegin(-o[2])
    , planeEnd(tile.size[2])
    , isCenter(o[0] == 0 && o[1] == 0 && o[2] == 0)
  {}
};

/** The layout of a tile's sums. A pair may reach rows outside the tile, whose sums nobody reads. */
Tile
MakeSumTile(const Plan & plan, Tile tile)
{
  tile.halo[1] = plan.window[1];
  tile.halo[2] = 0;
  return tile;
}

/** Denoises one tile. */
class TileDenoiser
{
public:
  TileDenoiser(const Plan & plan, const Grid & grid, const Tile & tile)
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
  {}

  /** \returns false where no voxel of the tile takes part. */
  bool
  Gather(const float * input, const unsigned char * mask)
  {
    m_Values.Fill(takesNoPart);
    m_Participation = GatherTile(m_Grid, m_Tile, input, mask, m_Plan.scale, m_Values.Data());
    return m_Participation.anyInBox;
  }

  void
  Run()
  {
    m_Sums.Fill(0.0f);
    m_WeightSums.Fill(0.0f);
    m_Maxima.Fill(0.0f);
    const Sizes & window = m_Plan.window;
    // Half of the window: the other half are the same pairs.
    for (std::int64_t z = 0; z <= window[2]; ++z)
    {
      for (std::int64_t y = z == 0 ? 0 : -window[1]; y <= window[1]; ++y)
      {
        for (std::int64_t x = z == 0 && y == 0 ? 0 : -window[0]; x <= window[0]; ++x)
        {
          this->RunOffset(OffsetJob({ x, y, z }, m_Tile));
        }
      }
    }
  }

  /** Voxels that take no part are copied from \p input, which is the whole volume as \p output is. */
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
          const float value = m_Values.Data()[m_Tile.Index(x, y, z)];
          output[row + x] =
            value < takesNoPart ? this->DenoisedValue(input[row + x], value, m_SumTile.Index(x, y, z)) : input[row + x];
        }
      }
    }
  }

private:
  /** Whether counts of the pairs in a patch are more than a product of three numbers. */
  bool
  CountsPairs() const
  {
    return !m_Plan.IsPatchSum() && !m_Participation.allInImage;
  }

  void
  RunOffset(const OffsetJob & job)
  {
    if (job.isCenter && !m_Plan.IsPatchSum())
    {
      return;
    }
    if (!m_Plan.IsPatchSum() && !this->CountsPairs())
    {
      this->ComputeInverseCountsOfPlane(job);
    }
    const std::int64_t numberOfPlanes = job.planeEnd - job.planeBegin;
    const std::int64_t reach = 2 * m_Plan.patch[2];
    for (std::int64_t plane = 0; plane < numberOfPlanes + reach; ++plane)
    {
      this->AddTerms(job, plane);
      const std::int64_t done = plane - reach;
      if (done >= 0 && (done % 2 == 1 || done == numberOfPlanes - 1))
      {
        this->FinishPlanes(job, done - done % 2, done % 2 == 1);
      }
    }
  }

  /** Planes \p first and, withNext, first + 1, counted from job.planeBegin. */
  void
  FinishPlanes(const OffsetJob & job, std::int64_t first, bool withNext)
  {
    m_Box.SumAlongZ(first, withNext, job.numberOfRows);
    if (this->CountsPairs())
    {
      m_CountBox.SumAlongZ(first, withNext, job.numberOfRows);
    }
    for (int i = 0; i < (withNext ? 2 : 1); ++i)
    {
      const std::int64_t z = job.planeBegin + first + i;
      if (!this->AccumulateBothEnds(job, z, i == 1))
      {
        this->ComputeWeights(job, z, i == 1);
        this->AccumulatePlane(job, z);
      }
    }
  }

  /** Shift in m_Values from i to i + offset. */
  std::int64_t
  ValueShift(const OffsetJob & job) const
  {
    return job.offset[0] + m_Tile.rowStride * job.offset[1] + m_Tile.PlaneStride() * job.offset[2];
  }

  void
  AddTerms(const OffsetJob & job, std::int64_t plane)
  {
    const std::int64_t patchY = m_Plan.patch[1];
    const std::int64_t z = job.planeBegin - m_Plan.patch[2] + plane;
    const std::int64_t n = (job.numberOfRows + 2 * patchY) * m_Tile.rowStride;
    const float *      a = m_Values.Data() + m_Tile.Index(-m_Tile.halo[0], job.rowBegin - patchY, z);
    const float *      b = a + this->ValueShift(job);
    if (job.isCenter)
    {
      ComputePairCounts(n, a, b, m_Box.Terms());
    }
    else if (m_Plan.IsPatchSum())
    {
      ComputePatchSumTerms(n, a, b, m_Box.Terms());
    }
    else
    {
      ComputeSquaredDifferences(n, a, b, m_Box.Terms());
    }
    m_Box.AddPlane(plane, job.numberOfRows);
    if (this->CountsPairs())
    {
      ComputePairCounts(n, a, b, m_CountBox.Terms());
      m_CountBox.AddPlane(plane, job.numberOfRows);
    }
  }

  /** Factor by which the inverse counts of a plane are those of plane \p z. */
  float
  InverseCountAlongZ(const OffsetJob & job, std::int64_t z) const
  {
    return 1.0f / static_cast<float>(std::max<std::int64_t>(1, this->CountAlong(2, z, job.offset[2])));
  }

  /** Weights and accumulation of plane \p z in one go, where both ends of the pairs are in the tile and in different
   * rows, and nothing else is wanted. \returns whether it was done. */
  bool
  AccumulateBothEnds(const OffsetJob & job, std::int64_t z, bool isNext)
  {
    const std::int64_t zOfB = z + job.offset[2];
    const bool         isSameRow = job.offset[1] == 0 && job.offset[2] == 0;
    if (isSameRow || z < 0 || zOfB >= m_Tile.size[2] || this->CountsPairs() || m_Plan.NeedsMaxima())
    {
      return false;
    }
    // In one plane row by row: there, all that the two ends' rows have in common is columns that nobody reads.
    const std::int64_t numberOfBlocks = job.offset[2] == 0 ? job.numberOfRows : 1;
    const std::int64_t rowsPerBlock = job.numberOfRows / numberOfBlocks;
    bool               isDone = true;
    for (std::int64_t block = 0; block < numberOfBlocks && isDone; ++block)
    {
      const std::int64_t row = block * rowsPerBlock;
      isDone = m_Plan.parameters.ricianCorrection ? this->AccumulateRows<true>(job, z, isNext, row, rowsPerBlock)
                                                  : this->AccumulateRows<false>(job, z, isNext, row, rowsPerBlock);
    }
    return isDone;
  }

  /** AccumulateBothEnds for some rows, counted from job.rowBegin. */
  template <bool VSquares>
  bool
  AccumulateRows(const OffsetJob & job, std::int64_t z, bool isNext, std::int64_t row, std::int64_t numberOfRows)
  {
    const std::int64_t x = -m_Tile.halo[0];
    const std::int64_t y = job.rowBegin + row;
    const float *      a = m_Values.Data() + m_Tile.Index(x, y, z);
    const std::int64_t toA = m_SumTile.Index(x, y, z);
    const std::int64_t toB = m_SumTile.Index(x + job.offset[0], y + job.offset[1], z + job.offset[2]);
    const PairSums     pairs{ a,
                          a + this->ValueShift(job),
                          m_Plan.rician.twiceReference,
                          m_Sums.Data() + toA,
                          m_WeightSums.Data() + toA,
                          m_Sums.Data() + toB,
                          m_WeightSums.Data() + toB };
    const std::int64_t n = numberOfRows * m_Tile.rowStride;
    const std::int64_t count = 2 * m_Plan.patch[0] + 1;
    const float *      sums = m_Box.SumsAlongZ(isNext) + row * m_Tile.rowStride - m_Plan.patch[0];
    const float *      inverse = m_CountBox.Boxes() + row * m_Tile.rowStride;
    if (m_Plan.IsPatchSum())
    {
      return AccumulatePairs<true, VSquares>(n, sums, count, inverse, 1.0f, pairs);
    }
    return AccumulatePairs<false, VSquares>(n, sums, count, inverse, this->InverseCountAlongZ(job, z), pairs);
  }

  /** Leaves the weights of plane \p z where the box filter's results are. */
  void
  ComputeWeights(const OffsetJob & job, std::int64_t z, bool isNext)
  {
    const std::int64_t n = job.numberOfRows * m_Tile.rowStride;
    const float *      a = m_Values.Data() + m_Tile.Index(-m_Tile.halo[0], job.rowBegin, z);
    const float *      b = a + this->ValueShift(job);
    m_Box.SumAlongX(isNext, job.numberOfRows);
    if (m_Plan.IsPatchSum())
    {
      MaskWeights(n, a, b, m_Box.Boxes());
      return;
    }
    float factor = 1.0f;
    if (this->CountsPairs())
    {
      m_CountBox.SumAlongX(isNext, job.numberOfRows);
      InvertCounts(n, m_CountBox.Boxes());
    }
    else
    {
      factor = this->InverseCountAlongZ(job, z);
    }
    ComputeDistanceWeights(n, a, b, m_CountBox.Boxes(), factor, m_Box.Boxes());
  }

  void
  AccumulatePlane(const OffsetJob & job, std::int64_t z)
  {
    const std::int64_t n = job.numberOfRows * m_Tile.rowStride;
    const float *      a = m_Values.Data() + m_Tile.Index(-m_Tile.halo[0], job.rowBegin, z);
    const float *      b = a + this->ValueShift(job);
    const std::int64_t x = -m_Tile.halo[0];
    const std::int64_t zOfB = z + job.offset[2];
    if (z >= 0 && z < m_Tile.size[2])
    {
      this->Accumulate(n, a, b, m_SumTile.Index(x, job.rowBegin, z));
    }
    if (!job.isCenter && zOfB >= 0 && zOfB < m_Tile.size[2])
    {
      this->Accumulate(n, b, a, m_SumTile.Index(x + job.offset[0], job.rowBegin + job.offset[1], zOfB));
    }
  }

  void
  Accumulate(std::int64_t n, const float * centers, const float * values, std::int64_t to)
  {
    const float * const weights = m_Box.Boxes();
    float * const       sums = m_Sums.Data() + to;
    float * const       weightSums = m_WeightSums.Data() + to;
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

  /** Number of d in [-patch radius, patch radius] for which local coordinate i + d, and i + d + offset, are inside the
   * image. */
  std::int64_t
  CountAlong(int axis, std::int64_t i, std::int64_t offset) const
  {
    const std::int64_t lower = m_Tile.begin[axis] + i + std::min<std::int64_t>(0, offset);
    const std::int64_t upper = m_Tile.begin[axis] + i + std::max<std::int64_t>(0, offset);
    const std::int64_t first = std::max(-m_Plan.patch[axis], -lower);
    const std::int64_t last = std::min(m_Plan.patch[axis], m_Grid.size[axis] - 1 - upper);
    return std::max<std::int64_t>(0, last - first + 1);
  }

  /** Where only the image's border takes pairs away, the counts of all planes are proportional to these. */
  void
  ComputeInverseCountsOfPlane(const OffsetJob & job)
  {
    float * inverse = m_CountBox.Boxes();
    for (std::int64_t y = job.rowBegin; y < job.rowBegin + job.numberOfRows; ++y)
    {
      const std::int64_t alongY = this->CountAlong(1, y, job.offset[1]);
      for (std::int64_t x = -m_Tile.halo[0]; x < m_Tile.rowStride - m_Tile.halo[0]; ++x)
      {
        *inverse++ = static_cast<float>(alongY * this->CountAlong(0, x, job.offset[0]));
      }
    }
    InvertCounts(job.numberOfRows * m_Tile.rowStride, m_CountBox.Boxes());
  }

  /** \param input value before scaling; \param value scaled value */
  float
  DenoisedValue(float input, float value, std::int64_t sumIndex) const
  {
    const bool isRician = m_Plan.parameters.ricianCorrection;
    if (IsAtLimit(value))
    {
      return isRician ? std::abs(input) : input;
    }
    float weightSum = m_WeightSums.Data()[sumIndex];
    if (!m_Plan.IsPatchSum()) // which has the center's weight among the others
    {
      weightSum += m_Plan.NeedsMaxima() ? MaximumCenterWeight(m_Maxima.Data()[sumIndex]) : 1.0f;
    }
    const float change = m_Sums.Data()[sumIndex] / weightSum;
    return isRician ? RicianCorrected(input, change, m_Plan.rician) : input + change / m_Plan.scale.scale;
  }

  const Plan &      m_Plan;
  const Grid &      m_Grid;
  Tile              m_Tile;
  Tile              m_SumTile;
  TileParticipation m_Participation;
  /** Scaled intensities of the tile and its halo. */
  AlignedBuffer  m_Values;
  PatchBoxFilter m_Box;
  PatchBoxFilter m_CountBox;
  AlignedBuffer  m_Sums;
  AlignedBuffer  m_WeightSums;
  AlignedBuffer  m_Maxima;
};

void
CopyTile(const Grid & grid, const Tile & tile, const float * input, float * output)
{
  for (std::int64_t z = tile.begin[2]; z < tile.begin[2] + tile.size[2]; ++z)
  {
    for (std::int64_t y = tile.begin[1]; y < tile.begin[1] + tile.size[1]; ++y)
    {
      const std::int64_t row = tile.begin[0] + grid.size[0] * (y + grid.size[1] * z);
      std::copy_n(input + row, tile.size[0], output + row);
    }
  }
}

} // namespace

void
NonLocalMeans(Context &                       context,
              const NonLocalMeansParameters & parameters,
              const Grid &                    grid,
              const float *                   input,
              const unsigned char *           mask,
              float *                         output)
{
  const IntensitySample sample = SampleIntensities(context, grid, { input }, { mask, PixelType::UnsignedChar });
  RequireSmoothing(parameters.smoothing, sample);
  const Plan   plan(parameters, grid, sample);
  const Tiling tiling(grid, LargestTileSize(plan, grid), plan.Halo());
  context.ParallelFor(tiling.NumberOfTiles(), [&](std::int64_t i) {
    const Tile   tile = tiling.GetTile(i);
    TileDenoiser denoiser(plan, grid, tile);
    if (!denoiser.Gather(input, mask))
    {
      CopyTile(grid, tile, input, output);
      return;
    }
    denoiser.Run();
    denoiser.WriteOutput(input, output);
  });
}

} // namespace cudaneuro::cpu
