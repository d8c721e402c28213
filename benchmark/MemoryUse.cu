// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Timing.h"

#include "cuda/CudaCheck.h"
#include "cuda/DeviceMemoryPool.h"

namespace cudaneuro::benchmark
{

double
PeakBytesOfPool(const Device & device, const std::function<void()> & work)
{
  const DeviceScope  scope(device.cudaIndex);
  DeviceMemoryPool & pool = DeviceMemoryPool::OfDevice(device.cudaIndex);
  CUDANEURO_CUDA(cudaDeviceSynchronize()); // frees memory that was freed in stream order
  const std::size_t before = pool.UsedBytes();
  pool.ResetPeak();
  work();
  const std::size_t peak = pool.PeakBytes();
  return peak > before ? static_cast<double>(peak - before) : 0.0;
}

} // namespace cudaneuro::benchmark
