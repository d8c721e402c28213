// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "KeptPoints.h"
#include "neighbors/NeighborSets.h"

#include <algorithm>

namespace
{

using referenceneighbors::VectorSet;

class DistinctPointsTest : public DeviceTest
{
protected:
  std::vector<std::int32_t>
  FindSorted(const VectorSet & points, int numberOfNeighbors, int hashBits)
  {
    std::vector<std::int32_t> kept = keptpoints::FindKept(this->GetContext(), points, numberOfNeighbors, hashBits);
    std::sort(kept.begin(), kept.end());
    return kept;
  }
};

/** The points that have at most as many equal ones of lower index as there are neighbors. */
std::vector<std::int32_t>
NeededPoints(const VectorSet & points, int numberOfNeighbors)
{
  std::vector<std::int32_t> needed;
  for (std::int32_t point = 0; point < points.Count(); ++point)
  {
    int before = 0;
    for (std::int32_t other = 0; other < point && before <= numberOfNeighbors; ++other)
    {
      before += std::equal(points.At(point), points.At(point) + points.dimension, points.At(other)) ? 1 : 0;
    }
    if (before <= numberOfNeighbors)
    {
      needed.push_back(point);
    }
  }
  return needed;
}

constexpr int bitsOfHash = 64;

} // namespace

TEST_P(DistinctPointsTest, KeepsTheLowestOfEqualPoints)
{
  std::vector<int> repetitions{ 500, 50, 7, 6, 5, 4, 2 };
  repetitions.insert(repetitions.end(), 30, 1);
  for (const int dimension : { 2, 32, 33, 125 })
  {
    const VectorSet points = neighborsets::Repeated(repetitions, dimension);
    for (const int numberOfNeighbors : { 1, 5, 128 })
    {
      EXPECT_EQ(this->FindSorted(points, numberOfNeighbors, bitsOfHash), NeededPoints(points, numberOfNeighbors))
        << dimension << ' ' << numberOfNeighbors;
    }
  }
}

/** Different vectors that have the same hash stand between equal ones: then more are kept, and never fewer. */
TEST_P(DistinctPointsTest, KeepsAllThatAreNeededWhereHashesCollide)
{
  std::vector<int> repetitions{ 500, 300, 7, 6, 5 };
  repetitions.insert(repetitions.end(), 30, 1);
  const VectorSet                 points = neighborsets::Repeated(repetitions, 33);
  const std::vector<std::int32_t> needed = NeededPoints(points, 5);
  for (const int hashBits : { 0, 1, 2, 4 })
  {
    const std::vector<std::int32_t> kept = this->FindSorted(points, 5, hashBits);
    EXPECT_EQ(std::adjacent_find(kept.begin(), kept.end()), kept.end()) << hashBits;
    EXPECT_TRUE(std::includes(kept.begin(), kept.end(), needed.begin(), needed.end())) << hashBits;
    EXPECT_LE(kept.size(), static_cast<std::size_t>(points.Count())) << hashBits;
  }
}

/** Without any bits the order is that of the indices. */
TEST_P(DistinctPointsTest, EqualPointsStandTogether)
{
  VectorSet points = neighborsets::Repeated({ 300 }, 33);
  points.values.resize(2 * points.values.size(), 0.5f);
  EXPECT_EQ(this->FindSorted(points, 5, 0), NeededPoints(points, 5));
}

TEST_P(DistinctPointsTest, OnePoint)
{
  EXPECT_EQ(this->FindSorted(neighborsets::Uniform(1, 7), 1, bitsOfHash), std::vector<std::int32_t>{ 0 });
}

CUDANEURO_TEST_ON_CUDA(DistinctPointsTest);
