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

/** What watches a stage of which nobody is told. */
inline ShowProgress
WatchNothing(const std::string &)
{
  return [](double) {};
}

/** Where maps are computed, and who is told how far that is. */
struct MapComputing
{
  /** The default device where none is named. */
  std::optional<itk::ComputeDevice> device = std::nullopt;
  /** Threads of the CPU; 0 for all cores. */
  unsigned int numberOfThreads = 0;
  /** Bytes of device memory at most; 0 for all that is free. */
  std::size_t maximumDeviceMemory = 0;
  /** Is called with the name of a stage when it begins. Returns what shows its progress, which is destroyed when the
   * stage ends. */
  std::function<ShowProgress(const std::string & stage)> watch = WatchNothing;
};

/** Asks the driver for GPUs where no device is named. */
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
