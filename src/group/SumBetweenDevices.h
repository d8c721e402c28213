// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_group_SumBetweenDevices_h
#define cudaneuro_group_SumBetweenDevices_h

#include "group/DeviceSum.h"

namespace cudaneuro::gpu
{

/** Sums over different CUDA devices of one process, which have a context each. */
class SumBetweenDevices
{
public:
  SumBetweenDevices() = default;
  virtual ~SumBetweenDevices() = default;
  SumBetweenDevices(const SumBetweenDevices &) = delete;
  SumBetweenDevices &
  operator=(const SumBetweenDevices &) = delete;

  /** For DeviceGroup::GetExchange. */
  virtual std::string
  GetName() const = 0;

  /** Enqueues on the compute streams that each array becomes the sum of all. One thread enqueues for all devices, so
   * that the threads need not meet between the steps, and calls it in the same order as all other sums.
   * \param arrays one a device, in memory of it */
  virtual void
  Enqueue(const std::vector<void *> & arrays, std::size_t count, SumType type) = 0;
};

/** Null when the environment variable CUDANEURO_NCCL is 0, when another group of the process has NCCL, or when it
 * cannot be opened or fails to connect the devices.
 * \throws Error in the last two cases, when CUDANEURO_NCCL names the library */
std::unique_ptr<SumBetweenDevices>
MakeNcclSum(const std::vector<Context *> & contexts);

/** Sums by copies between the devices.
 * \param doAllReach whether each device reaches the memory of the others. */
std::unique_ptr<SumBetweenDevices>
MakePeerSum(const std::vector<Context *> & contexts, bool doAllReach);

} // namespace cudaneuro::gpu

#endif
