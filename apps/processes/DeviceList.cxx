// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "processes/DeviceList.h"

#include "files/base/Errors.h"
#include "shared/Files.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <thread>

namespace
{

/** Returns this process's share of the GPUs of its machine: at least one, which another process may use, too. */
std::vector<itk::ComputeDevice>
ShareOfGpus(const Processes & processes)
{
  const int                       numberOfGpus = static_cast<int>(itk::ComputeDevice::GetNumberOfCudaDevices());
  std::vector<itk::ComputeDevice> share;
  for (int index = processes.GetLocalRank() % numberOfGpus; index < numberOfGpus; index += processes.GetLocalSize())
  {
    share.emplace_back(cudaneuro::Device{ index });
  }
  return share;
}

/** Returns the devices that a name in --device stands for. */
std::vector<itk::ComputeDevice>
DevicesNamed(const std::string & name, const Processes & processes)
{
  // A function, so that the driver is not called if the CPU is named; see ComputeDevice::FromName.
  const auto hasGpus = [] { return itk::ComputeDevice::GetNumberOfCudaDevices() > 0; };
  if (name == "cuda:all" && !hasGpus())
  {
    throw UserError("--device is cuda:all, and there is no GPU to compute with");
  }
  if (name == "cuda:all" || (name == "all" && hasGpus()))
  {
    return ShareOfGpus(processes);
  }
  return { itk::ComputeDevice::FromName(name == "all" ? "cpu" : name) };
}

} // namespace

void
DescribeDeviceList(CLI::App & app)
{
  app.get_option("--device")
    ->description("auto (a GPU if there is one), cpu, cuda:N, several of these with\n"
                  "commas between them, cuda:all, which is all GPUs of the machine,\n"
                  "or all, which is these or the CPU. Default: the environment\n"
                  "variable CUDANEURO_DEVICE, or else auto; under mpirun the GPUs of\n"
                  "a machine are dealt out to its processes");
}

std::vector<itk::ComputeDevice>
DevicesOf(const ComputeOptions & options, const Processes & processes)
{
  if (options.device.empty())
  {
    const bool areDealtOut = processes.GetSize() > 1 && itk::ComputeDevice::GetNumberOfCudaDevices() > 0 &&
                             std::getenv("CUDANEURO_DEVICE") == nullptr;
    return { areDealtOut ? ShareOfGpus(processes).front() : itk::ComputeDevice::GetDefault() };
  }
  std::vector<itk::ComputeDevice> devices;
  std::istringstream              names(options.device + ',');
  for (std::string name; std::getline(names, name, ',');)
  {
    const std::vector<itk::ComputeDevice> named = DevicesNamed(name, processes);
    devices.insert(devices.end(), named.begin(), named.end());
  }
  return devices;
}

unsigned int
NumberOfThreadsOf(const ComputeOptions & options, const Processes & processes)
{
  const auto sharers = static_cast<unsigned int>(processes.GetLocalSize());
  return options.numberOfThreads > 0 ? options.numberOfThreads
                                     : std::max(1u, std::thread::hardware_concurrency() / sharers);
}
