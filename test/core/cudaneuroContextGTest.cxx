// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>

namespace
{

TEST(Device, CpuIsTheDefault)
{
  EXPECT_FALSE(cudaneuro::Device{}.IsCuda());
  EXPECT_EQ(cudaneuro::Device{}, cudaneuro::Device{});
  EXPECT_NE(cudaneuro::Device{}, cudaneuro::Device{ 0 });
  EXPECT_FALSE(cudaneuro::GetDeviceProperties(cudaneuro::Device{}).name.empty());
}

TEST(Device, SaysWhyThereIsNoCudaDevice)
{
  const int number = cudaneuro::GetNumberOfCudaDevices();
  EXPECT_GE(number, 0);
  EXPECT_EQ(number == 0, !cudaneuro::GetReasonForNoCudaDevice().empty());
  if (!cudaneuro::IsBuiltWithCuda())
  {
    EXPECT_EQ(number, 0);
  }
}

TEST(Device, UnknownDeviceIsAnError)
{
  const cudaneuro::Device device{ cudaneuro::GetNumberOfCudaDevices() + 7 };
  EXPECT_THROW(cudaneuro::GetDeviceProperties(device), cudaneuro::Error);
  const auto error = ErrorOf<cudaneuro::Error>([&] { const cudaneuro::Context context(device); });
  EXPECT_FALSE(error.GetCall().empty());
  EXPECT_FALSE(error.GetReason().empty());
  EXPECT_NE(std::string(error.what()).find(error.GetReason()), std::string::npos);
}

class ContextTest : public DeviceTest
{};

TEST_P(ContextTest, KnowsItsDevice)
{
  EXPECT_EQ(this->GetContext().GetDevice(), this->GetParam());
  EXPECT_GE(this->GetContext().GetNumberOfThreads(), 1U);
  const cudaneuro::DeviceProperties properties = cudaneuro::GetDeviceProperties(this->GetParam());
  EXPECT_FALSE(properties.name.empty());
  EXPECT_LE(properties.freeBytes, properties.totalBytes);
}

TEST_P(ContextTest, ParallelForCallsEachOnce)
{
  for (const unsigned int numberOfThreads : { 1U, 2U, 5U })
  {
    this->GetContext().SetNumberOfThreads(numberOfThreads);
    for (const std::int64_t count : { 0, 1, 3, 1000 })
    {
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
      std::mutex                    mutex;
      std::set<std::thread::id>     threads;
      this->GetContext().ParallelFor(count, [&](std::int64_t i) {
        ++calls[i];
        const std::lock_guard<std::mutex> lock(mutex);
        threads.insert(std::this_thread::get_id());
      });
      for (const std::atomic<int> & numberOfCalls : calls)
      {
        EXPECT_EQ(numberOfCalls, 1);
      }
      EXPECT_LE(threads.size(), numberOfThreads);
    }
  }
}

TEST_P(ContextTest, ParallelForPassesExceptionsOn)
{
  this->GetContext().SetNumberOfThreads(4);
  const auto throwAt = [&](std::int64_t bad) {
    this->GetContext().ParallelFor(100, [=](std::int64_t i) {
      if (i == bad)
      {
        throw std::domain_error("item " + std::to_string(i));
      }
    });
  };
  EXPECT_THROW(throwAt(0), std::domain_error);
  EXPECT_THROW(throwAt(57), std::domain_error);
  EXPECT_NO_THROW(throwAt(-1));
}

TEST_P(ContextTest, ProgressRangesNest)
{
  std::vector<float> reports;
  this->GetContext().SetProgressFunction([&](float fraction) {
    reports.push_back(fraction);
    return true;
  });
  {
    const cudaneuro::Context::ProgressRange outer(this->GetContext(), 0.5, 1.0);
    {
      const cudaneuro::Context::ProgressRange inner(this->GetContext(), 0.0, 0.5);
      this->GetContext().ReportProgress(0.5);
      this->GetContext().ReportProgress(1.0);
    }
    this->GetContext().ReportProgress(1.0);
  }
  this->GetContext().ReportProgress(0.25);
  EXPECT_EQ(reports, (std::vector<float>{ 0.625f, 0.75f, 1.0f, 0.25f }));
}

TEST_P(ContextTest, ProgressStepsFollowEachOther)
{
  std::vector<float> reports;
  this->GetContext().SetProgressFunction([&](float fraction) {
    reports.push_back(fraction);
    return true;
  });
  {
    cudaneuro::Context::ProgressSteps outer(this->GetContext());
    outer.UpTo(0.5);
    this->GetContext().ReportProgress(0.5);
    outer.UpTo(1.0);
    {
      cudaneuro::Context::ProgressSteps inner(this->GetContext());
      this->GetContext().ReportProgress(0.0);
      inner.UpTo(0.5);
      this->GetContext().ReportProgress(1.0);
      inner.UpTo(0.5); // a step without a share
      this->GetContext().ReportProgress(0.5);
    }
    this->GetContext().ReportProgress(1.0);
  }
  this->GetContext().ReportProgress(0.25);
  EXPECT_EQ(reports, (std::vector<float>{ 0.25f, 0.5f, 0.75f, 0.75f, 1.0f, 0.25f }));
}

TEST_P(ContextTest, AbortStopsEarly)
{
  this->GetContext().SetNumberOfThreads(2);
  this->GetContext().SetProgressFunction([](float) { return false; });
  std::atomic<int> calls{ 0 };
  EXPECT_THROW(this->GetContext().ParallelFor(100000,
                                              [&](std::int64_t) {
                                                ++calls;
                                                std::this_thread::sleep_for(std::chrono::microseconds(20));
                                              }),
               cudaneuro::Aborted);
  EXPECT_LT(calls, 100000);
  this->GetContext().SetProgressFunction(nullptr);
  EXPECT_NO_THROW(this->GetContext().ParallelFor(10, [](std::int64_t) {}));
}

TEST_P(ContextTest, AllocatedMemoryOutlivesTheContext)
{
  cudaneuro::DeviceMemory memory;
  {
    cudaneuro::Context context(this->GetParam());
    memory = context.Allocate(1000);
  }
  EXPECT_GE(memory.bytes, 1000U);
  ASSERT_NE(memory.Data(), nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.Data()) % 64, 0U);
  if (!this->GetParam().IsCuda())
  {
    std::memset(memory.Data(), 1, 1000);
  }
}

