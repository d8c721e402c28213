// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef GroupTestCases_h
#define GroupTestCases_h

#include "ExpectedErrors.h"
#include "TestVolumes.h"
#include "group/DeviceGroup.h"
#include "group/HostStaging.h"
#include "system/Environment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

/** Groups of devices, and arrays on them, for the tests of sums. */
namespace grouptests
{

/** A group whose devices may be absent; then its tests are skipped. */
struct GroupCase
{
  /** Begins with Cuda0 when it has a CUDA device. */
  std::string                    name;
  std::vector<cudaneuro::Device> devices;
  /** The value of CUDANEURO_NCCL. */
  std::string nccl;
  /** What GetExchange begins with, or nothing where that depends on the machine. */
  std::string exchange;
};

inline std::ostream &
operator<<(std::ostream & stream, const GroupCase & groupCase)
{
  return stream << groupCase.name;
}

inline std::vector<GroupCase>
AllGroups()
{
  const cudaneuro::Device cpu;
  const cudaneuro::Device cuda0{ 0 };
  const cudaneuro::Device cuda1{ 1 };
  return { { "Cpu", { cpu }, "", "none" },
           { "CpuCpuCpu", { cpu, cpu, cpu }, "", "host copies" },
           { "Cuda0", { cuda0 }, "", "none" },
           { "Cuda0Cuda0", { cuda0, cuda0 }, "", "copies on the device" },
           { "Cuda0Cuda0Cuda0", { cuda0, cuda0, cuda0 }, "", "copies on the device" },
           { "Cuda0Times4", std::vector<cudaneuro::Device>(4, cuda0), "", "copies on the device" },
           // One kernel adds 8 arrays; here there are more.
           { "Cuda0Times9", std::vector<cudaneuro::Device>(9, cuda0), "", "copies on the device" },
           { "Cuda0Cpu", { cuda0, cpu }, "", "host copies" },
           { "Cuda0Cuda0Cpu", { cuda0, cuda0, cpu }, "", "host copies" },
           { "Cuda0Cuda1", { cuda0, cuda1 }, "", "" },
           { "Cuda0Cuda1WithoutNccl", { cuda0, cuda1 }, "0", "peer copies" },
           { "Cuda0Cuda0Cuda1Cuda1", { cuda0, cuda0, cuda1, cuda1 }, "", "" },
           { "Cuda0Cuda0Cuda1Cuda1WithoutNccl", { cuda0, cuda0, cuda1, cuda1 }, "0", "peer copies" },
           // Neighbors in the list are of different devices, which have different numbers of contexts.
           { "Cuda0Cuda1Cuda0", { cuda0, cuda1, cuda0 }, "", "" },
           { "Cuda0Cuda1Cuda0WithoutNccl", { cuda0, cuda1, cuda0 }, "0", "peer copies" } };
}

/** Sets CUDANEURO_NCCL until destroyed; empty is as if it was not set. */
class NcclVariable
{
public:
  explicit NcclVariable(const std::string & value)
  {
    const char * const before = std::getenv("CUDANEURO_NCCL");
    m_Before = before ? before : "";
    Set(value);
  }
  ~NcclVariable() { Set(m_Before); }
  NcclVariable(const NcclVariable &) = delete;
  NcclVariable &
  operator=(const NcclVariable &) = delete;

private:
  static void
  Set(const std::string & value)
  {
    cudaneuro::system::SetVariable("CUDANEURO_NCCL", value.c_str());
  }

  std::string m_Before;
};

class GroupTest : public ::testing::TestWithParam<GroupCase>
{
protected:
  void
  SetUp() override
  {
    for (const cudaneuro::Device & device : this->GetParam().devices)
    {
      if (device.cudaIndex >= cudaneuro::GetNumberOfCudaDevices())
      {
        GTEST_SKIP() << "no CUDA device " << device.cudaIndex << ": " << cudaneuro::GetReasonForNoCudaDevice();
      }
    }
  }

