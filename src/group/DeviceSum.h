// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_group_DeviceSum_h
#define cudaneuro_group_DeviceSum_h

#include "cudaneuro/Context.h"
#include "group/Meeting.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cudaneuro
{

/** Sums over the CUDA devices of one process that travel between the devices, without the host. */
class DeviceSum
{
public:
  DeviceSum() = default;
  virtual ~DeviceSum() = default;
  DeviceSum(const DeviceSum &) = delete;
  DeviceSum &
  operator=(const DeviceSum &) = delete;

  /** For DeviceGroup::GetExchange. */
  virtual std::string
  GetName() const = 0;

  /** Replaces each device's values, of which there is at least one, by the sums, in order of the compute streams. All
   * devices' threads call it, with their device current; it waits for the other threads, but not for the devices.
   * \throws Error when one of them will not come */
  virtual void
  Sum(int device, std::int64_t * values, std::size_t count) = 0;
  virtual void
  Sum(int device, std::int32_t * values, std::size_t count) = 0;
};

namespace gpu
{

/** NCCL where it can be used, and peer copies elsewhere, for at least two contexts of CUDA devices. */
std::unique_ptr<DeviceSum>
MakeDeviceSum(const std::vector<Context *> & contexts, Meeting & meeting);

/** Null when a device is there twice, when the environment variable CUDANEURO_NCCL is 0, when another group of the process
 * has NCCL, or when it cannot be opened or fails to connect the devices.
 * \throws Error in the last two cases, when CUDANEURO_NCCL names the library */
std::unique_ptr<DeviceSum>
MakeNcclSum(const std::vector<Context *> & contexts, Meeting & meeting);

/** Sums by copies between the devices, which may be the same one several times.
 * \param doAllReach whether each device reaches the memory of the others' contexts. */
std::unique_ptr<DeviceSum>
MakePeerSum(const std::vector<Context *> & contexts, Meeting & meeting, bool doAllReach);

/** Enqueues on the compute stream that \p bytes bytes become 0. */
void
EnqueueZeros(Context & context, void * values, std::size_t bytes);

} // namespace gpu

} // namespace cudaneuro

#endif
