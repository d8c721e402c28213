// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DelayedWork.h"

#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"

namespace delayedwork
{
namespace
{

constexpr int blockThreads = 128;

/** Each thread waits for \p clocks of its multiprocessor, and writes one value. */
__global__ void
__launch_bounds__(blockThreads)
  CountingKernel(std::int64_t * values, std::size_t count, std::int64_t first, std::int64_t clocks)
{
  const std::int64_t begin = clock64();
  while (clock64() - begin < clocks)
  {}
  const std::size_t i = std::size_t{ blockIdx.x } * blockThreads + threadIdx.x;
  if (i < count)
  {
    values[i] = first + static_cast<std::int64_t>(i);
  }
}

__global__ void
__launch_bounds__(blockThreads) DoublingKernel(std::int64_t * values, std::size_t count)
{
  const std::size_t i = std::size_t{ blockIdx.x } * blockThreads + threadIdx.x;
  if (i < count)
  {
    values[i] *= 2;
  }
}

} // namespace

void
EnqueueCounting(cudaneuro::Context & context, std::int64_t * values, std::size_t count, std::int64_t first)
{
  constexpr std::int64_t clocks = 10'000'000; // 5 ms at 2 GHz
  const auto             blocks = static_cast<unsigned int>(cudaneuro::DivideUp(count, blockThreads));
  CountingKernel<<<blocks, blockThreads, 0, GpuOf(context).ComputeStream()>>>(values, count, first, clocks);
  CUDANEURO_CUDA_LAUNCHED("CountingKernel");
}

void
EnqueueDoubling(cudaneuro::Context & context, std::int64_t * values, std::size_t count)
{
  const auto blocks = static_cast<unsigned int>(cudaneuro::DivideUp(count, blockThreads));
  DoublingKernel<<<blocks, blockThreads, 0, GpuOf(context).ComputeStream()>>>(values, count);
  CUDANEURO_CUDA_LAUNCHED("DoublingKernel");
}

int
GetCurrentCudaDevice()
{
  int device = 0;
  CUDANEURO_CUDA(cudaGetDevice(&device));
  return device;
}

void
SetCurrentCudaDevice(int device)
{
  CUDANEURO_CUDA(cudaSetDevice(device));
}

} // namespace delayedwork
