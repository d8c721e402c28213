// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_maps_MapComputing_h
#define files_maps_MapComputing_h

#include "cudaneuro/Context.h"
#include "files/base/WatchedUpdate.h"
#include "itkComputeDevice.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace cudaneuro::files
{

/** Watches a stage without showing it. */
inline ShowProgress
WatchNothing(const std::string &)
{
  return [](double) {};
}

/** How maps are computed, and how progress is shown. */
struct MapComputing
{
  /** Empty for the default device. */
  std::optional<itk::ComputeDevice> device = std::nullopt;
  /** Threads of the CPU; 0 for all cores. */
  unsigned int numberOfThreads = 0;
  /** Largest number of bytes of device memory; 0 for all free memory. */
  std::size_t maximumDeviceMemory = 0;
  /** A function that is called with the name of a stage when it begins, and returns a function that shows its progress
   * and is destroyed when the stage ends. */
  std::function<ShowProgress(const std::string & stage)> watch = WatchNothing;
};

/** Returns the device. Asks the driver for GPUs only if none is set. */
inline itk::ComputeDevice
DeviceOf(const MapComputing & computing)
{
  return computing.device ? *computing.device : itk::ComputeDevice::GetDefault();
}

inline cudaneuro::Context
ContextOf(const MapComputing & computing)
{
  return cudaneuro::Context(DeviceOf(computing).GetEngineDevice(), computing.numberOfThreads);
}

/** Updates a filter of this module on a device. */
template <typename TFilter>
void
UpdateFilter(TFilter & filter, const MapComputing & computing, const std::string & stage)
{
  filter.SetComputeDevice(DeviceOf(computing));
  filter.SetMaximumDeviceMemory(computing.maximumDeviceMemory);
  UpdateWatched(filter, computing.numberOfThreads, computing.watch(stage));
}

} // namespace cudaneuro::files

#endif
