// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DelayedWork.h"
#include "GroupTestCases.h"

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace
{

using namespace grouptests;
using cudaneuro::DeviceGroup;

class DeviceGroupTest : public GroupTest
{};

} // namespace

/** Integers add to the same in any order, so that sums are exact. */
TEST_P(DeviceGroupTest, SumsEqualALoop)
{
  const auto                     group = this->MakeGroup();
  const std::vector<std::size_t> counts{ 1000, 1, 0, 2, 3, 100003, 7, 0, 64, 1, 65537 };
  ExpectSums<std::int64_t>(*group, counts);
  ExpectSums<std::int32_t>(*group, counts);
  ExpectSums<std::int64_t>(*group, { 5, 4, 3, 2, 1 });
}

/** Peer copies have 32 MiB for what travels at once. */
TEST_P(DeviceGroupTest, LargeArraysEqualALoop)
{
  const auto group = this->MakeGroup();
  ExpectSums<std::int64_t>(*group, { 5000001, 100 });
  ExpectSums<std::int32_t>(*group, { 9000001 });
}

TEST_P(DeviceGroupTest, SumsOnTheHostEqualALoop)
{
  const auto                             group = this->MakeGroup();
  std::vector<std::vector<std::int64_t>> values(group->GetSize());
  group->Run([&](int device) {
    values[device] = Addends<std::int64_t>(device, 1003);
    group->SumOnHost(device, values[device].data(), 1000);
    group->SumOnHost(device, values[device].data(), 0);
    group->SumOnHost(device, values[device].data() + 1000, 3);
  });
  for (const std::vector<std::int64_t> & sums : values)
  {
    EXPECT_TRUE(sums == SumsOfAddends<std::int64_t>(0, group->GetSize(), 1003));
  }
}

/** A sum takes what was enqueued before it, and what is enqueued after it takes the sum. */
TEST_P(DeviceGroupTest, SumsAreInOrderOfTheComputeStream)
{
  const auto                             group = this->MakeGroup();
  const int                              size = group->GetSize();
  constexpr std::size_t                  count = 50000;
  std::vector<std::vector<std::int64_t>> results(size);
  group->Run([&](int device) {
    cudaneuro::Context &      context = group->GetContext(device);
    DeviceArray<std::int64_t> array(context, std::vector<std::int64_t>(count, -1));
    const auto                onDevice = [&](const auto & onCuda, const auto & onCpu) {
      if constexpr (cudaneuro::builtWithCuda)
      {
        if (context.GetDevice().IsCuda())
        {
          onCuda();
          return;
        }
      }
      onCpu();
    };
    onDevice([&] { delayedwork::EnqueueCounting(context, array.Data(), count, device); },
             [&] { std::iota(array.Data(), array.Data() + count, device); });
    group->Sum(device, array.Data(), count);
    onDevice([&] { delayedwork::EnqueueDoubling(context, array.Data(), count); },
             [&] { std::for_each(array.Data(), array.Data() + count, [](std::int64_t & value) { value *= 2; }); });
    group->Sum(device, array.Data(), count);
    results[device] = array.ToHost();
  });
  std::vector<std::int64_t> expected(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    // Of first = 0, 1, ..., size - 1, doubled; then as many of that as there are devices.
    expected[i] = 2 * size * (size * static_cast<std::int64_t>(i) + size * (size - 1) / 2);
  }
  for (const std::vector<std::int64_t> & result : results)
  {
    EXPECT_TRUE(result == expected);
  }
}

TEST_P(DeviceGroupTest, KnowsItsExchange)
{
  const std::string exchange = this->MakeGroup()->GetExchange();
  const std::string expected = this->GetParam().exchange;
  if (expected.empty())
  {
    const bool isNccl = exchange.rfind("NCCL 2.", 0) == 0;
    EXPECT_TRUE(isNccl || exchange == "peer copies") << exchange;
    this->RecordProperty("exchange", exchange);
  }
  else
  {
    EXPECT_EQ(exchange, expected);
  }
}

