// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/bilateral/BilateralSweep.h"

#include "core/HostMemory.h"
#include "core/IntegerMath.h"
#include "core/VectorDispatch.h"
#include "denoising/bilateral/BilateralFormulas.h"
#include "denoising/bilateral/BilateralSweepPlan.h"
#include "images/ReferenceIntensity.h"
#include "jobs/HostJob.h"
#include "jobs/PixelConversion.h"
#include "jobs/TileCpu.h"

#include <algorithm>
#include <vector>

namespace cudaneuro::cpu
{
namespace
{

using Sizes = std::array<std::int64_t, 3>;

struct Tap
{
  int x;
  int y;
  int z;
};

/** Neighbors that share their spatial weight for every domain sigma. */
struct TapClass
{
  std::vector<Tap>   taps;
  std::vector<float> spatialWeights;
};

/** The constants that all tiles share. */
struct SweepTaps
{
  IntensityScale                     scale;
  Sizes                              radius{};
  std::int64_t                       numberOfTaps = 0;
  std::int64_t                       numberOfSigmas;
  std::vector<std::vector<TapClass>> shells;

  SweepTaps(const BilateralSweepParameters & parameters, const Grid & grid, float reference)
    : scale{ reference, static_cast<float>(BilateralRangeScale(parameters.rangeSigma)) }
    , numberOfSigmas(static_cast<std::int64_t>(parameters.domainSigmas.size()))
  {
    const BilateralSweepPlan plan(parameters, grid);
    std::copy_n(plan.GetRadius().begin(), 3, radius.begin());
    for (const std::vector<BilateralSweepGroup> & groups : plan.GetShells())
    {
      shells.emplace_back();
      for (const BilateralSweepGroup & group : groups)
      {
        for (int x = group.firstX; x <= group.lastX; ++x)
        {
          TapClass tapClass;
          for (const auto & [y, z] : group.rows)
          {
            tapClass.taps.push_back({ x, y, z });
            if (x != 0)
            {
              tapClass.taps.push_back({ -x, y, z });
            }
          }
          for (const double sigma : parameters.domainSigmas)
          {
            tapClass.spatialWeights.push_back(plan.GetSpatialWeight(group, x, sigma));
          }
          const auto & weights = tapClass.spatialWeights;
          if (std::any_of(weights.begin(), weights.end(), [](float weight) { return weight > 0.0f; }))
          {
            numberOfTaps += static_cast<std::int64_t>(tapClass.taps.size());
            shells.back().push_back(std::move(tapClass));
          }
        }
      }
    }
  }
};

/** Returns a tile size for which the halo costs little, a tile fits into a second-level cache, and progress, which is
 * reported by tiles, is smooth. */
Sizes
LargestTileSize(const SweepTaps & sweep)
{
  Sizes                  size{ 128, 8, 8 };
  constexpr std::int64_t largestWork = 20000000;
  for (const int axis : { 2, 1 })
  {
    while (size[axis] > 1 && size[0] * size[1] * size[2] * sweep.numberOfTaps > largestWork)
    {
      size[axis] /= 2;
    }
  }
  return size;
}

/** Sums, for a row of voxels, of the weights and of the weighted differences from the center. */
struct RowSums
{
  float * weights;
  float * weightedDifferences;
};

/** Adds the terms of VTaps rows of neighbors to the sums of a row of n voxels. An excluded neighbor differs so much
 * from any center that is not excluded that its weight is 0. */
template <int VTaps>
CUDANEURO_ALWAYS_INLINE void
AccumulateTaps(std::int64_t n, const float * centers, const float * values, const std::int64_t * offsets, RowSums sums)
{
  const float * neighbors[VTaps];
  for (int tap = 0; tap < VTaps; ++tap)
  {
    neighbors[tap] = values + offsets[tap];
  }
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (std::int64_t x = 0; x < n; ++x)
  {
    const float center = centers[x];
    float       weightSum = sums.weights[x];
    float       sum = sums.weightedDifferences[x];
    for (int tap = 0; tap < VTaps; ++tap)
    {
      const float difference = neighbors[tap][x] - center;
      const float weight = Exp2(BilateralExponent(0.0f, difference));
      weightSum += weight;
      sum += weight * difference;
    }
    sums.weights[x] = weightSum;
    sums.weightedDifferences[x] = sum;
  }
}

/** Adds the sums of a class, multiplied by the spatial weight, to those of one domain sigma. */
CUDANEURO_ALWAYS_INLINE void
AccumulateClass(std::int64_t n, float spatialWeight, RowSums classSums, RowSums sums)
{
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (std::int64_t x = 0; x < n; ++x)
  {
    sums.weights[x] += spatialWeight * classSums.weights[x];
    sums.weightedDifferences[x] += spatialWeight * classSums.weightedDifferences[x];
  }
}

/** Writes the input plus the mean difference. Excluded voxels keep their value. */
template <typename TPixel>
void
WriteRowAs(std::int64_t n, const float * centers, const float * input, RowSums sums, float scale, TPixel * output)
{
  for (std::int64_t x = 0; x < n; ++x)
  {
    // The sum of weights is at least 1, the center's own.
    const float change = sums.weightedDifferences[x] / sums.weights[x] / scale;
    output[x] = ConvertPixel<TPixel>(centers[x] < takesNoPart ? input[x] + change : input[x]);
  }
}

/** The sums and tables for filtering one tile. */
class TileSweep
{
public:
  TileSweep(const SweepTaps &           sweep,
            const Grid &                grid,
            const Tile &                tile,
            const float *               input,
            const unsigned char *       mask,
            const std::vector<Volume> & outputs)
    : m_Sweep(sweep)
    , m_Grid(grid)
    , m_Tile(tile)
    , m_Input(input)
    , m_Outputs(outputs)
    , m_Stride(RoundUp(tile.size[0], 16))
    , m_Values(tile.Count())
    , m_Sums(2 * m_Stride * (sweep.numberOfSigmas + 1))
  {
    GatherTile(grid, tile, input, mask, sweep.scale, m_Values.Data());
    for (const std::vector<TapClass> & shell : sweep.shells)
    {
      for (const TapClass & tapClass : shell)
      {
        for (const Tap & tap : tapClass.taps)
        {
          m_Offsets.push_back(tap.x + tap.y * tile.rowStride + tap.z * tile.PlaneStride());
        }
      }
    }
  }

