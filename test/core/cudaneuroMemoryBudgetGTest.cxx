// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ExpectedErrors.h"
#include "core/MemoryBudget.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using cudaneuro::MemoryBudget;

namespace
{

/** Memory of the host, which a budget counts as any other. */
std::shared_ptr<void>
Take(const std::shared_ptr<MemoryBudget> & budget, std::size_t bytes)
{
  return MemoryBudget::Allocate(budget, bytes, [bytes] { return std::make_shared<std::vector<char>>(bytes); });
}

} // namespace

TEST(MemoryBudget, HoldsTheLimit)
{
  const auto budget = std::make_shared<MemoryBudget>();
  const auto unlimited = Take(budget, 700);
  EXPECT_EQ(budget->GetUsed(), 700U);
  budget->SetLimit(1000);
  EXPECT_EQ(budget->GetRemaining(), 300U);
  const auto rest = Take(budget, 300);
  EXPECT_EQ(budget->GetRemaining(), 0U);
  const auto error = ErrorOf<cudaneuro::OutOfMemoryError>([&] { Take(budget, 1); });
  EXPECT_EQ(error.GetBytesNeeded(), 1001U);
  EXPECT_EQ(error.GetBytesAvailable(), 1000U);
  EXPECT_EQ(budget->GetUsed(), 1000U);
  EXPECT_NE(Take(budget, 0), nullptr);

  budget->SetLimit(500); // below what is in use
  EXPECT_EQ(budget->GetRemaining(), 0U);
  EXPECT_THROW(Take(budget, 1), cudaneuro::OutOfMemoryError);
  budget->SetLimit(0);
  EXPECT_NO_THROW(Take(budget, 100000));
}

/** Sums that do not fit into a size_t do not wrap around. */
TEST(MemoryBudget, HugeSizesAreRefused)
{
  const auto budget = std::make_shared<MemoryBudget>();
  budget->SetLimit(1000);
  const auto some = Take(budget, 10);
  EXPECT_THROW(MemoryBudget::Allocate(budget, static_cast<std::size_t>(-5), [] { return nullptr; }),
               cudaneuro::OutOfMemoryError);
  EXPECT_EQ(budget->GetUsed(), 10U);
}

TEST(MemoryBudget, CountsUntilTheLastOwnerLetsGo)
{
  auto budget = std::make_shared<MemoryBudget>();
  budget->SetLimit(1000);
  auto                  first = Take(budget, 600);
  std::shared_ptr<void> second = first;
  first = nullptr;
  EXPECT_EQ(budget->GetUsed(), 600U);
  second = nullptr;
  EXPECT_EQ(budget->GetUsed(), 0U);

  // The memory is freed before it is counted out: who then sees room has it.
  std::size_t usedWhenFreed = 0;
  auto        watched = MemoryBudget::Allocate(
    budget, 400, [&] { return std::shared_ptr<void>(nullptr, [&](void *) { usedWhenFreed = budget->GetUsed(); }); });
  watched = nullptr;
  EXPECT_EQ(usedWhenFreed, 400U);
  EXPECT_EQ(budget->GetUsed(), 0U);

  // What outlives its context counts itself out.
  auto last = Take(budget, 8);
  budget = nullptr;
  EXPECT_NO_THROW(last = nullptr);
}

TEST(MemoryBudget, FailedAllocationsDoNotCount)
{
  const auto budget = std::make_shared<MemoryBudget>();
  budget->SetLimit(1000);
  const auto fail = []() -> std::shared_ptr<void> { throw std::runtime_error("the device has no more"); };
  EXPECT_THROW(MemoryBudget::Allocate(budget, 600, fail), std::runtime_error);
  EXPECT_EQ(budget->GetUsed(), 0U);
}

TEST(MemoryBudget, AsksForReliefUntilThereIsEnough)
{
  const auto budget = std::make_shared<MemoryBudget>();
  budget->SetLimit(1000);
  std::vector<std::shared_ptr<void>> held;
  for (int i = 0; i < 5; ++i)
  {
    held.push_back(Take(budget, 200));
  }
  int asked = 0;
  budget->SetReliever([&] {
    ++asked;
    // The reliever is not asked again for what it allocates itself.
    EXPECT_THROW(Take(budget, 1000), cudaneuro::OutOfMemoryError);
    if (held.size() == 1)
    {
      return false;
    }
    held.pop_back();
    return true;
  });
  EXPECT_NE(Take(budget, 500), nullptr);
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(held.size(), 2U);
  EXPECT_NE(Take(budget, 800), nullptr);
  EXPECT_EQ(asked, 4);
  budget->ExchangePurpose("an atlas");
  const auto error = ErrorOf<cudaneuro::OutOfMemoryError>([&] { Take(budget, 900); });
  EXPECT_NE(std::string(error.what()).find("for an atlas"), std::string::npos) << error.what();
  EXPECT_EQ(error.GetBytesNeeded(), 1100U);
  EXPECT_EQ(asked, 5);
  budget->SetReliever({});
  EXPECT_THROW(Take(budget, 900), cudaneuro::OutOfMemoryError);
  EXPECT_EQ(asked, 5);
}

TEST(MemoryBudget, CountsInManyThreads)
{
  const auto               budget = std::make_shared<MemoryBudget>();
  std::vector<std::thread> threads;
  budget->SetLimit(4 * 64);
  for (int i = 0; i < 4; ++i)
  {
    threads.emplace_back([&] {
      for (int repetition = 0; repetition < 2000; ++repetition)
      {
        EXPECT_NO_THROW(Take(budget, 64));
      }
    });
  }
  for (std::thread & thread : threads)
  {
    thread.join();
  }
  EXPECT_EQ(budget->GetUsed(), 0U);
}
