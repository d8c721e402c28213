// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ImageStatisticsFormulas_h
#define cudaneuro_images_ImageStatisticsFormulas_h

#include "core/ApproximateMath.h"
#include "images/ImageStatistics.h"

#include <cmath>

/** Statistics of parts of a volume and their combination, for both compilers. */
namespace cudaneuro
{

/** Statistics of some voxels. */
struct StatisticsPartial
{
  double       sum;
  double       mean;
  double       squares; // sum of the squared differences from the mean
  std::int64_t count;
  std::int64_t notFinite;
  float        minimum;
  float        maximum;

  CUDANEURO_HOST_DEVICE static StatisticsPartial
  Empty()
  {
    return { 0.0, 0.0, 0.0, 0, 0, HUGE_VALF, -HUGE_VALF };
  }

  /** Includes other voxels by equation 2.1 of Chan, Golub and LeVeque 1983, which avoids cancellation. */
  CUDANEURO_HOST_DEVICE void
  Include(const StatisticsPartial & other)
  {
    notFinite += other.notFinite;
    if (other.count == 0)
    {
      return;
    }
    const double share = static_cast<double>(other.count) / static_cast<double>(count + other.count);
    const double difference = other.mean - mean;
    squares += other.squares + difference * difference * share * static_cast<double>(count);
    mean += difference * share;
    sum += other.sum;
    count += other.count;
    minimum = other.minimum < minimum ? other.minimum : minimum;
    maximum = other.maximum > maximum ? other.maximum : maximum;
  }
};

/** Sums of differences from the first value, which keep their digits in a loop over voxels. */
struct ShiftedSums
{
  double       shift = 0.0;
  double       sum = 0.0;
  double       squares = 0.0;
  std::int64_t count = 0;
  std::int64_t notFinite = 0;
  float        minimum = HUGE_VALF;
  float        maximum = -HUGE_VALF;

  /** Adds a voxel inside the mask. */
  CUDANEURO_HOST_DEVICE void
  Add(float value)
  {
    if (!IsFinite(value))
    {
      ++notFinite;
      return;
    }
    shift = count == 0 ? static_cast<double>(value) : shift;
    const double difference = static_cast<double>(value) - shift;
    sum += difference;
    squares += difference * difference;
    ++count;
    minimum = value < minimum ? value : minimum;
    maximum = value > maximum ? value : maximum;
  }

  CUDANEURO_HOST_DEVICE StatisticsPartial
  ToPartial() const
  {
    StatisticsPartial partial = StatisticsPartial::Empty();
    partial.notFinite = notFinite;
    if (count > 0)
    {
      const auto number = static_cast<double>(count);
      partial.sum = sum + number * shift;
      partial.mean = shift + sum / number;
      partial.squares = squares - sum * (sum / number);
      partial.count = count;
      partial.minimum = minimum;
      partial.maximum = maximum;
    }
    return partial;
  }
};

inline ImageStatistics
MakeImageStatistics(const StatisticsPartial & partial)
{
  ImageStatistics statistics;
  statistics.count = partial.count;
  statistics.numberOfNotFinite = partial.notFinite;
  if (partial.count > 0)
  {
    statistics.minimum = static_cast<double>(partial.minimum);
    statistics.maximum = static_cast<double>(partial.maximum);
    statistics.sum = partial.sum;
    statistics.mean = partial.sum / static_cast<double>(partial.count);
  }
  if (partial.count > 1)
  {
    statistics.variance = std::fmax(0.0, partial.squares) / static_cast<double>(partial.count - 1);
  }
  return statistics;
}

} // namespace cudaneuro

#endif
