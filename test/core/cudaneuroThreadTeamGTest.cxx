// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/ThreadTeam.h"

#include <gtest/gtest.h>

#include <vector>

namespace
{

/** Loops of which each reads what the one before has written at other places. */
TEST(ThreadTeam, LoopsFollowEachOther)
{
  for (const unsigned int threads : { 1u, 2u, 5u })
  {
    for (const std::int64_t count : { 0, 1, 3, 100 })
    {
      SCOPED_TRACE(::testing::Message() << "threads: " << threads << ", count: " << count);
      cudaneuro::ThreadTeam team(threads);
      std::vector<int>      values(count, 0);
      std::vector<int>      next(count, 0);
      constexpr int         loops = 300;
      for (int loop = 0; loop < loops; ++loop)
      {
        team.ParallelFor(count, [&](std::int64_t i) { next[i] = values[count - 1 - i] + 1; });
        values.swap(next);
      }
      EXPECT_EQ(values, std::vector<int>(count, loops));
    }
  }
}

/** Also threads that went to sleep between loops wake up, and a team without any loop ends. */
TEST(ThreadTeam, WakesUpAndEnds)
{
  cudaneuro::ThreadTeam idle(3);
  cudaneuro::ThreadTeam team(3);
  for (int loop = 0; loop < 20; ++loop)
  {
    std::vector<int> values(64, 0);
    team.ParallelFor(64, [&](std::int64_t i) { values[i] = static_cast<int>(i); });
    // Long enough for the others to stop looking for the next loop.
    int busy = 0;
    for (int look = 0; look < 2000; ++look)
    {
      std::this_thread::yield();
      busy += values[look % 64];
    }
    EXPECT_EQ(busy, 31 * 2016 + 120);
  }
}

} // namespace
