// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ReferenceSmoothing.h"

#include <algorithm>
#include <cmath>

namespace reference
{
namespace
{

/** The convolution at one voxel along an axis, of its row, whose voxels are \p stride apart. */
double
SmoothedValue(const double *      row,
              std::int64_t        stride,
              std::int64_t        length,
              std::int64_t        position,
              double              sigma,
              cudaneuro::Boundary boundary)
{
  const auto radius = static_cast<std::int64_t>(std::floor(sigma * std::sqrt(-2.0 * std::log(1e-6))));
  double     sum = 0.0;
  double     sumOfWeights = 0.0;
  for (std::int64_t offset = -radius; offset <= radius; ++offset)
  {
    const double weight = std::exp(-0.5 * static_cast<double>(offset * offset) / (sigma * sigma));
    sumOfWeights += weight;
    const std::int64_t onGrid = std::clamp<std::int64_t>(position + offset, 0, length - 1);
    if (onGrid == position + offset || boundary == cudaneuro::Boundary::Repeat)
    {
      sum += weight * row[onGrid * stride];
    }
  }
  return sum / sumOfWeights;
}

} // namespace

std::vector<double>
GaussianSmoothing(const std::array<std::int64_t, 3> & size,
                  const std::array<double, 3> &       sigma,
                  cudaneuro::Boundary                 boundary,
                  std::vector<double>                 values)
{
  std::int64_t stride = 1;
  for (int axis = 0; axis < 3; ++axis)
  {
    if (sigma[axis] > 0.0 && size[axis] > 1)
    {
      const std::vector<double> from = values;
      for (std::int64_t i = 0; i < static_cast<std::int64_t>(values.size()); ++i)
      {
        const std::int64_t position = i / stride % size[axis];
        values[i] =
          SmoothedValue(from.data() + (i - position * stride), stride, size[axis], position, sigma[axis], boundary);
      }
    }
    stride *= size[axis];
  }
  return values;
}

double
Interpolate(const std::array<std::int64_t, 3> & size,
            const std::vector<double> &         values,
            const std::array<double, 3> &       index)
{
  double sum = 0.0;
  for (int corner = 0; corner < 8; ++corner)
  {
    double       weight = 1.0;
    std::int64_t element = 0;
    std::int64_t stride = 1;
    for (int axis = 0; axis < 3; ++axis)
    {
      const double       position = std::clamp(index[axis], 0.0, static_cast<double>(size[axis] - 1));
      const std::int64_t lower = static_cast<std::int64_t>(std::floor(position));
      const double       fraction = position - static_cast<double>(lower);
      const bool         isUpper = (corner >> axis) % 2 == 1;
      weight *= isUpper ? fraction : 1.0 - fraction;
      element += std::min(lower + (isUpper ? 1 : 0), size[axis] - 1) * stride;
      stride *= size[axis];
    }
    sum += weight * values[element];
  }
  return sum;
}

cudaneuro::ImageStatistics
Statistics(const std::vector<double> & values, const std::vector<unsigned char> & mask)
{
  cudaneuro::ImageStatistics statistics;
  std::vector<double>        inside;
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    if (mask.empty() || mask[i] != 0)
    {
      if (std::isfinite(values[i]))
      {
        inside.push_back(values[i]);
      }
      else
      {
        ++statistics.numberOfNotFinite;
      }
    }
  }
  statistics.count = static_cast<std::int64_t>(inside.size());
  if (inside.empty())
  {
    return statistics;
  }
  statistics.minimum = *std::min_element(inside.begin(), inside.end());
  statistics.maximum = *std::max_element(inside.begin(), inside.end());
  for (const double value : inside)
  {
    statistics.sum += value;
  }
  statistics.mean = statistics.sum / static_cast<double>(inside.size());
  for (const double value : inside)
  {
    statistics.variance += (value - statistics.mean) * (value - statistics.mean);
  }
  statistics.variance /= std::max(1.0, static_cast<double>(inside.size()) - 1.0);
  return statistics;
}

} // namespace reference