  void
  Run()
  {
    for (std::int64_t z = 0; z < m_Tile.size[2]; ++z)
    {
      for (std::int64_t y = 0; y < m_Tile.size[1]; ++y)
      {
        this->FilterRow(y, z);
      }
    }
  }

private:
  void
  FilterRow(std::int64_t y, std::int64_t z)
  {
    for (std::int64_t sigma = 0; sigma < m_Sweep.numberOfSigmas; ++sigma)
    {
      std::fill_n(this->Sums(sigma).weights, m_Stride, 1.0f);
      std::fill_n(this->Sums(sigma).weightedDifferences, m_Stride, 0.0f);
    }
    const float *        centers = m_Values.Data() + m_Tile.Index(0, y, z);
    const std::int64_t * offsets = m_Offsets.data();
    for (std::size_t shell = 0; shell < m_Sweep.shells.size(); ++shell)
    {
      VectorDispatch([&] { offsets = this->AccumulateShell(m_Sweep.shells[shell], centers, offsets); });
      for (std::int64_t sigma = 0; sigma < m_Sweep.numberOfSigmas; ++sigma)
      {
        this->WriteRow(y, z, centers, this->Sums(sigma), m_Outputs[shell * m_Sweep.numberOfSigmas + sigma]);
      }
    }
  }

