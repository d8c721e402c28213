// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/bilateral/Bilateral.h"

#include "core/HostMemory.h"
#include "core/VectorDispatch.h"
#include "denoising/bilateral/BilateralFormulas.h"
#include "images/ReferenceIntensity.h"
#include "jobs/HostJob.h"
#include "jobs/TileCpu.h"

#include <algorithm>
#include <vector>

namespace cudaneuro::cpu
{
namespace
{

using Sizes = std::array<std::int64_t, 3>;

/** The constants that all tiles share. A radius is smaller than the image's size along its axis. */
struct Plan
{
  Sizes          radius{};
  IntensityScale scale;
  /** log2 of the spatial weight of each offset, x fastest. */
  std::vector<float> spatialExponents;
  /** The noise at each voxel of the image, or null, and the largest noise. */
  const float * noise;
  float         largestNoise;

  Plan(const BilateralCall & call, float reference, const float * itsNoise)
    : scale{ reference, static_cast<float>(BilateralRangeScale(call.parameters.rangeSigma)) }
    , noise(itsNoise)
    , largestNoise(call.noiseValues.largest)
  {
    const BilateralParameters & parameters = call.parameters;
    const Grid &                grid = call.grid;
    for (int axis = 0; axis < 3; ++axis)
    {
      radius[axis] = std::min<std::int64_t>(parameters.radius[axis], grid.size[axis] - 1);
    }
    const auto exponent = [&](int axis, std::int64_t offset) {
      const double spacing = parameters.useImageSpacing ? grid.spacing[axis] : 1.0;
      return BilateralSpatialExponent(static_cast<int>(offset), spacing, parameters.domainSigma[axis]);
    };
    for (std::int64_t z = -radius[2]; z <= radius[2]; ++z)
    {
      for (std::int64_t y = -radius[1]; y <= radius[1]; ++y)
      {
        for (std::int64_t x = -radius[0]; x <= radius[0]; ++x)
        {
          spatialExponents.push_back(static_cast<float>(exponent(0, x) + exponent(1, y) + exponent(2, z)));
        }
      }
    }
  }
};

/** Returns a tile size for which the halo costs little, a tile fits into a second-level cache, and progress, which is
 * reported by tiles, is smooth. */
Sizes
LargestTileSize(const Plan & plan)
{
  Sizes                  size{ 128, 8, 8 };
  constexpr std::int64_t largestWork = 20000000;
  const auto             numberOfOffsets = static_cast<std::int64_t>(plan.spatialExponents.size());
  for (const int axis : { 2, 1 })
  {
    while (size[axis] > 1 && size[0] * size[1] * size[2] * numberOfOffsets > largestWork)
    {
      size[axis] /= 2;
    }
  }
  return size;
}

/** Adds the terms of VTaps neighbors in a row to the sums of a row of n voxels. Differences from the center are summed,
 * which are small and therefore round little. An excluded neighbor differs so much from any center that is not
 * excluded that its weight is 0. With VMap, each center has a precision. */
template <int VTaps, bool VMap>
CUDANEURO_ALWAYS_INLINE void
AccumulateTaps(std::int64_t  n,
               const float * centers,
               const float * neighbors,
               const float * precisions,
               const float * spatialExponents,
               float *       sums,
               float *       weightSums)
{
  float exponents[VTaps];
  std::copy_n(spatialExponents, VTaps, exponents);
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (std::int64_t x = 0; x < n; ++x)
  {
    const float center = centers[x];
    float       sum = sums[x];
    float       weightSum = weightSums[x];
    for (int tap = 0; tap < VTaps; ++tap)
    {
      const float difference = neighbors[x + tap] - center;
      const float exponent = VMap ? BilateralExponent(exponents[tap], difference, precisions[x])
                                  : BilateralExponent(exponents[tap], difference);
      const float weight = Exp2(exponent);
      sum += weight * difference;
      weightSum += weight;
    }
    sums[x] = sum;
    weightSums[x] = weightSum;
  }
}

/** Computes the sums of one row of a gathered tile over its whole neighborhood. \p precisions are those of the row. */
template <bool VMap>
CUDANEURO_ALWAYS_INLINE void
AccumulateRow(const Plan &  plan,
              const Tile &  tile,
              const float * values,
              const float * precisions,
              std::int64_t  y,
              std::int64_t  z,
              float *       sums,
              float *       weightSums)
{
  const std::int64_t n = tile.size[0];
  const std::int64_t taps = 2 * plan.radius[0] + 1;
  const float *      centers = values + tile.Index(0, y, z);
  const float *      exponents = plan.spatialExponents.data();
  std::fill_n(sums, n, 0.0f);
  std::fill_n(weightSums, n, 0.0f);
  for (std::int64_t dz = -plan.radius[2]; dz <= plan.radius[2]; ++dz)
  {
    for (std::int64_t dy = -plan.radius[1]; dy <= plan.radius[1]; ++dy, exponents += taps)
    {
      const float * neighbors = values + tile.Index(-plan.radius[0], y + dy, z + dz);
      std::int64_t  tap = 0;
      for (; tap + 3 <= taps; tap += 3)
      {
        AccumulateTaps<3, VMap>(n, centers, neighbors + tap, precisions, exponents + tap, sums, weightSums);
      }
      for (; tap < taps; ++tap)
      {
        AccumulateTaps<1, VMap>(n, centers, neighbors + tap, precisions, exponents + tap, sums, weightSums);
      }
    }
  }
}

template <bool VMap>
void
FilterTile(const Plan &          plan,
           const Grid &          grid,
           const Tile &          tile,
           const float *         input,
           const unsigned char * mask,
           float *               output)
{
  AlignedBuffer values(tile.Count());
  AlignedBuffer sums(tile.size[0]);
  AlignedBuffer weightSums(tile.size[0]);
  AlignedBuffer precisions(VMap ? tile.size[0] : 0);
  GatherTile(grid, tile, input, mask, plan.scale, values.Data());
  for (std::int64_t z = 0; z < tile.size[2]; ++z)
  {
    for (std::int64_t y = 0; y < tile.size[1]; ++y)
    {
      const float *      centers = values.Data() + tile.Index(0, y, z);
      const std::int64_t row = tile.begin[0] + grid.size[0] * (tile.begin[1] + y + grid.size[1] * (tile.begin[2] + z));
      for (std::int64_t x = 0; VMap && x < tile.size[0]; ++x)
      {
        precisions.Data()[x] = RelativePrecision(plan.largestNoise, plan.noise[row + x]);
      }
      VectorDispatch([&] {
        AccumulateRow<VMap>(plan, tile, values.Data(), precisions.Data(), y, z, sums.Data(), weightSums.Data());
      });
      for (std::int64_t x = 0; x < tile.size[0]; ++x)
      {
        // The sum of weights is at least 1, the center's own.
        const float change = sums.Data()[x] / weightSums.Data()[x] / plan.scale.scale;
        output[row + x] = centers[x] < takesNoPart ? input[row + x] + change : input[row + x];
      }
    }
  }
}

} // namespace

void
Bilateral(Context & context, const BilateralCall & call)
{
  const Grid &        grid = call.grid;
  HostJob             job(context, grid, { call.input, call.noise }, call.output);
  const float * const input = job.Input(0);
  const float * const noise = job.Input(1);
  {
    const Context::ProgressRange range = job.ComputationProgress();
    const MaskOfKnownNoise       mask(grid, call.mask, noise);
    const Plan                   plan(call, ReferenceIntensity(context, grid, { input }, call.mask), noise);
    const Tiling                 tiling(grid, LargestTileSize(plan), plan.radius);
    const auto                   filterTile = noise != nullptr ? FilterTile<true> : FilterTile<false>;
    context.ParallelFor(tiling.NumberOfTiles(), [&](std::int64_t i) {
      filterTile(plan, grid, tiling.GetTile(i), input, mask.Data(), job.Output());
    });
  }
  job.Finish();
}

} // namespace cudaneuro::cpu
