// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "MemoryUse.h"

#include "cuda/CudaCheck.h"
#include "cuda/DeviceMemoryPool.h"

namespace cudaneuro::benchmark
{

std::size_t
PeakDeviceBytes(const Device & device, const std::function<void()> & work)
{
  const DeviceScope  scope(device.cudaIndex);
  DeviceMemoryPool & pool = DeviceMemoryPool::OfDevice(device.cudaIndex);
  CUDANEURO_CUDA(cudaDeviceSynchronize()); // memory freed in stream order counts until the stream gets there
  const std::size_t before = pool.UsedBytes();
  pool.ResetPeak();
  work();
  const std::size_t peak = pool.PeakBytes();
  return peak > before ? peak - before : 0;
}

} // namespace cudaneuro::benchmark
