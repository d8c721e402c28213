// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/noise/NoiseEstimate.h"

#include "core/Dispatch.h"
#include "core/IntegerMath.h"
#include "images/noise/NoiseEstimateFormulas.h"
#include "images/ReferenceIntensity.h"
#include "jobs/DeviceVolumes.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

/** The estimate that NoiseEstimateFormulas.h describes: a pass for the brightness threshold, and two counting passes
 * for each of the two medians. */

namespace cudaneuro::cpu
{
namespace
{

/** The volume, which all passes read in the same way. */
struct NoiseVolume
{
  Grid                  grid;
  const float *         input = nullptr;
  const unsigned char * mask = nullptr;
  /** The largest magnitude that is not a code or an error. */
  float limit = 0.0f;

  bool
  TakesPart(std::int64_t i) const
  {
    return IsWithinNoiseLimit(input[i], limit) && (!mask || mask[i] != 0);
  }

  /** Returns whether the \p corners of the cube at a voxel are inside the mask. */
  bool
  AreInside(std::int64_t i, const std::vector<std::int64_t> & corners) const
  {
    return !mask ||
           std::all_of(corners.begin(), corners.end(), [&](std::int64_t corner) { return mask[i + corner] != 0; });
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

/** Returns the brightness that voxels must exceed on average in a cube. */
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

/** Returns the offsets from the first voxel of a cube to all its voxels, x fastest. */
std::vector<std::int64_t>
CornersOfCubes(const Grid & grid)
{
  const std::int64_t        strides[] = { 1, grid.size[0], grid.VoxelsPerPlane() };
  std::vector<std::int64_t> corners{ 0 };
  for (int axis = 0; axis < NumberOfNoiseAxes(grid); ++axis)
  {
    const std::size_t count = corners.size();
    for (std::size_t i = 0; i < count; ++i)
    {
      corners.push_back(corners[i] + strides[axis]);
    }
  }
  return corners;
}

/** Returns the cube at a voxel. */
template <int VAxes>
NoiseResidual
ResidualAt(const float * at, std::int64_t y, std::int64_t z)
{
  if constexpr (VAxes == 1)
  {
    return MakeNoiseResidual(MakeNoisePair(at[0], at[1]));
  }
  else
  {
    const auto square = [y](const float * corner) {
      return MakeNoiseSquare(MakeNoisePair(corner[0], corner[y]), MakeNoisePair(corner[1], corner[1 + y]));
    };
    if constexpr (VAxes == 2)
    {
      return MakeNoiseResidual(square(at));
    }
    else
    {
      return MakeNoiseResidual(square(at), square(at + z));
    }
  }
}

/** Writes a(i) with its sign for the cubes that begin in a row, or NaN for those that are not selected; ignores the
 * mask. A loop without branches, which compilers vectorize. */
template <int VAxes>
void
WriteResiduals(const NoiseVolume & volume, const NoiseCubeChoice & choice, std::int64_t begin, float * residuals)
{
  const float        limit = volume.limit;
  const std::int64_t count = volume.grid.size[0] - 1;
  const float *      at = volume.input + begin;
  const std::int64_t y = volume.grid.size[0];
  const std::int64_t z = volume.grid.VoxelsPerPlane();
  for (std::int64_t i = 0; i < count; ++i)
  {
    const NoiseResidual cube = ResidualAt<VAxes>(at + i, y, z);
    bool                counts = IsNoiseCube(cube, choice);
    for (int corner = 0; corner < 1 << VAxes; ++corner)
    {
      const std::int64_t place = (corner & 1) + (corner & 2) / 2 * y + (corner & 4) / 4 * z;
      counts = counts & IsWithinNoiseLimit(at[i + place], limit);
    }
    residuals[i] = counts ? cube.residual : std::numeric_limits<float>::quiet_NaN();
  }
}

/** Calls visit(order bits of a(i)) for the selected cubes that begin in a row.
 * \param residuals memory for the row */
template <typename TVisit>
void
VisitRow(const NoiseVolume &               volume,
         const NoiseCubeChoice &           choice,
         const std::vector<std::int64_t> & corners,
         std::int64_t                      row,
         std::vector<float> &              residuals,
         const TVisit &                    visit)
{
  const Grid & grid = volume.grid;
  const int    axes = NumberOfNoiseAxes(grid);
  const bool   hasNext =
    (axes < 2 || row % grid.size[1] + 1 < grid.size[1]) && (axes < 3 || row / grid.size[1] + 1 < grid.size[2]);
  if (!hasNext)
  {
    return;
  }
  const std::int64_t begin = row * grid.size[0];
  WithConstant<1, 2, 3>(axes,
                        [&](auto constant) { WriteResiduals<constant()>(volume, choice, begin, residuals.data()); });
  for (std::int64_t i = 0; i < grid.size[0] - 1; ++i)
  {
    if (!std::isnan(residuals[i]) && volume.AreInside(begin + i, corners))
    {
      visit(NoiseOrderBits(residuals[i]));
    }
  }
}

/** Integer counts: their sum does not depend on the order in which threads add. */
using Histogram = std::vector<std::atomic<std::uint64_t>>;

/** Returns the mean of the two middle values of a(i) in every \p planeStep-th plane; 0 if there is none. */
double
ComputeMedian(Context &               context,
              const NoiseVolume &     volume,
              const NoiseCubeChoice & choice,
              int                     planeStep,
              std::int64_t            rowsPerItem)
{
  Context::ProgressSteps          progress(context);
  const std::vector<std::int64_t> corners = CornersOfCubes(volume.grid);
  const auto                      visitAll = [&](const auto & visit) {
    ForRows(context, volume.grid, rowsPerItem, [&](std::int64_t rowBegin, std::int64_t rowEnd) {
      std::vector<float> residuals(volume.grid.size[0]);
      for (std::int64_t row = rowBegin; row < rowEnd; ++row)
      {
        if (row / volume.grid.size[1] % planeStep == 0)
        {
          VisitRow(volume, choice, corners, row, residuals, visit);
        }
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
  const float       limit = NoiseLimit(SampleIntensities(context, grid, input, mask));
  const NoiseVolume volume{ grid, source.Data(), static_cast<const unsigned char *>(mask.data), limit };
  progress.UpTo(0.2);
  const auto  corners = static_cast<float>(1 << NumberOfNoiseAxes(grid));
  const float brightness = corners * ComputeThreshold(context, volume, rowsPerItem);
  double      fraction = 0.2;
  return NoiseSigmaWithoutEdges(grid, [&](float mostEdges, int planeStep) {
    fraction += 0.4;
    progress.UpTo(fraction);
    return ComputeMedian(context, volume, { brightness, mostEdges }, planeStep, rowsPerItem);
  });
}

} // namespace cudaneuro::cpu
