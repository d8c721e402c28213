// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_group_DeviceGroup_h
#define cudaneuro_group_DeviceGroup_h

#include "cudaneuro/Communicator.h"
#include "cudaneuro/Context.h"

#include <functional>
#include <string>
#include <vector>

namespace cudaneuro
{

/** Devices of one process that compute together, each with a context and a thread of its own, and with those of other
 * processes. Sums over all of them are of integers, so that they do not depend on the order. */
class DeviceGroup
{
public:
  /** A device that is listed several times gets as many contexts.
   * \param numberOfThreads CPU threads of all contexts together, 0 for all cores; each context has one at least.
   * \param memoryLimit of each CUDA device in bytes, 0 for none. Peer copies between devices take 32 MiB of the share
   * of each device's first context.
   * \param communicator may be null.
   * \throws InvalidParameterError without devices, Error when a device, or the NCCL that CUDANEURO_NCCL names,
   * cannot be used, OutOfMemoryError. */
  DeviceGroup(const std::vector<Device> & devices,
              unsigned int                numberOfThreads,
              std::size_t                 memoryLimit,
              Communicator *              communicator);
  ~DeviceGroup();
  DeviceGroup(const DeviceGroup &) = delete;
  DeviceGroup &
  operator=(const DeviceGroup &) = delete;

  int
  GetSize() const;
  Context &
  GetContext(int device) const;

  /** How sums travel: "none" for one context and process; "copies on the device" between contexts of one CUDA device;
   * between CUDA devices "NCCL 2.27.3" where that was found, else "peer copies"; "host copies" with the CPU among
   * them, or for one context and several processes. The second to fourth with ", host copies between processes"
   * where there are several. */
  std::string
  GetExchange() const;

  /** Calls body(device) for every device, as device jobs (RunDeviceJob) on threads of their own; body(0) on the calling
   * thread, whose context alone reports progress. Returns when all have ended.
   * When a body throws, the others' next sum throws as well, and the first exception is rethrown here; so it is when a
   * body ends while others wait for it in a sum. The group can be used again. Other processes do not learn of it, and
   * wait in their next sum: the program has to end them. */
  void
  Run(const std::function<void(int device)> & body);

  /** Replaces \p values, in memory of the device's context, by their sums over all devices and processes, in order of
   * the compute stream. The sums must be in the type's range. The bodies of all devices call it in the same order with
   * the same count.
   * \throws Error when another body has thrown, or ended. */
  void
  Sum(int device, std::int64_t * values, std::size_t count);
  void
  Sum(int device, std::int32_t * values, std::size_t count);

  /** The same of values in host memory. */
  void
  SumOnHost(int device, std::int64_t * values, std::size_t count);

private:
  class Implementation;
  std::unique_ptr<Implementation> m_Implementation;
};

} // namespace cudaneuro

#endif
