// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/means/FixedPoint.h"
#include "atlas/means/ImageSums.h"
#include "core/ParallelRows.h"

#include <limits>

namespace cudaneuro::cpu
{

void
AddVolumes(Context & context, const SumOfVolumes & sum)
{
  const Extent box = sum.box.GetExtent();
  if (sum.box.IsEmpty())
  {
    return;
  }
  ParallelRows(box).Run(context, [&](std::int64_t, int y, int z, std::int64_t first) {
    const std::int64_t onGrid =
      (std::int64_t{ sum.box.begin[2] + z } * sum.extent.y + sum.box.begin[1] + y) * sum.extent.x + sum.box.begin[0];
    std::int64_t * const values = sum.sums + first;
    std::int32_t * const weights = sum.sumsOfWeights ? sum.sumsOfWeights + first : nullptr;
    if (sum.isFirst)
    {
      std::fill_n(values, box.x, 0);
      std::fill_n(weights, weights ? box.x : 0, 0);
    }
    for (int k = 0; k < sum.count; ++k)
    {
      const float * const volume = sum.volumes[k] + onGrid;
      for (int x = 0; x < box.x; ++x)
      {
        const bool hasValue = volume[x] == volume[x];
        values[x] += ToFixedPoint(hasValue ? volume[x] : 0.0f, sum.factors[k]);
        if (weights)
        {
          weights[x] += hasValue ? sum.weights[k] : 0;
        }
      }
    }
  });
}

void
DivideSums(Context & context, const MeanOfSums & mean)
{
  const Extent box = mean.box.GetExtent();
  ParallelRows(mean.extent).Run(context, [&](std::int64_t, int y, int z, std::int64_t first) {
    float * const row = mean.mean + first;
    const int     inY = y - mean.box.begin[1];
    const int     inZ = z - mean.box.begin[2];
    if (inY < 0 || inY >= box.y || inZ < 0 || inZ >= box.z)
    {
      std::fill_n(row, mean.extent.x, mean.outside);
      return;
    }
    std::fill_n(row, mean.box.begin[0], mean.outside);
    std::fill(row + mean.box.end[0], row + mean.extent.x, mean.outside);
    const std::int64_t inBox = (std::int64_t{ inZ } * box.y + inY) * box.x;
    for (int x = 0; x < box.x; ++x)
    {
      const double weight = mean.sumsOfWeights ? static_cast<double>(mean.sumsOfWeights[inBox + x]) : mean.weight;
      row[mean.box.begin[0] + x] = weight > 0.0 ? FromFixedPoint(mean.sums[inBox + x], mean.inverseScale, weight)
                                                : std::numeric_limits<float>::quiet_NaN();
    }
  });
}

} // namespace cudaneuro::cpu
