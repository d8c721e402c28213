// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_group_SumBetweenDevices_h
#define cudaneuro_group_SumBetweenDevices_h

#include "group/DeviceSum.h"

namespace cudaneuro::gpu
{

/** Sums over different CUDA devices of one process, each of which has one context. */
class SumBetweenDevices
{
public:
  SumBetweenDevices() = default;
  virtual ~SumBetweenDevices() = default;
  SumBetweenDevices(const SumBetweenDevices &) = delete;
  SumBetweenDevices &
  operator=(const SumBetweenDevices &) = delete;

  /** Returns the name for DeviceGroup::GetExchange. */
  virtual std::string
  GetName() const = 0;

  /** Enqueues, on the compute streams, replacing each array by the sum of all. One thread enqueues for all devices, so
   * that the threads need not wait for each other between the steps, and calls it in the same order as all other sums.
   * \param arrays one array per device, in its memory */
  virtual void
  Enqueue(const std::vector<void *> & arrays, std::size_t count, SumType type) = 0;
};

/** Returns null if the environment variable CUDANEURO_NCCL is 0, if another group of the process has NCCL, or if NCCL
 * cannot be opened or fails to connect the devices.
 * \throws Error in the last two cases, if CUDANEURO_NCCL names the library */
std::unique_ptr<SumBetweenDevices>
MakeNcclSum(const std::vector<Context *> & contexts);

/** Makes a sum by copies between the devices.
 * \param doAllReach whether each device can access the memory of the others. */
std::unique_ptr<SumBetweenDevices>
MakePeerSum(const std::vector<Context *> & contexts, bool doAllReach);

} // namespace cudaneuro::gpu

#endif