/** Whichever body throws: its exception arrives, the others end, and the group goes on working. */
TEST_P(DeviceGroupTest, FirstExceptionArrives)
{
  const auto group = this->MakeGroup();
  for (int thrower = 0; thrower < group->GetSize(); ++thrower)
  {
    for (const bool onHost : { false, true })
    {
      std::atomic<int> numberOfOthers{ 0 };
      const auto       body = [&](int device) {
        DeviceArray<std::int64_t> array(group->GetContext(device), std::vector<std::int64_t>(1000, device));
        std::int64_t              onHostValue = device;
        group->Sum(device, array.Data(), 1000);
        if (device == thrower)
        {
          throw std::runtime_error("device " + std::to_string(device) + " is on fire");
        }
        try
        {
          onHost ? group->SumOnHost(device, &onHostValue, 1) : group->Sum(device, array.Data(), 1000);
        }
        catch (const cudaneuro::Error & error)
        {
          EXPECT_EQ(error.GetReason(), "another device has failed");
          ++numberOfOthers;
          throw;
        }
      };
      const auto error = ErrorOf<std::runtime_error>([&] { group->Run(body); });
      EXPECT_EQ(std::string(error.what()), "device " + std::to_string(thrower) + " is on fire");
      EXPECT_EQ(numberOfOthers, group->GetSize() - 1);
      ExpectSums<std::int64_t>(*group, { 100, 5 });
    }
  }
}

/** Nobody waits for a body that has ended without a sum. */
TEST_P(DeviceGroupTest, MissingSumIsAnError)
{
  const auto group = this->MakeGroup();
  if (group->GetSize() == 1)
  {
    return;
  }
  const auto error = ErrorOf<cudaneuro::Error>([&] {
    group->Run([&](int device) {
      DeviceArray<std::int32_t> array(group->GetContext(device), { 1, 2 });
      group->Sum(device, array.Data(), 2);
      if (device != 1)
      {
        group->Sum(device, array.Data(), 2);
      }
    });
  });
  EXPECT_EQ(error.GetReason(), "the job of device 1 of the group has ended without it");
  ExpectSums<std::int32_t>(*group, { 100, 5 });
}

/** Also when each throws something of its own at the same time, one of them arrives. */
TEST_P(DeviceGroupTest, ExceptionsOfAllBodies)
{
  const auto group = this->MakeGroup();
  for (int repetition = 0; repetition < 20; ++repetition)
  {
    EXPECT_THROW(group->Run([&](int device) { throw std::runtime_error(std::to_string(device)); }), std::runtime_error);
  }
  ExpectSums<std::int64_t>(*group, { 10 });
}

INSTANTIATE_TEST_SUITE_P(, DeviceGroupTest, ::testing::ValuesIn(AllGroups()), [](const auto & info) {
  return info.param.name;
});

TEST(DeviceGroup, SharesOutThreads)
{
  const auto threadsOf = [](unsigned int numberOfThreads, int size) {
    const DeviceGroup         group(std::vector<cudaneuro::Device>(size), numberOfThreads, 0, nullptr);
    std::vector<unsigned int> threads(size);
    for (int device = 0; device < group.GetSize(); ++device)
    {
      threads[device] = group.GetContext(device).GetNumberOfThreads();
    }
    return threads;
  };
  using Threads = std::vector<unsigned int>;
  EXPECT_EQ(threadsOf(7, 3), (Threads{ 3, 2, 2 }));
  EXPECT_EQ(threadsOf(2, 3), (Threads{ 1, 1, 1 }));
  EXPECT_EQ(threadsOf(5, 1), (Threads{ 5 }));
  EXPECT_EQ(threadsOf(0, 1), (Threads{ cudaneuro::Context(cudaneuro::Device{}).GetNumberOfThreads() }));
}

TEST(DeviceGroup, RejectsBadDevices)
{
  EXPECT_THROW(DeviceGroup({}, 0, 0, nullptr), cudaneuro::InvalidParameterError);
  const cudaneuro::Device absent{ cudaneuro::GetNumberOfCudaDevices() + 7 };
  EXPECT_THROW(DeviceGroup({ cudaneuro::Device{}, absent }, 0, 0, nullptr), cudaneuro::Error);
}

TEST(DeviceGroup, MemoryLimitIsOfADeviceCuda0)
{
  if (cudaneuro::GetNumberOfCudaDevices() == 0)
  {
    GTEST_SKIP() << "no CUDA device: " << cudaneuro::GetReasonForNoCudaDevice();
  }
  const cudaneuro::Device cuda0{ 0 };
  constexpr std::size_t   limit = std::size_t{ 100 } << 20;
  DeviceGroup             group({ cuda0, cuda0 }, 0, limit, nullptr);
  EXPECT_EQ(group.GetContext(0).GetMemoryLimit(), limit / 2);
  EXPECT_EQ(group.GetContext(1).GetMemoryLimit(), limit / 2);
  EXPECT_NO_THROW(group.Run([&](int device) { group.GetContext(device).Allocate(std::size_t{ 40 } << 20); }));
  EXPECT_THROW(group.Run([&](int device) { group.GetContext(device).Allocate(std::size_t{ 60 } << 20); }),
               cudaneuro::OutOfMemoryError);
}

