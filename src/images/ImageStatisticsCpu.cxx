// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ImageStatisticsFormulas.h"

#include "core/IntegerMath.h"
#include "core/VectorDispatch.h"

#include <algorithm>
#include <vector>

namespace cudaneuro::cpu
{
namespace
{

/** ShiftedSums in several SIMD lanes, so that the compiler vectorizes the loop over voxels. */
struct StatisticsLanes
{
  static constexpr int lanes = 16;

  double       shift;
  double       sum[lanes] = {};
  double       squares[lanes] = {};
  std::int64_t count[lanes] = {};
  std::int64_t notFinite[lanes] = {};
  float        minimum[lanes] = {};
  float        maximum[lanes] = {};

  explicit StatisticsLanes(double valueInside)
    : shift(valueInside)
  {
    std::fill_n(minimum, lanes, HUGE_VALF);
    std::fill_n(maximum, lanes, -HUGE_VALF);
  }

  /** Adds a voxel; \p inside is whether it is inside the mask. */
  CUDANEURO_ALWAYS_INLINE void
  Add(int lane, float value, bool inside)
  {
    const bool   finite = IsFinite(value);
    const bool   takesPart = finite && inside;
    const double difference = takesPart ? static_cast<double>(value) - shift : 0.0;
    sum[lane] += difference;
    squares[lane] += difference * difference;
    count[lane] += takesPart ? 1 : 0;
    notFinite[lane] += inside && !finite ? 1 : 0;
    minimum[lane] = takesPart && value < minimum[lane] ? value : minimum[lane];
    maximum[lane] = takesPart && value > maximum[lane] ? value : maximum[lane];
  }

  StatisticsPartial
  ToPartial() const
  {
    ShiftedSums sums;
    sums.shift = shift;
    for (int lane = 0; lane < lanes; ++lane)
    {
      sums.sum += sum[lane];
      sums.squares += squares[lane];
      sums.count += count[lane];
      sums.notFinite += notFinite[lane];
      sums.minimum = std::min(sums.minimum, minimum[lane]);
      sums.maximum = std::max(sums.maximum, maximum[lane]);
    }
    return sums.ToPartial();
  }
};

/** Returns statistics of \p count voxels; isInside(i) returns whether voxel i is inside the mask. */
template <typename TIsInside>
CUDANEURO_ALWAYS_INLINE StatisticsPartial
ComputeRun(std::int64_t count, const float * input, const TIsInside & isInside)
{
  constexpr int lanes = StatisticsLanes::lanes;
  std::int64_t  first = 0;
  while (first < count && !(isInside(first) && IsFinite(input[first])))
  {
    ++first;
  }
  StatisticsLanes statistics(first < count ? static_cast<double>(input[first]) : 0.0);
  std::int64_t    i = 0;
  for (; i + lanes <= count; i += lanes)
  {
    for (int lane = 0; lane < lanes; ++lane)
    {
      statistics.Add(lane, input[i + lane], isInside(i + lane));
    }
  }
  for (int lane = 0; i < count; ++i, ++lane)
  {
    statistics.Add(lane, input[i], isInside(i));
  }
  return statistics.ToPartial();
}

} // namespace

ImageStatistics
VolumeStatistics(Context & context, std::int64_t numberOfVoxels, const float * input, const unsigned char * mask)
{
  // The number is fixed, so that results do not depend on the machine.
  constexpr std::int64_t         voxelsPerTask = 1 << 16;
  const std::int64_t             tasks = DivideUp(numberOfVoxels, voxelsPerTask);
  std::vector<StatisticsPartial> partials(static_cast<std::size_t>(tasks));
  context.ParallelFor(tasks, [&](std::int64_t task) {
    const std::int64_t  begin = task * voxelsPerTask;
    const std::int64_t  count = std::min(voxelsPerTask, numberOfVoxels - begin);
    const float * const values = input + begin;
    StatisticsPartial & partial = partials[task];
    VectorDispatch([&partial, count, values, mask, begin] {
      if (mask)
      {
        const unsigned char * const inside = mask + begin;
        partial = ComputeRun(count, values, [inside](std::int64_t i) { return inside[i] != 0; });
      }
      else
      {
        partial = ComputeRun(count, values, [](std::int64_t) { return true; });
      }
    });
  });
  StatisticsPartial result = StatisticsPartial::Empty();
  for (const StatisticsPartial & partial : partials)
  {
    result.Include(partial);
  }
  return MakeImageStatistics(result);
}

} // namespace cudaneuro::cpu
