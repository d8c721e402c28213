// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/HostMemory.h"
#include "core/HostPages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

using namespace cudaneuro;

TEST(HostPages, AreWritableAndBeginAtAPage)
{
  for (const std::size_t pages : { 1, 5, 37 })
  {
    const std::size_t bytes = pages * hostpages::pageBytes;
    void * const      data = hostpages::Map(bytes);
    if (data == nullptr)
    {
      GTEST_SKIP() << "no such pages on this system";
    }
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % hostpages::pageBytes, 0U);
    auto * const begin = static_cast<unsigned char *>(data);
    EXPECT_TRUE(std::all_of(begin, begin + bytes, [](unsigned char value) { return value == 0; }));
    std::fill(begin, begin + bytes, static_cast<unsigned char>(0xa5));
    EXPECT_EQ(std::count(begin, begin + bytes, static_cast<unsigned char>(0xa5)), static_cast<std::ptrdiff_t>(bytes));
    hostpages::Unmap(data, bytes);
  }
}

TEST(HostPages, AreThereFromTheStart)
{
  const auto resident = [] {
    std::ifstream stream("/proc/self/status");
    std::size_t   kibibytes = 0;
    for (std::string line; std::getline(stream, line);)
    {
      kibibytes = line.rfind("VmRSS:", 0) == 0 ? std::stoul(line.substr(6)) : kibibytes;
    }
    return kibibytes << 10;
  };
  constexpr std::size_t bytes = 64 * hostpages::pageBytes;
  const std::size_t     before = resident();
  void * const          data = hostpages::Map(bytes);
  if (data == nullptr)
  {
    GTEST_SKIP() << "no such pages on this system";
  }
  EXPECT_GE(resident(), before + bytes * 9 / 10); // the kernel counts in batches
  hostpages::Unmap(data, bytes);
  EXPECT_LT(resident(), before + bytes / 10);
}

TEST(HostPages, ThatWouldLeaveTooFewAreRefused)
{
  const std::size_t all = TotalHostBytes() / hostpages::pageBytes * hostpages::pageBytes;
  if (all == 0)
  {
    GTEST_SKIP() << "the system does not tell";
  }
  EXPECT_EQ(hostpages::Map(all), nullptr);
}

TEST(HostMemory, OfTheProcessIsPartOfTheMachines)
{
  const std::size_t all = TotalHostBytes();
  if (all == 0)
  {
    GTEST_SKIP() << "the system does not tell";
  }
  EXPECT_GT(FreeHostBytes(), 0U);
  EXPECT_LE(FreeHostBytes(), all);
}
