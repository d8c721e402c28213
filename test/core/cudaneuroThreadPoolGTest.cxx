// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/ThreadPool.h"
#include "group/BreakableBarrier.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <thread>
#include <vector>

namespace
{

using cudaneuro::BreakableBarrier;
using cudaneuro::RunOnThreads;

/** Calls body(i) for i in [0, count). */
template <typename TBody>
void
ForEach(unsigned int helpers, int count, const TBody & body)
{
  std::atomic<int> next{ 0 };
  RunOnThreads(helpers, [&] {
    for (int i = next++; i < count; i = next++)
    {
      body(i);
    }
  });
}

/** Loops of which each reads what the one before has written at other places. */
TEST(ThreadPool, LoopsFollowEachOther)
{
  for (const unsigned int helpers : { 0u, 1u, 4u })
  {
    for (const int count : { 0, 1, 3, 100 })
    {
      SCOPED_TRACE(::testing::Message() << "helpers: " << helpers << ", count: " << count);
      std::vector<int> values(count, 0);
      std::vector<int> next(count, 0);
      constexpr int    loops = 300;
      for (int loop = 0; loop < loops; ++loop)
      {
        ForEach(helpers, count, [&](int i) { next[i] = values[count - 1 - i] + 1; });
        values.swap(next);
      }
      EXPECT_EQ(values, std::vector<int>(count, loops));
    }
  }
}

/** More helpers than before are started, and no more than asked for take part. */
TEST(ThreadPool, HasAsManyHelpersAsAskedFor)
{
  for (const int helpers : { 1, 4, 2 })
  {
    BreakableBarrier barrier(1 + helpers);
    std::atomic<int> calls{ 0 };
    RunOnThreads(helpers, [&] {
      ++calls;
      barrier.Wait();
    });
    EXPECT_EQ(calls, 1 + helpers);
  }
}

/** Also threads that went to sleep between loops wake up. */
TEST(ThreadPool, WakesUp)
{
  for (int loop = 0; loop < 3; ++loop)
  {
    BreakableBarrier barrier(3);
    RunOnThreads(2, [&] { barrier.Wait(); });
    // Long enough for the others to stop looking for the next loop.
    for (int look = 0; look < 2000; ++look)
    {
      std::this_thread::yield();
    }
  }
}

/** Calls from inside the work, and from threads at the same time, have helpers of their own. */
TEST(ThreadPool, HelpsManyAtTheSameTime)
{
  BreakableBarrier outer(3);
  std::atomic<int> calls{ 0 };
  RunOnThreads(2, [&] {
    outer.Wait();
    BreakableBarrier inner(2);
    RunOnThreads(1, [&] {
      inner.Wait();
      ++calls;
    });
  });
  EXPECT_EQ(calls, 6);
}

/** Helpers that were started before the caller chose a mode of rounding have it, too. */
TEST(ThreadPool, RoundsAsTheCallerDoes)
{
  const int before = std::fegetround();
  for (const int mode : { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD })
  {
    BreakableBarrier barrier(3);
    std::atomic<int> calls{ 0 };
    std::fesetround(mode);
    RunOnThreads(2, [&] {
      barrier.Wait();
      calls += std::fegetround() == mode ? 1 : 0;
    });
    std::fesetround(before);
    EXPECT_EQ(calls, 3) << mode;
  }
}

} // namespace
