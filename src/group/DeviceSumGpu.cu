// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "group/DeviceSum.h"

#include "cuda/DeviceMemoryPool.h"

namespace cudaneuro::gpu
{
namespace
{

/** Lets each device reach the memory of the others, where the machine can do that. NCCL reads and writes the arrays of
 * devices of its own process directly, and copies need not go through the host.
 * \returns whether each reaches all */
bool
AllowPeerAccess(const std::vector<Context *> & contexts)
{
  bool doAllReach = true;
  for (const Context * const owner : contexts)
  {
    for (const Context * const other : contexts)
    {
      DeviceMemoryPool & pool = DeviceMemoryPool::OfDevice(owner->GetDevice().cudaIndex);
      doAllReach = pool.AllowAccess(other->GetDevice().cudaIndex) && doAllReach;
    }
  }
  return doAllReach;
}

} // namespace

std::unique_ptr<DeviceSum>
MakeDeviceSum(const std::vector<Context *> & contexts, Meeting & meeting)
{
  const bool                 doAllReach = AllowPeerAccess(contexts);
  std::unique_ptr<DeviceSum> sum = MakeNcclSum(contexts, meeting);
  return sum ? std::move(sum) : MakePeerSum(contexts, meeting, doAllReach);
}

void
EnqueueZeros(Context & context, void * values, std::size_t bytes)
{
  CUDANEURO_CUDA(cudaMemsetAsync(values, 0, bytes, GpuOf(context).ComputeStream()));
}

} // namespace cudaneuro::gpu
