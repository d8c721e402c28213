// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ReferenceSmoothing.h"

#include <algorithm>
#include <cmath>

namespace reference
{
namespace
{

/** The weights of a Gaussian along an axis. */
class Gaussian
{
public:
  explicit Gaussian(double sigma)
    : m_Radius(static_cast<std::int64_t>(std::floor(sigma * std::sqrt(-2.0 * std::log(1e-6)))))
    , m_SumsBelow{ 0.0 }
  {
    for (std::int64_t offset = -m_Radius; offset <= m_Radius; ++offset)
    {
      m_Weights.push_back(std::exp(-0.5 * static_cast<double>(offset * offset) / (sigma * sigma)));
      m_SumsBelow.push_back(m_SumsBelow.back() + m_Weights.back());
    }
  }

  /** The convolution at one voxel of a row, whose voxels are \p stride apart. */
  double
  SmoothedValue(const double *      row,
                std::int64_t        stride,
                std::int64_t        length,
                std::int64_t        position,
                cudaneuro::Boundary boundary) const
  {
    const std::int64_t first = std::max<std::int64_t>(position - m_Radius, 0);
    const std::int64_t last = std::min<std::int64_t>(position + m_Radius, length - 1);
    double             sum = 0.0;
    for (std::int64_t i = first; i <= last; ++i)
    {
      sum += m_Weights[i - position + m_Radius] * row[i * stride];
    }
    if (boundary == cudaneuro::Boundary::Repeat)
    {
      // The values at both ends go on beyond them, with all of the weights there.
      sum += m_SumsBelow[first - position + m_Radius] * row[0];
      sum += (m_SumsBelow.back() - m_SumsBelow[last + 1 - position + m_Radius]) * row[(length - 1) * stride];
    }
    return sum / m_SumsBelow.back();
  }

private:
  std::int64_t        m_Radius;
  std::vector<double> m_Weights;
  /** The sum of the first weights, for each number of them. */
  std::vector<double> m_SumsBelow;
};

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
      const Gaussian            gaussian(sigma[axis]);
      const std::vector<double> from = values;
      for (std::int64_t i = 0; i < static_cast<std::int64_t>(values.size()); ++i)
      {
        const std::int64_t position = i / stride % size[axis];
        values[i] =
          gaussian.SmoothedValue(from.data() + (i - position * stride), stride, size[axis], position, boundary);
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
