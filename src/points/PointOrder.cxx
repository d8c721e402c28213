// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "points/PointOrder.h"

#include "core/IntegerMath.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace cudaneuro
{
namespace
{

/** Sorts ranges of the order along the longest side of their bounding box. */
class SpatialSorter
{
public:
  SpatialSorter(int dimension, const std::vector<double> & positions)
    : m_Dimension(dimension)
    , m_Positions(positions)
  {}

  void
  Sort(std::int32_t * begin, std::int32_t * end) const
  {
    while (end - begin > pointsPerGroup)
    {
      const std::ptrdiff_t groups = DivideUp(end - begin, std::ptrdiff_t{ pointsPerGroup });
      std::int32_t *       middle = begin + groups / 2 * pointsPerGroup;
      const int            axis = this->LongestSide(begin, end);
      std::nth_element(
        begin, middle, end, [this, axis](std::int32_t a, std::int32_t b) { return this->IsBefore(a, b, axis); });
      this->Sort(begin, middle);
      begin = middle;
    }
    std::sort(begin, end, [this](std::int32_t a, std::int32_t b) { return this->IsBefore(a, b, 0); });
  }

private:
  double
  Coordinate(std::int32_t point, int axis) const
  {
    return m_Positions[static_cast<std::size_t>(point) * static_cast<std::size_t>(m_Dimension) +
                       static_cast<std::size_t>(axis)];
  }

  /** Compares one coordinate, then all of them, then the points' numbers. */
  bool
  IsBefore(std::int32_t a, std::int32_t b, int axis) const
  {
    if (this->Coordinate(a, axis) != this->Coordinate(b, axis))
    {
      return this->Coordinate(a, axis) < this->Coordinate(b, axis);
    }
    for (int other = 0; other < m_Dimension; ++other)
    {
      if (this->Coordinate(a, other) != this->Coordinate(b, other))
      {
        return this->Coordinate(a, other) < this->Coordinate(b, other);
      }
    }
    return a < b;
  }

  int
  LongestSide(const std::int32_t * begin, const std::int32_t * end) const
  {
    int    longest = 0;
    double length = -1.0;
    for (int axis = 0; axis < m_Dimension; ++axis)
    {
      const auto [least, largest] = std::minmax_element(begin, end, [this, axis](std::int32_t a, std::int32_t b) {
        return this->Coordinate(a, axis) < this->Coordinate(b, axis);
      });
      const double side = this->Coordinate(*largest, axis) - this->Coordinate(*least, axis);
      if (side > length)
      {
        length = side;
        longest = axis;
      }
    }
    return longest;
  }

  int                         m_Dimension;
  const std::vector<double> & m_Positions;
};

} // namespace

std::vector<std::int32_t>
SpatialOrder(int dimension, const std::vector<double> & positions)
{
  std::vector<std::int32_t> order(positions.size() / static_cast<std::size_t>(dimension));
  std::iota(order.begin(), order.end(), 0);
  SpatialSorter(dimension, positions).Sort(order.data(), order.data() + order.size());
  return order;
}

double
NegligibleSquaredDistance(std::int64_t numberOfPoints, int mantissaBits)
{
  // The terms of derivatives have up to three factors of the distance, which is 6 at this limit in single precision,
  // and about 1 for near pairs.
  constexpr int bitsOfFactors = 3;
  return mantissaBits + bitsOfFactors + std::ceil(std::log2(static_cast<double>(numberOfPoints)));
}

} // namespace cudaneuro
