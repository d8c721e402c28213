// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_group_DeviceSum_h
#define cudaneuro_group_DeviceSum_h

#include "cudaneuro/Context.h"
#include "group/BreakableBarrier.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace cudaneuro
{

/** The types of the values that are summed. */
enum class SumType
{
  Int32,
  Int64
};

template <typename T>
constexpr SumType
SumTypeOf()
{
  static_assert(std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>);
  return std::is_same_v<T, std::int32_t> ? SumType::Int32 : SumType::Int64;
}

constexpr std::size_t
BytesOf(SumType type)
{
  return type == SumType::Int32 ? sizeof(std::int32_t) : sizeof(std::int64_t);
}

/** Sums over contexts of CUDA devices of one process, without the host. */
class DeviceSum
{
public:
  DeviceSum() = default;
  virtual ~DeviceSum() = default;
  DeviceSum(const DeviceSum &) = delete;
  DeviceSum &
  operator=(const DeviceSum &) = delete;

  /** Returns the name for DeviceGroup::GetExchange. */
  virtual std::string
  GetName() const = 0;

  /** Replaces the values of each context, of which there is at least one, by the sums, in order of the compute streams.
   * All contexts' threads must call it; they wait for each other once, but not for the devices.
   * \param context index of the context
   * \throws Error if one of them will not arrive */
  virtual void
  Sum(int context, void * values, std::size_t count, SumType type) = 0;
};

namespace gpu
{

/** Makes a sum for at least two contexts of CUDA devices. Contexts of one device sum on it; if there are more devices,
 * the first context of each exchanges the device's sums with the others: by NCCL if that can be used, otherwise by peer
 * copies. */
std::unique_ptr<DeviceSum>
MakeDeviceSum(const std::vector<Context *> & contexts, BreakableBarrier & barrier);

/** Enqueues, on the compute stream, setting \p bytes bytes to 0. */
void
EnqueueZeros(Context & context, void * values, std::size_t bytes);

} // namespace gpu

} // namespace cudaneuro

#endif
