// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Threads of a process that was forked. Systems of POSIX only.

#include "core/ThreadPool.h"
#include "group/BreakableBarrier.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

using cudaneuro::BreakableBarrier;
using cudaneuro::RunOnThreads;

/** A process that was forked has none of its parent's threads: it starts its own, and does not wait for the others. */
TEST(ForkedThreads, AreStartedAnew)
{
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer ends a forked process that starts threads.";
#endif
  BreakableBarrier barrier(3);
  RunOnThreads(2, [&] { barrier.Wait(); });
  const pid_t child = fork();
  if (child == 0)
  {
    BreakableBarrier ofChild(3);
    RunOnThreads(2, [&] { ofChild.Wait(); });
    _exit(42);
  }
  ASSERT_GT(child, 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 42);
}
