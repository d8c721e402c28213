// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Which planes a stage is given at once.

#include "jobs/PlaneBatches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace
{

using Planes = std::vector<std::int64_t>;

/** The planes of the batches, where planes arrive by \p chunk. */
Planes
BatchesOf(cudaneuro::BatchPlan plan, std::int64_t planes, std::int64_t chunk)
{
  Planes       batches;
  std::int64_t given = 0;
  for (std::int64_t begin = 0; begin < planes; begin += chunk)
  {
    const std::int64_t available = std::min(begin + chunk, planes);
    if (plan.Begins(available))
    {
      batches.push_back(available - given);
      given = available;
    }
  }
  EXPECT_EQ(given, planes);
  return batches;
}

constexpr std::int64_t most = 1000;

TEST(BatchPlan, EachChunkIsABatchByDefault)
{
  EXPECT_EQ(BatchesOf({ {}, 50, most }, 50, 20), (Planes{ 20, 20, 10 }));
}

TEST(BatchPlan, BatchesGrowUntilTheLast)
{
  EXPECT_EQ(BatchesOf({ { 36, 4.0, 40 }, 300, most }, 300, 12), (Planes{ 36, 144, 84, 36 }));
  EXPECT_EQ(BatchesOf({ { 37, 4.0, 40 }, 300, most }, 300, 12), (Planes{ 48, 156, 60, 36 }));
  EXPECT_EQ(BatchesOf({ { 10, 2.0, 30 }, 100, most }, 100, 5), (Planes{ 10, 20, 40, 10, 10, 10 }));
}

TEST(BatchPlan, FewPlanesAreOneBatch)
{
  EXPECT_EQ(BatchesOf({ { 36, 4.0, 32 }, 20, most }, 20, 6), (Planes{ 20 }));
}

TEST(BatchPlan, ABatchIsNoLongerThanProgressAllows)
{
  EXPECT_EQ(BatchesOf({ { 12, 100.0, 0 }, 90, 20 }, 90, 10), (Planes{ 20, 20, 20, 20, 10 }));
}

} // namespace
