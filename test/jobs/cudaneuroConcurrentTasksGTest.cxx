// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Tasks that run at the same time: each ends once, and the first failure comes back to the caller.

#include "cudaneuro/Error.h"
#include "jobs/ConcurrentTasks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <vector>

namespace
{

constexpr std::size_t numberOfTasks = 20;
constexpr std::size_t megabyte = std::size_t{ 1 } << 20;

std::vector<std::size_t>
SomeBytes()
{
  std::vector<std::size_t> bytes;
  for (std::size_t i = 0; i < numberOfTasks; ++i)
  {
    bytes.push_back((1 + i % 7) * megabyte);
  }
  return bytes;
}

} // namespace

TEST(ConcurrentTasks, EachRunsOnce)
{
  for (const unsigned int threads : { 1u, 3u, 64u })
  {
    cudaneuro::Context                      context(cudaneuro::Device{}, threads);
    std::vector<std::atomic<int>>           runs(numberOfTasks);
    std::atomic<const cudaneuro::Context *> others{ nullptr };
    std::vector<float>                      progress;
    context.SetProgressFunction([&](float done) {
      progress.push_back(done);
      return true;
    });
    RunConcurrently(context, SomeBytes(), [&](cudaneuro::Context & own, std::size_t i) {
      ++runs[i];
      if (&own != &context)
      {
        others = &own;
      }
    });
    for (const auto & run : runs)
    {
      EXPECT_EQ(run, 1);
    }
    EXPECT_EQ(others == nullptr, threads == 1);
    EXPECT_TRUE(std::is_sorted(progress.begin(), progress.end()));
    EXPECT_EQ(progress.back(), 1.0f);
  }
}

TEST(ConcurrentTasks, WithoutTasksNothingRuns)
{
  cudaneuro::Context context(cudaneuro::Device{}, 4);
  RunConcurrently(context, {}, [](cudaneuro::Context &, std::size_t) { FAIL(); });
}

TEST(ConcurrentTasks, AFailureComesBack)
{
  for (const unsigned int threads : { 1u, 4u })
  {
    cudaneuro::Context context(cudaneuro::Device{}, threads);
    EXPECT_THROW(RunConcurrently(context,
                                 SomeBytes(),
                                 [](cudaneuro::Context &, std::size_t i) {
                                   if (i == 11)
                                   {
                                     throw std::domain_error("the eleventh");
                                   }
                                 }),
                 std::domain_error);
  }
}

TEST(ConcurrentTasks, TheCallerCanAbort)
{
  for (const unsigned int threads : { 1u, 4u })
  {
    cudaneuro::Context context(cudaneuro::Device{}, threads);
    context.SetProgressFunction([](float) { return false; });
    EXPECT_THROW(RunConcurrently(context, SomeBytes(), [](cudaneuro::Context &, std::size_t) {}), cudaneuro::Aborted);
  }
}

TEST(ConcurrentTasks, WhatFindsNoMemoryRunsAgainAlone)
{
  cudaneuro::Context                      context(cudaneuro::Device{}, 4);
  std::vector<std::atomic<int>>           runs(numberOfTasks);
  std::atomic<const cudaneuro::Context *> last{ nullptr };
  RunConcurrently(context, SomeBytes(), [&](cudaneuro::Context & own, std::size_t i) {
    if (++runs[i] == 1 && i == 5)
    {
      throw cudaneuro::OutOfMemoryError("a test", megabyte, 0);
    }
    last = &own;
  });
  for (std::size_t i = 0; i < numberOfTasks; ++i)
  {
    EXPECT_EQ(runs[i], i == 5 ? 2 : 1) << i;
  }
  EXPECT_EQ(last, &context);
}