TEST_P(ContextTest, HugeAllocationFailsAndTheContextStaysUsable)
{
  const std::size_t huge = std::size_t{ 1 } << 50;
  for (int repetition = 0; repetition < 3; ++repetition)
  {
    const auto error = ErrorOf<cudaneuro::OutOfMemoryError>(
      [&] { const cudaneuro::DeviceMemory memory = this->GetContext().Allocate(huge); });
    EXPECT_EQ(error.GetBytesNeeded(), huge);
    EXPECT_GT(error.GetBytesAvailable(), 0U);
    EXPECT_LT(error.GetBytesAvailable(), huge);
    EXPECT_NE(std::string(error.what()).find(std::to_string(huge)), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(std::to_string(error.GetBytesAvailable())), std::string::npos)
      << error.what();
    EXPECT_NE(this->GetContext().Allocate(1 << 20).Data(), nullptr);
  }
}

TEST_P(ContextTest, PinnedMemoryIsWritable)
{
  for (const std::size_t bytes :
       { std::size_t{ 1 }, std::size_t{ 12345 }, std::size_t{ 1 } << 24, std::size_t{ 30000001 } })
  {
    const std::shared_ptr<void> memory = cudaneuro::AllocatePinned(this->GetParam(), bytes);
    ASSERT_NE(memory, nullptr);
    std::memset(memory.get(), 7, bytes);
    EXPECT_EQ(static_cast<const char *>(memory.get())[bytes - 1], 7);
  }
  cudaneuro::ReleaseCachedMemory();
}

TEST_P(ContextTest, PinnedMemoryIsTakenAgain)
{
  if (!this->GetParam().IsCuda())
  {
    GTEST_SKIP() << "The CPU has no pool of page-locked memory.";
  }
  cudaneuro::ReleaseCachedMemory();
  for (const std::size_t bytes : { std::size_t{ 1 }, std::size_t{ 12345 }, std::size_t{ 1 } << 24 })
  {
    const void * const first = cudaneuro::AllocatePinned(this->GetParam(), bytes).get();
    EXPECT_EQ(cudaneuro::AllocatePinned(this->GetParam(), bytes).get(), first) << bytes << " bytes";
  }
  cudaneuro::ReleaseCachedMemory();
}

TEST_P(ContextTest, CopiesThereAndBack)
{
  cudaneuro::Grid grid;
  // Longer than one staging block.
  grid.size = { 1021, 509, 11 };
  std::vector<float> values(static_cast<std::size_t>(grid.NumberOfVoxels()));
  std::iota(values.begin(), values.end(), 0.25f);
  std::vector<float>            back(values.size());
  const std::size_t             bytes = values.size() * sizeof(float);
  const bool                    isCuda = this->GetParam().IsCuda();
  const cudaneuro::MemorySpace  space = isCuda ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
  const cudaneuro::DeviceMemory first = this->GetContext().Allocate(bytes);
  const cudaneuro::DeviceMemory second = this->GetContext().Allocate(bytes);

  this->GetContext().ResetStatistics();
  CopyVolume(this->GetContext(), grid, ConstView(values), { first.Data(), cudaneuro::PixelType::Float, space });
  EXPECT_EQ(this->GetContext().GetStatistics().hostToDeviceBytes, isCuda ? bytes : 0U);
  CopyVolume(this->GetContext(),
             grid,
             { first.Data(), cudaneuro::PixelType::Float, space },
             { second.Data(), cudaneuro::PixelType::Float, space });
  EXPECT_EQ(this->GetContext().GetStatistics().deviceToHostBytes, 0U);
  CopyVolume(this->GetContext(), grid, { second.Data(), cudaneuro::PixelType::Float, space }, View(back));
  EXPECT_EQ(this->GetContext().GetStatistics().deviceToHostBytes, isCuda ? bytes : 0U);
  EXPECT_EQ(values, back);
}

CUDANEURO_TEST_ON_ALL_DEVICES(ContextTest);

} // namespace
