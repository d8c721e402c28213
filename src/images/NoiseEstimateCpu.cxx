// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/NoiseEstimate.h"

#include "core/IntegerMath.h"
#include "images/NoiseEstimateFormulas.h"
#include "images/ReferenceIntensity.h"
#include "jobs/DeviceVolumes.h"

#include <algorithm>
#include <atomic>
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

/** Calls visit(order bits of a(i)) for the voxels of a row that count. */
template <typename TVisit>
void
VisitRow(const NoiseVolume & volume, float threshold, std::int64_t row, const TVisit & visit)
{
  const Grid &                      grid = volume.grid;
  const std::array<std::int64_t, 3> strides{ 1, grid.size[0], grid.VoxelsPerPlane() };
  const auto                        neighborhood = static_cast<float>(2 * NumberOfNoiseAxes(grid) + 1);
  std::array<std::int64_t, 3>       position{ 0, row % grid.size[1], row / grid.size[1] };
  for (; position[0] < grid.size[0]; ++position[0])
  {
    const std::int64_t i = row * grid.size[0] + position[0];
    const float        value = volume.input[i];
    bool               counts = volume.TakesPart(i);
    float              sum = 0.0f;
    for (int axis = 0; axis < 3 && counts; ++axis)
    {
      if (grid.size[axis] == 1)
      {
        continue;
      }
      const std::int64_t lower = i - strides[axis];
      const std::int64_t upper = i + strides[axis];
      counts = position[axis] > 0 && position[axis] < grid.size[axis] - 1 && volume.TakesPart(lower) &&
               volume.TakesPart(upper);
      sum = counts ? AddNoiseDifferences(sum, value, volume.input[lower], volume.input[upper]) : sum;
    }
    if (counts && IsBrightForNoise(value, sum, threshold, neighborhood))
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
      for (std::int64_t row = rowBegin; row < rowEnd; ++row)
      {
        VisitRow(volume, threshold, row, visit);
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