/** Peer copies between devices take their scratch from the share of each device's first context. */
TEST(DeviceGroup, ScratchOfPeerCopiesCountsCuda0)
{
  if (cudaneuro::GetNumberOfCudaDevices() < 2)
  {
    GTEST_SKIP() << "fewer than two CUDA devices";
  }
  const NcclVariable                   variable("0");
  const std::vector<cudaneuro::Device> devices{ cudaneuro::Device{ 0 },
                                                cudaneuro::Device{ 0 },
                                                cudaneuro::Device{ 1 } };
  DeviceGroup                          group(devices, 0, std::size_t{ 100 } << 20, nullptr);
  const auto                           allocateIn = [&](int context) {
    group.Run([&](int device) {
      if (device == context)
      {
        group.GetContext(device).Allocate(std::size_t{ 40 } << 20);
      }
    });
  };
  EXPECT_THROW(allocateIn(0), cudaneuro::OutOfMemoryError); // has 50 MiB
  EXPECT_NO_THROW(allocateIn(1));                           // has 50 MiB
  EXPECT_NO_THROW(allocateIn(2));                           // has 100 MiB
  EXPECT_THROW(DeviceGroup(devices, 0, std::size_t{ 10 } << 20, nullptr), cudaneuro::OutOfMemoryError);
}

/** A name that the user gave is not passed over in silence. */
TEST(DeviceGroup, NamedNcclMustBeThereCuda0)
{
  if (cudaneuro::GetNumberOfCudaDevices() < 2)
  {
    GTEST_SKIP() << "fewer than two CUDA devices";
  }
  const NcclVariable variable("/nowhere/libnccl.so");
  const auto         error = ErrorOf<cudaneuro::Error>([&] {
    const DeviceGroup group({ cudaneuro::Device{ 0 }, cudaneuro::Device{ 1 } }, 0, 0, nullptr);
  });
  EXPECT_NE(error.GetReason().find("/nowhere/libnccl.so"), std::string::npos) << error.what();
}

/** NCCL serves one group of a process at a time; another one's sums are the same without it. */
TEST(DeviceGroup, OneHasNcclCuda0)
{
  if (cudaneuro::GetNumberOfCudaDevices() < 2)
  {
    GTEST_SKIP() << "fewer than two CUDA devices";
  }
  const std::vector<cudaneuro::Device> devices{ cudaneuro::Device{ 0 }, cudaneuro::Device{ 1 } };
  auto                                 first = std::make_unique<DeviceGroup>(devices, 0, 0, nullptr);
  const std::string                    exchange = first->GetExchange();
  DeviceGroup                          second(devices, 0, 0, nullptr);
  EXPECT_EQ(second.GetExchange(), "peer copies");
  std::thread other([&] { ExpectSums<std::int64_t>(*first, { 100, 200, 300 }); });
  ExpectSums<std::int64_t>(second, { 100, 200, 300 });
  other.join();
  first = nullptr;
  EXPECT_EQ(DeviceGroup(devices, 0, 0, nullptr).GetExchange(), exchange);
}

/** Each body has its device current, and the caller's is what it was. */
TEST(DeviceGroup, CallersDeviceStaysCuda0)
{
  if (cudaneuro::GetNumberOfCudaDevices() == 0)
  {
    GTEST_SKIP() << "no CUDA device: " << cudaneuro::GetReasonForNoCudaDevice();
  }
  if constexpr (cudaneuro::builtWithCuda)
  {
    const cudaneuro::Device first{ 0 };
    const cudaneuro::Device last{ cudaneuro::GetNumberOfCudaDevices() - 1 };
    for (const int callersDevice : { first.cudaIndex, last.cudaIndex })
    {
      delayedwork::SetCurrentCudaDevice(callersDevice);
      for (const cudaneuro::Device & second : { first, last, cudaneuro::Device{} })
      {
        DeviceGroup group({ first, second }, 0, 0, nullptr);
        EXPECT_EQ(delayedwork::GetCurrentCudaDevice(), callersDevice);
        group.Run([&](int device) {
          if (group.GetContext(device).GetDevice().IsCuda())
          {
            EXPECT_EQ(delayedwork::GetCurrentCudaDevice(), group.GetContext(device).GetDevice().cudaIndex);
          }
          DeviceArray<std::int64_t> array(group.GetContext(device), { 1, 2, 3 });
          group.Sum(device, array.Data(), 3);
        });
        EXPECT_EQ(delayedwork::GetCurrentCudaDevice(), callersDevice);
      }
    }
    delayedwork::SetCurrentCudaDevice(first.cudaIndex);
  }
}
