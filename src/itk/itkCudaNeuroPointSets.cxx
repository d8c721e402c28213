// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaNeuroPointSets.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

namespace itk::CudaNeuroDetail
{

namespace
{

/** The order of positions by their coordinates. */
class PositionOrder
{
public:
  PositionOrder(unsigned int dimension, const std::vector<double> & positions)
    : m_Dimension(dimension)
    , m_Positions(positions)
  {}

  bool
  operator()(std::size_t a, std::size_t b) const
  {
    const double * const first = &m_Positions[a * m_Dimension];
    const double * const second = &m_Positions[b * m_Dimension];
    return std::lexicographical_compare(first, first + m_Dimension, second, second + m_Dimension);
  }

  bool
  Differ(std::size_t a, std::size_t b) const
  {
    return (*this)(a, b) || (*this)(b, a);
  }

private:
  std::size_t                 m_Dimension;
  const std::vector<double> & m_Positions;
};

/** The weighted mean of points, repeated for each point. */
std::vector<double>
MeanOfEach(unsigned int dimension, const std::vector<double> & positions, const std::vector<double> & weights)
{
  std::vector<double> mean(dimension, 0.0);
  double              sumOfWeights = 0.0;
  for (std::size_t i = 0; i < positions.size(); ++i)
  {
    const double weight = weights.empty() ? 1.0 : weights[i / dimension];
    mean[i % dimension] += weight * positions[i];
    sumOfWeights += weight / dimension;
  }
  std::vector<double> means(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i)
  {
    means[i] = mean[i % dimension] / sumOfWeights;
  }
  return means;
}

/** Counts points that are at one place in the template but not in the target. */
SizeValueType
CountUnreachable(std::vector<std::size_t> points, const PositionOrder & inTemplate, const PositionOrder & inTarget)
{
  std::sort(points.begin(), points.end(), inTemplate);
  SizeValueType count = 0;
  for (auto first = points.begin(); first != points.end();)
  {
    const auto end = std::find_if(first, points.end(), [&](std::size_t i) { return inTemplate.Differ(*first, i); });
    if (std::any_of(first, end, [&](std::size_t i) { return inTarget.Differ(*first, i); }))
    {
      count += static_cast<SizeValueType>(end - first);
    }
    first = end;
  }
  return count;
}

} // namespace

void
CopyNumbers(cudaneuro::Context &           context,
            std::size_t                    count,
            const cudaneuro::ConstPoints & from,
            const cudaneuro::Points &      to)
{
  cudaneuro::Grid numbers;
  numbers.size = { static_cast<std::int64_t>(count), 1, 1 };
  const cudaneuro::Context::ProgressPause pause(context);
  cudaneuro::CopyVolume(context, numbers, { from.data, from.type, from.space }, { to.data, to.type, to.space });
}

double
RootMeanSquareDistance(unsigned int                dimension,
                       const std::vector<double> & a,
                       const std::vector<double> & b,
                       const std::vector<double> & weights)
{
  double sum = 0.0;
  double sumOfWeights = 0.0;
  for (std::size_t i = 0; i < a.size() / dimension; ++i)
  {
    const double weight = weights.empty() ? 1.0 : weights[i];
    sumOfWeights += weight;
    for (std::size_t k = i * dimension; k < (i + 1) * dimension; ++k)
    {
      sum += weight * (b[k] - a[k]) * (b[k] - a[k]);
    }
  }
  return std::sqrt(sum / sumOfWeights);
}

TargetProperties
PropertiesOf(unsigned int                dimension,
             const std::vector<double> & templatePositions,
             const std::vector<double> & targetPositions,
             const std::vector<double> & weights)
{
  TargetProperties         properties;
  std::vector<std::size_t> points;
  for (std::size_t i = 0; i < templatePositions.size() / dimension; ++i)
  {
    if (!weights.empty() && weights[i] == 0.0)
    {
      continue;
    }
    points.push_back(i);
    double squaredDistance = 0.0;
    for (std::size_t k = i * dimension; k < (i + 1) * dimension; ++k)
    {
      const double difference = targetPositions[k] - templatePositions[k];
      squaredDistance += difference * difference;
    }
    const double distance = std::sqrt(squaredDistance);
    properties.meanDistance += distance;
    properties.maximumDistance = std::max(properties.maximumDistance, distance);
  }
  properties.meanDistance /= static_cast<double>(points.size());
  properties.rootMeanSquareDistance = RootMeanSquareDistance(dimension, templatePositions, targetPositions, weights);
  properties.spread =
    RootMeanSquareDistance(dimension, targetPositions, MeanOfEach(dimension, targetPositions, weights), weights);
  properties.sumOfWeights =
    weights.empty() ? static_cast<double>(points.size()) : std::accumulate(weights.begin(), weights.end(), 0.0);
  properties.numberOfUnreachablePoints = CountUnreachable(
    std::move(points), PositionOrder(dimension, templatePositions), PositionOrder(dimension, targetPositions));
  return properties;
}

} // namespace itk::CudaNeuroDetail
