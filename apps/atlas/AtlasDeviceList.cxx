// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasDeviceList.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <thread>

std::vector<itk::ComputeDevice>
GetDevices(const ComputeOptions & options, const Processes & processes)
{
  const unsigned int numberOfGpus = itk::ComputeDevice::GetNumberOfCudaDevices();
  const auto gpu = [](unsigned int index) { return itk::ComputeDevice(cudaneuro::Device{ static_cast<int>(index) }); };
  if (options.device.empty())
  {
    const bool areDealtOut = processes.GetSize() > 1 && numberOfGpus > 0 && std::getenv("CUDANEURO_DEVICE") == nullptr;
    return { areDealtOut ? gpu(static_cast<unsigned int>(processes.GetLocalRank()) % numberOfGpus)
                         : itk::ComputeDevice::GetDefault() };
  }
  std::vector<itk::ComputeDevice> devices;
  std::istringstream              names(options.device + ',');
  for (std::string name; std::getline(names, name, ',');)
  {
    if (name == "all" && numberOfGpus > 0)
    {
      for (unsigned int index = 0; index < numberOfGpus; ++index)
      {
        devices.push_back(gpu(index));
      }
    }
    else
    {
      devices.push_back(itk::ComputeDevice::FromName(name == "all" ? "cpu" : name));
    }
  }
  return devices;
}

unsigned int
GetNumberOfThreads(const ComputeOptions & options, const Processes & processes)
{
  const auto sharers = static_cast<unsigned int>(processes.GetLocalSize());
  return options.numberOfThreads > 0 ? options.numberOfThreads
                                     : std::max(1u, std::thread::hardware_concurrency() / sharers);
}
