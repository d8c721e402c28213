// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "points/PointOrder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cudaneuro
{
namespace
{

/** Bits of each coordinate's place in the points' bounding box; three fit into 64. */
constexpr int placeBits = 20;

/** The bits of the coordinates' places in turn, the highest first. */
std::uint64_t
Interleave(const std::uint32_t * places, int dimension)
{
  std::uint64_t code = 0;
  for (int bit = placeBits - 1; bit >= 0; --bit)
  {
    for (int d = 0; d < dimension; ++d)
    {
      code = 2 * code + ((places[d] >> bit) & 1u);
    }
  }
  return code;
}

} // namespace

std::vector<std::int32_t>
SpatialOrder(int dimension, const std::vector<double> & positions)
{
  const std::size_t   count = positions.size() / static_cast<std::size_t>(dimension);
  std::vector<double> lowest(positions.begin(), positions.begin() + dimension);
  double              extent = 0.0;
  for (int d = 0; d < dimension; ++d)
  {
    double highest = lowest[d];
    for (std::size_t i = 0; i < count; ++i)
    {
      lowest[d] = std::min(lowest[d], positions[i * dimension + d]);
      highest = std::max(highest, positions[i * dimension + d]);
    }
    extent = std::max(extent, highest - lowest[d]);
  }
  const double places = extent > 0.0 ? ((1 << placeBits) - 1) / extent : 0.0;

  std::vector<std::uint64_t> codes(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    std::uint32_t place[3] = {};
    for (int d = 0; d < dimension; ++d)
    {
      place[d] = static_cast<std::uint32_t>((positions[i * dimension + d] - lowest[d]) * places);
    }
    codes[i] = Interleave(place, dimension);
  }
  std::vector<std::int32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(
    order.begin(), order.end(), [&codes](std::int32_t a, std::int32_t b) { return codes[a] < codes[b]; });
  return order;
}

double
NegligibleSquaredDistance(std::int64_t numberOfPoints, int mantissaBits)
{
  // Derivatives have factors that grow with the distance; below 2^6 where it matters.
  constexpr int bitsOfFactors = 6;
  return mantissaBits + bitsOfFactors + std::ceil(std::log2(static_cast<double>(numberOfPoints)));
}

} // namespace cudaneuro