  /** Returns the sums of domain sigma number \p sigma, or with numberOfSigmas the sums of a class. */
  RowSums
  Sums(std::int64_t sigma)
  {
    float * const sums = m_Sums.Data() + 2 * m_Stride * sigma;
    return { sums, sums + m_Stride };
  }

  /** Adds a shell of taps to the sums of all sigmas. \p offsets are the offsets of the shell's taps.
   * \returns the offsets of the next shell */
  CUDANEURO_ALWAYS_INLINE const std::int64_t *
  AccumulateShell(const std::vector<TapClass> & shell, const float * centers, const std::int64_t * offsets)
  {
    const std::int64_t n = m_Tile.size[0];
    const RowSums      classSums = this->Sums(m_Sweep.numberOfSigmas);
    for (const TapClass & tapClass : shell)
    {
      std::fill_n(classSums.weights, n, 0.0f);
      std::fill_n(classSums.weightedDifferences, n, 0.0f);
      const auto   taps = static_cast<std::int64_t>(tapClass.taps.size());
      std::int64_t tap = 0;
      for (; tap + 4 <= taps; tap += 4)
      {
        AccumulateTaps<4>(n, centers, centers, offsets + tap, classSums);
      }
      for (; tap < taps; ++tap)
      {
        AccumulateTaps<1>(n, centers, centers, offsets + tap, classSums);
      }
      offsets += taps;
      for (std::int64_t sigma = 0; sigma < m_Sweep.numberOfSigmas; ++sigma)
      {
        if (tapClass.spatialWeights[sigma] > 0.0f)
        {
          AccumulateClass(n, tapClass.spatialWeights[sigma], classSums, this->Sums(sigma));
        }
      }
    }
    return offsets;
  }

  void
  WriteRow(std::int64_t y, std::int64_t z, const float * centers, RowSums sums, const Volume & output)
  {
    const std::int64_t first =
      m_Tile.begin[0] + m_Grid.size[0] * (m_Tile.begin[1] + y + m_Grid.size[1] * (m_Tile.begin[2] + z));
    const auto write = [&](auto * pixels) {
      WriteRowAs(m_Tile.size[0], centers, m_Input + first, sums, m_Sweep.scale.scale, pixels + first);
    };
    switch (output.type)
    {
      case PixelType::UnsignedChar:
        return write(static_cast<unsigned char *>(output.data));
      case PixelType::Short:
        return write(static_cast<short *>(output.data));
      case PixelType::UnsignedShort:
        return write(static_cast<unsigned short *>(output.data));
      case PixelType::Float:
        return write(static_cast<float *>(output.data));
      case PixelType::Double:
        return write(static_cast<double *>(output.data));
    }
  }

  const SweepTaps &           m_Sweep;
  const Grid &                m_Grid;
  const Tile                  m_Tile;
  const float *               m_Input;
  const std::vector<Volume> & m_Outputs;
  std::int64_t                m_Stride;
  AlignedBuffer               m_Values;
  AlignedBuffer               m_Sums;
  /** Offsets in m_Values from a voxel to the taps of all shells. */
  std::vector<std::int64_t> m_Offsets;
};

} // namespace

void
BilateralSweep(Context & context, const BilateralSweepCall & call)
{
  const Grid & grid = call.grid;
  HostJob      job(context, grid, { call.input }, Volume());
  {
    const Context::ProgressRange range = job.ComputationProgress();
    const float * const          input = job.Input(0);
    const auto * const           mask = static_cast<const unsigned char *>(call.mask.data);
    const float     reference = ReferenceIntensity(context, grid, { input }, { mask, PixelType::UnsignedChar });
    const SweepTaps sweep(call.parameters, grid, reference);
    const Tiling    tiling(grid, LargestTileSize(sweep), sweep.radius);
    context.ParallelFor(tiling.NumberOfTiles(), [&](std::int64_t i) {
      TileSweep(sweep, grid, tiling.GetTile(i), input, mask, call.outputs).Run();
    });
  }
  job.Finish();
}

} // namespace cudaneuro::cpu
