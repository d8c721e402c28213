// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Groups of several processes, which are threads here, or one that pretends.

#include "GroupTestCases.h"
#include "ThreadProcesses.h"

#include <numeric>
#include <stdexcept>
#include <thread>

namespace
{

using namespace grouptests;
using namespace threadprocesses;
using cudaneuro::DeviceGroup;

/** Two processes that have the same values. */
class TwinCommunicator : public cudaneuro::Communicator
{
public:
  explicit TwinCommunicator(int size = 2)
    : m_Size(size)
  {}

  int
  GetRank() const override
  {
    return 0;
  }
  int
  GetSize() const override
  {
    return m_Size;
  }
  void
  Sum(std::int64_t * values, std::size_t count) override
  {
    this->Multiply(values, count);
  }
  void
  Sum(std::int32_t * values, std::size_t count) override
  {
    this->Multiply(values, count);
  }

  /** Throws this in the next sum. */
  std::string m_Failure;
  int         m_NumberOfSums = 0;

private:
  template <typename T>
  void
  Multiply(T * values, std::size_t count)
  {
    if (!m_Failure.empty())
    {
      throw std::runtime_error(m_Failure);
    }
    ++m_NumberOfSums;
    std::for_each(values, values + count, [&](T & value) { value *= m_Size; });
  }

  int m_Size;
};

class DeviceGroupProcesses : public GroupTest
{};

} // namespace

TEST_P(DeviceGroupProcesses, SumsEqualALoop)
{
  constexpr int                          numberOfProcesses = 2;
  const std::vector<std::size_t>         counts{ 1000, 1, 0, 100003, 3 };
  const int                              size = static_cast<int>(this->GetParam().devices.size());
  Processes                              processes(numberOfProcesses);
  std::vector<std::vector<std::int32_t>> results(numberOfProcesses * size * counts.size());
  std::vector<std::int64_t>              onHost(numberOfProcesses * size);
  std::iota(onHost.begin(), onHost.end(), 1);
  std::vector<std::unique_ptr<ProcessCommunicator>> communicators;
  std::vector<std::unique_ptr<DeviceGroup>>         groups;
  for (int rank = 0; rank < numberOfProcesses; ++rank)
  {
    communicators.push_back(std::make_unique<ProcessCommunicator>(processes, rank));
    groups.push_back(this->MakeGroup(communicators.back().get()));
    EXPECT_NE(groups.back()->GetExchange().find("host copies"), std::string::npos) << groups.back()->GetExchange();
  }
  const auto runProcess = [&](int rank) {
    DeviceGroup & group = *groups[rank];
    group.Run([&](int device) {
      const int member = rank * size + device;
      for (std::size_t round = 0; round < counts.size(); ++round)
      {
        DeviceArray<std::int32_t> array(group.GetContext(device),
                                        Addends<std::int32_t>(100 * round + member, counts[round]));
        group.Sum(device, array.Data(), counts[round]);
        results[member * counts.size() + round] = array.ToHost();
      }
      group.SumOnHost(device, &onHost[member], 1);
    });
  };
  std::thread other([&] { runProcess(1); });
  runProcess(0);
  other.join();

  const int members = numberOfProcesses * size;
  for (int member = 0; member < members; ++member)
  {
    for (std::size_t round = 0; round < counts.size(); ++round)
    {
      EXPECT_TRUE(results[member * counts.size() + round] ==
                  SumsOfAddends<std::int32_t>(100 * round, members, counts[round]))
        << "member " << member << ", " << counts[round] << " values";
    }
    EXPECT_EQ(onHost[member], members * (members + 1) / 2);
  }
}

/** Each process takes part once in each sum, whatever the number of its devices. */
TEST_P(DeviceGroupProcesses, CommunicatorIsCalledOnce)
{
  TwinCommunicator communicator;
  const auto       group = this->MakeGroup(&communicator);
  const auto       expectSums = [&] {
    communicator.m_NumberOfSums = 0;
    ExpectSums<std::int64_t>(*group, { 1000, 0, 1, 5 }, 2);
    EXPECT_EQ(communicator.m_NumberOfSums, 3) << "one of the four is of no values";
  };
  expectSums();

  communicator.m_Failure = "the network is down";
  const auto error = ErrorOf<std::runtime_error>([&] { ExpectSums<std::int64_t>(*group, { 10 }); });
  EXPECT_EQ(std::string(error.what()), communicator.m_Failure);
  communicator.m_Failure.clear();
  expectSums();
}

TEST_P(DeviceGroupProcesses, OneProcessNeedsNoSum)
{
  const std::string exchange = this->MakeGroup()->GetExchange();
  TwinCommunicator  communicator(1);
  const auto        group = this->MakeGroup(&communicator);
  EXPECT_EQ(group->GetExchange(), exchange);
  ExpectSums<std::int64_t>(*group, { 1000, 1 });
  EXPECT_EQ(communicator.m_NumberOfSums, 0);
}

INSTANTIATE_TEST_SUITE_P(,
                         DeviceGroupProcesses,
                         ::testing::ValuesIn([] {
                           std::vector<GroupCase> groups = AllGroups();
                           groups.push_back({ "CpuCpu", { {}, {} }, "", "host copies" });
                           return groups;
                         }()),
                         [](const auto & info) { return info.param.name; });
