// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "neighbors/ReferenceNeighbors.h"

#include <algorithm>

namespace referenceneighbors
{

double
SquaredDistanceInOrder(const float * a, const float * b, int dimension)
{
  std::vector<double> sums(32, 0.0);
  for (int i = 0; i < dimension; ++i)
  {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    const double square = difference * difference;
    sums[i % 32] += square;
  }
  while (sums.size() > 1)
  {
    std::vector<double> sumsOfNeighbors;
    for (std::size_t i = 0; i < sums.size(); i += 2)
    {
      sumsOfNeighbors.push_back(sums[i] + sums[i + 1]);
    }
    sums = sumsOfNeighbors;
  }
  return sums[0];
}

double
SquaredDistanceInSequence(const float * a, const float * b, int dimension)
{
  double sum = 0.0;
  for (int i = 0; i < dimension; ++i)
  {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    sum += difference * difference;
  }
  return sum;
}

std::vector<std::int32_t>
SortByDistance(const float * query, const VectorSet & points, std::int64_t excluded)
{
  std::vector<double>       distances;
  std::vector<std::int32_t> order;
  for (std::int64_t point = 0; point < points.Count(); ++point)
  {
    distances.push_back(SquaredDistanceInOrder(query, points.At(point), points.dimension));
    if (point != excluded)
    {
      order.push_back(static_cast<std::int32_t>(point));
    }
  }
  // The indices rise, and a stable sort leaves those of the same distance in their order.
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return distances[static_cast<std::size_t>(a)] < distances[static_cast<std::size_t>(b)];
  });
  return order;
}

} // namespace referenceneighbors
