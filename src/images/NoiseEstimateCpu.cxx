// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/NoiseEstimate.h"

#include "core/IntegerMath.h"
#include "images/NoiseEstimateFormulas.h"
#include "images/ReferenceIntensity.h"
#include "jobs/DeviceVolumes.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

/** The estimate that NoiseEstimateFormulas.h describes: a pass for the brightness threshold, two passes of counting. */

namespace cudaneuro::cpu
{
namespace
{

/** The volume that the passes read, each in the same way. */
struct NoiseVolume
{
  Grid                  grid;
  const float *         input = nullptr;
  const unsigned char * mask = nullptr;
  /** Largest magnitude that is not a code or an error. */
  float limit = 0.0f;

  bool
  TakesPart(std::int64_t i) const
  {
    return IsWithinNoiseLimit(input[i], limit) && (!mask || mask[i] != 0);
  }

  /** Whether a voxel and its neighbors are inside the mask. */
  bool
  AreInside(std::int64_t i, const std::array<std::int64_t, 3> & steps) const
  {
    return !mask || (mask[i] != 0 && std::all_of(steps.begin(), steps.end(), [&](std::int64_t step) {
                       return mask[i - step] != 0 && mask[i + step] != 0;
                     }));
  }
};

std::int64_t
NumberOfItems(const Grid & grid, std::int64_t rowsPerItem)
{
  return DivideUp(grid.size[1] * grid.size[2], rowsPerItem);
}

/** Calls body(begin, end) in parallel for ranges of rows that cover the volume. */
template <typename TBody>
void
ForRows(Context & context, const Grid & grid, std::int64_t rowsPerItem, const TBody & body)
{
  const std::int64_t numberOfRows = grid.size[1] * grid.size[2];
  context.ParallelFor(NumberOfItems(grid, rowsPerItem), [&](std::int64_t item) {
    body(item * rowsPerItem, std::min(numberOfRows, (item + 1) * rowsPerItem));
  });
}

/** The brightness that voxels must exceed. */
float
ComputeThreshold(Context & context, const NoiseVolume & volume, std::int64_t rowsPerItem)
{
  const std::int64_t         numberOfItems = NumberOfItems(volume.grid, rowsPerItem);
  std::vector<double>        sums(numberOfItems);
  std::vector<std::uint64_t> counts(numberOfItems);
  ForRows(context, volume.grid, rowsPerItem, [&](std::int64_t begin, std::int64_t end) {
    double        sum = 0.0;
    std::uint64_t count = 0;
    for (std::int64_t i = begin * volume.grid.size[0]; i < end * volume.grid.size[0]; ++i)
    {
      const bool takesPart = volume.TakesPart(i);
      sum += takesPart ? volume.input[i] : 0.0f;
      count += takesPart ? 1 : 0;
    }
    sums[begin / rowsPerItem] = sum;
    counts[begin / rowsPerItem] = count;
  });
  return NoiseBrightnessThreshold(std::accumulate(sums.begin(), sums.end(), 0.0),
                                  std::accumulate(counts.begin(), counts.end(), std::uint64_t{ 0 }));
}

/** A stretch of a row whose voxels may have all their neighbors. */
struct NoiseRow
{
  /** From a voxel to its upper neighbors; 0 along axes of one voxel, where the voxel itself adds nothing to the sum. */
  std::array<std::int64_t, 3> steps{};
  std::int64_t                begin = 0;
  std::int64_t                end = 0;
};

/** The stretch of a row; empty where the row is at the border of the volume. */
NoiseRow
MakeNoiseRow(const Grid & grid, std::int64_t row)
{
  const std::array<std::int64_t, 3> strides{ 1, grid.size[0], grid.VoxelsPerPlane() };
  const std::array<std::int64_t, 3> position{ 1, row % grid.size[1], row / grid.size[1] };
  NoiseRow                          result;
  bool                              hasNeighbors = true;
  for (int axis = 0; axis < 3; ++axis)
  {
    const bool isLong = grid.size[axis] > 1;
    result.steps[axis] = isLong ? strides[axis] : 0;
    hasNeighbors = hasNeighbors && (!isLong || (position[axis] > 0 && position[axis] < grid.size[axis] - 1));
  }
  const std::int64_t margin = grid.size[0] > 1 ? 1 : 0;
  result.begin = row * grid.size[0] + margin;
  result.end = hasNeighbors ? (row + 1) * grid.size[0] - margin : result.begin;
  return result;
}

/** Writes a(i) with its sign for the voxels of a row, or NaN for those that do not count; without the mask. A loop
 * without branches, which compilers make vectors of. */
void
SumRow(const NoiseVolume & volume, float threshold, const NoiseRow & row, float * sums)
{
  const auto         neighborhood = static_cast<float>(2 * NumberOfNoiseAxes(volume.grid) + 1);
  const float        limit = volume.limit;
  const std::int64_t count = row.end - row.begin;
  const float *      at = volume.input + row.begin;
  const auto [x, y, z] = row.steps;
  for (std::int64_t i = 0; i < count; ++i)
  {
    const float value = at[i];
    const float ends[6] = { at[i - x], at[i + x], at[i - y], at[i + y], at[i - z], at[i + z] };
    float       sum = AddNoiseDifferences(0.0f, value, ends[0], ends[1]);
    sum = AddNoiseDifferences(sum, value, ends[2], ends[3]);
    sum = AddNoiseDifferences(sum, value, ends[4], ends[5]);
    bool counts = IsBrightForNoise(value, sum, threshold, neighborhood) & IsWithinNoiseLimit(value, limit);
    for (const float end : ends)
    {
      counts = counts & IsWithinNoiseLimit(end, limit);
    }
    sums[i] = counts ? sum : std::numeric_limits<float>::quiet_NaN();
  }
}

/** Calls visit(order bits of a(i)) for the voxels of a row that count.
 * \param sums memory for the row */
template <typename TVisit>
void
VisitRow(
  const NoiseVolume & volume, float threshold, std::int64_t index, std::vector<float> & sums, const TVisit & visit)
{
  const NoiseRow row = MakeNoiseRow(volume.grid, index);
  SumRow(volume, threshold, row, sums.data());
  for (std::int64_t i = row.begin; i < row.end; ++i)
  {
    const float sum = sums[i - row.begin];
    if (!std::isnan(sum) && volume.AreInside(i, row.steps))
    {
      visit(NoiseOrderBits(sum));
    }
  }
}

/** Integer counts: their sum does not depend on the order in which threads add. */
using Histogram = std::vector<std::atomic<std::uint64_t>>;

/** The mean of the two middle values of a(i); 0 where there is none. */
double
ComputeMedian(Context & context, const NoiseVolume & volume, float threshold, std::int64_t rowsPerItem)
{
  Context::ProgressSteps progress(context);
  const auto             visitAll = [&](const auto & visit) {
    ForRows(context, volume.grid, rowsPerItem, [&](std::int64_t rowBegin, std::int64_t rowEnd) {
      std::vector<float> sums(volume.grid.size[0]);
      for (std::int64_t row = rowBegin; row < rowEnd; ++row)
      {
        VisitRow(volume, threshold, row, sums, visit);
      }
    });
  };
  Histogram upperCounts(noiseUpperBins);
  progress.UpTo(0.5);
  visitAll([&](std::uint32_t bits) { upperCounts[NoiseUpperBin(bits)].fetch_add(1, std::memory_order_relaxed); });
  const std::uint64_t count = std::accumulate(upperCounts.begin(), upperCounts.end(), std::uint64_t{ 0 });
  if (count == 0)
  {
    return 0.0;
  }
  const HistogramPosition middle[2] = { FindRank(upperCounts.data(), noiseUpperBins, LowerMedianRank(count)),
                                        FindRank(upperCounts.data(), noiseUpperBins, UpperMedianRank(count)) };
  Histogram               lowerCounts[2] = { Histogram(noiseLowerBins), Histogram(noiseLowerBins) };
  progress.UpTo(1.0);
  visitAll([&](std::uint32_t bits) {
    for (int i = 0; i < 2; ++i)
    {
      if (NoiseUpperBin(bits) == middle[i].bin)
      {
        lowerCounts[i][NoiseLowerBin(bits)].fetch_add(1, std::memory_order_relaxed);
      }
    }
  });
  double sum = 0.0;
  for (int i = 0; i < 2; ++i)
  {
    const HistogramPosition position = FindRank(lowerCounts[i].data(), noiseLowerBins, middle[i].rankInBin);
    sum += NoiseValueOf(middle[i].bin << noiseLowerBits | position.bin);
  }
  return 0.5 * sum;
}

} // namespace

double
EstimateNoiseSigma(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask)
{
  constexpr std::int64_t voxelsPerItem = 65536;
  const std::int64_t     rowsPerItem = std::max<std::int64_t>(1, voxelsPerItem / grid.size[0]);
  Context::ProgressSteps progress(context);
  progress.UpTo(0.02);
  const FloatInput  source(context, grid, input);
  const float       limit = SampleIntensities(context, grid, input, mask).limit;
  const NoiseVolume volume{ grid, source.Data(), static_cast<const unsigned char *>(mask.data), limit };
  progress.UpTo(0.2);
  const float threshold = ComputeThreshold(context, volume, rowsPerItem);
  progress.UpTo(1.0);
  return NoiseSigmaFromMedian(ComputeMedian(context, volume, threshold, rowsPerItem), NumberOfNoiseAxes(grid));
}

} // namespace cudaneuro::cpu
