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

/** Devices of one process that compute together, each with its own context and thread, and with devices of other
 * processes. Sums over all of them are sums of integers, so that they do not depend on the order. */
class DeviceGroup
{
public:
  /** A device that is listed several times gets as many contexts.
   * \param numberOfThreads CPU threads of all contexts together, 0 for all cores; each context has at least one.
   * \param memoryLimit limit of each CUDA device in bytes, 0 for none. Peer copies between devices take 32 MiB of the
   * share of each device's first context.
   * \param communicator may be null.
   * \throws InvalidParameterError without devices, Error if a device, or the NCCL that CUDANEURO_NCCL names,
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
  /** Returns whether there is one context and one process, so that there are no other values to add. */
  bool
  IsAlone() const;
  Context &
  GetContext(int device) const;

  /** Returns how sums are exchanged: "none" for one context and process; "copies on the device" between contexts of one
   * CUDA device; between CUDA devices "NCCL 2.27.3" if that was found, else "peer copies"; "host copies" if the CPU is
   * among them, or for one context and several processes. The second to fourth are followed by ", host copies between
   * processes" if there are several. */
  std::string
  GetExchange() const;

  /** Calls body(device) for every device, as device jobs (RunDeviceJob) on threads of their own; body(0) on the calling
   * thread, whose context is the only one to report progress. Returns when all have ended.
   * If a body throws, the others' next sum throws as well, and the first exception is rethrown here; the same holds if
   * a body ends while others wait for it in a sum. The group can be used again. Other processes are not informed, and
   * wait in their next sum: the program must end them. */
  void
  Run(const std::function<void(int device)> & body);

  /** Replaces \p values, in memory of the device's context, by their sums over all devices and processes, in order of
   * the compute stream. The sums must be in the type's range. The bodies of all devices must call it in the same order
   * with the same count.
   * \throws Error if another body has thrown, or ended. */
  void
  Sum(int device, std::int64_t * values, std::size_t count);
  void
  Sum(int device, std::int32_t * values, std::size_t count);

  /** Does the same for values in host memory. */
  void
  SumOnHost(int device, std::int64_t * values, std::size_t count);

private:
  class Implementation;
  std::unique_ptr<Implementation> m_Implementation;
};

} // namespace cudaneuro

#endif
