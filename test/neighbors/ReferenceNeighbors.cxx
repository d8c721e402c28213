// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "neighbors/ReferenceNeighbors.h"

#include <algorithm>
#include <array>

namespace referenceneighbors
{

double
SquaredDistanceInOrder(const float * a, const float * b, int dimension)
{
  constexpr int                    numberOfSums = 32;
  std::array<double, numberOfSums> sums{};
  for (int i = 0; i < dimension; ++i)
  {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    const double square = difference * difference;
    sums[i % numberOfSums] += square;
  }
  // Those of neighbors are added, until one is left.
  for (int count = numberOfSums / 2; count > 0; count /= 2)
  {
    for (int i = 0; i < count; ++i)
    {
      sums[i] = sums[2 * i] + sums[2 * i + 1];
    }
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
