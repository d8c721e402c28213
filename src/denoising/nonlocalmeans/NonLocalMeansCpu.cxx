// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/nonlocalmeans/NonLocalMeans.h"

#include "denoising/nonlocalmeans/TileDenoiserCpu.h"
#include "jobs/HostJob.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro::cpu
{
namespace
{

/** Returns the tile size that was measured to be the fastest: long rows, and enough of them that the halo costs little.
 * A tile, the unit of progress, takes less than 0.1 s on one core, and is smaller for large windows. */
NonLocalMeansPlan::Sizes
LargestTileSize(const NonLocalMeansPlan & plan, const Grid & grid)
{
  constexpr std::int64_t length = 128;
  constexpr double       largestWork = 1e8;
  const double           edge = std::sqrt(largestWork / static_cast<double>(length * plan.NumberOfOffsets()));
  const std::int64_t     width = std::clamp<std::int64_t>(static_cast<std::int64_t>(edge), 8, 32);
  const std::int64_t     depth = std::min(width, grid.size[2]);
  return { length, width * width / depth, depth };
}

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
NonLocalMeans(Context & context, const NonLocalMeansCall & call)
{
  const Grid &        grid = call.grid;
  HostJob             job(context, grid, { call.input, call.noise }, call.output);
  const float * const input = job.Input(0);
  const float * const noise = job.Input(1);
  {
    const Context::ProgressRange range = job.ComputationProgress();
    const IntensitySample        sample = SampleIntensities(context, grid, { input }, call.mask);
    RequireSmoothing(call.parameters, sample);
    const NonLocalMeansPlan plan(call.parameters, grid, sample, noise, call.noiseValues.largest);
    const MaskOfKnownNoise  mask(grid, call.mask, noise);
    const Tiling            tiling(grid, LargestTileSize(plan, grid), plan.Halo());
    context.ParallelFor(tiling.NumberOfTiles(), [&](std::int64_t i) {
      const Tile   tile = tiling.GetTile(i);
      TileDenoiser denoiser(plan, grid, tile);
      if (!denoiser.Gather(input, mask.Data()))
      {
        CopyTile(grid, tile, input, job.Output());
        return;
      }
      denoiser.Run();
      denoiser.WriteOutput(input, job.Output());
    });
  }
  job.Finish();
}

} // namespace cudaneuro::cpu