  /** A group of the case's devices. */
  std::unique_ptr<cudaneuro::DeviceGroup>
  MakeGroup(cudaneuro::Communicator * communicator = nullptr) const
  {
    const NcclVariable variable(this->GetParam().nccl);
    return std::make_unique<cudaneuro::DeviceGroup>(this->GetParam().devices, 2, 0, communicator);
  }
};

/** An array in the memory of a context's device. Used in the bodies of DeviceGroup::Run. */
template <typename T>
class DeviceArray
{
public:
  DeviceArray(cudaneuro::Context & context, const std::vector<T> & values)
    : m_Count(values.size())
    , m_Memory(context.Allocate((m_Count + 1) * sizeof(T)))
    , m_Staging(context)
  {
    // One more element than is asked for, so that there is memory also for none. Its bytes mean nothing.
    T * const host = m_Staging.Fetch(this->Data(), m_Count + 1);
    std::copy(values.begin(), values.end(), host);
    m_Staging.Deliver(this->Data(), m_Count + 1);
    m_Staging.Fetch(this->Data(), m_Count + 1); // Waits for the delivery: what it reads may end with this array.
  }

  T *
  Data() const
  {
    return static_cast<T *>(m_Memory.Data());
  }

  std::vector<T>
  ToHost()
  {
    const T * const host = m_Staging.Fetch(this->Data(), m_Count + 1);
    return { host, host + m_Count };
  }

private:
  std::size_t             m_Count;
  cudaneuro::DeviceMemory m_Memory;
  cudaneuro::HostStaging  m_Staging;
};

/** Random integers of all sizes, so far below the type's largest that sums of 32 are in its range:
 * up to 2^58 of 64 bits, 2^26 of 32. */
template <typename T>
std::vector<T>
Addends(std::uint64_t seed, std::size_t count)
{
  constexpr auto largest = static_cast<double>(std::int64_t{ 1 } << (8 * sizeof(T) - 6)) - 1024.0;
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    const double fraction = 2.0 * testvolumes::UniformNoise(seed, i) - 1.0;
    values[i] = static_cast<T>(static_cast<T>(fraction * largest) + static_cast<T>(i % 1001));
  }
  return values;
}

/** The sums of Addends of seeds [first, first + number), one after the other. */
template <typename T>
std::vector<T>
SumsOfAddends(std::uint64_t first, std::uint64_t number, std::size_t count)
{
  std::vector<T> sums(count);
  for (std::uint64_t seed = first; seed < first + number; ++seed)
  {
    const std::vector<T> values = Addends<T>(seed, count);
    for (std::size_t i = 0; i < count; ++i)
    {
      sums[i] += values[i];
    }
  }
  return sums;
}

/** Sums arrays of all these sizes, one sum after the other without a look at the results in between, and compares each
 * device's sums with a plain loop. \p factor that of the communicator. */
template <typename T>
void
ExpectSums(cudaneuro::DeviceGroup & group, const std::vector<std::size_t> & counts, T factor = 1)
{
  const int                                size = group.GetSize();
  std::vector<std::vector<std::vector<T>>> results(size);
  group.Run([&](int device) {
    std::vector<DeviceArray<T>> arrays;
    for (std::size_t round = 0; round < counts.size(); ++round)
    {
      arrays.emplace_back(group.GetContext(device), Addends<T>(10 * round + device, counts[round]));
    }
    for (std::size_t round = 0; round < counts.size(); ++round)
    {
      group.Sum(device, arrays[round].Data(), counts[round]);
    }
    for (DeviceArray<T> & array : arrays)
    {
      results[device].push_back(array.ToHost());
    }
  });
  for (std::size_t round = 0; round < counts.size(); ++round)
  {
    std::vector<T> expected = SumsOfAddends<T>(10 * round, size, counts[round]);
    for (T & value : expected)
    {
      value *= factor;
    }
    for (int device = 0; device < size; ++device)
    {
      EXPECT_TRUE(results[device][round] == expected) << "device " << device << ", " << counts[round] << " values";
    }
  }
}

} // namespace grouptests

#endif
