// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "group/ArraySum.h"

#include "core/IntegerMath.h"

#include <algorithm>

namespace cudaneuro::gpu
{
namespace
{

constexpr int          blockThreads = 256;
constexpr std::int64_t blocksPerMultiprocessor = 8;

/** The maximum number of arrays of one kernel; more need several kernels. */
constexpr int maxArrays = 8;

/** Arrays [0, endOfRead) are added, and the sum is written to [beginOfWrite, endOfWrite). */
struct Range
{
  int endOfRead;
  int beginOfWrite;
  int endOfWrite;
};

template <typename T>
struct ArraySumArguments
{
  T *          arrays[maxArrays];
  Range        range;
  std::int64_t count;
};

/** Reads and writes each value once, in a grid-stride loop. Loads of all arrays are concurrent: the loops over arrays
 * are unrolled, and all threads skip the same iterations. */
template <typename T>
__global__ void
__launch_bounds__(blockThreads) ArraySumKernel(const __grid_constant__ ArraySumArguments<T> arguments)
{
  const Range        range = arguments.range;
  const std::int64_t stride = std::int64_t{ gridDim.x } * blockThreads;
  for (std::int64_t i = std::int64_t{ blockIdx.x } * blockThreads + threadIdx.x; i < arguments.count; i += stride)
  {
    T addends[maxArrays];
#pragma unroll
    for (int array = 0; array < maxArrays; ++array)
    {
      addends[array] = array < range.endOfRead ? arguments.arrays[array][i] : T{ 0 };
    }
    T sum = addends[0];
#pragma unroll
    for (int array = 1; array < maxArrays; ++array)
    {
      sum += addends[array];
    }
#pragma unroll
    for (int array = 0; array < maxArrays; ++array)
    {
      if (array >= range.beginOfWrite && array < range.endOfWrite)
      {
        arguments.arrays[array][i] = sum;
      }
    }
  }
}

template <typename T>
void
LaunchArraySum(const GpuContext & gpu, const std::vector<void *> & arrays, std::size_t count, const Range & range)
{
  ArraySumArguments<T> arguments{ {}, range, static_cast<std::int64_t>(count) };
  for (std::size_t array = 0; array < arrays.size(); ++array)
  {
    arguments.arrays[array] = static_cast<T *>(arrays[array]);
  }
  const auto blocks = static_cast<unsigned int>(
    std::min(DivideUp(arguments.count, blockThreads), blocksPerMultiprocessor * gpu.NumberOfMultiprocessors()));
  ArraySumKernel<<<blocks, blockThreads, 0, gpu.ComputeStream()>>>(arguments);
  CUDANEURO_CUDA_LAUNCHED("ArraySumKernel");
}

/** Enqueues one kernel. \p arrays are at most maxArrays. */
void
EnqueueArraySum(
  const GpuContext & gpu, const std::vector<void *> & arrays, std::size_t count, SumType type, const Range & range)
{
  if (type == SumType::Int32)
  {
    LaunchArraySum<std::int32_t>(gpu, arrays, count, range);
  }
  else
  {
    LaunchArraySum<std::int64_t>(gpu, arrays, count, range);
  }
}

/** Calls \p work with the first array and as many others as one kernel takes, until it has had all others. */
template <typename TWork>
void
ForBatches(const std::vector<void *> & arrays, const TWork & work)
{
  for (std::size_t begin = 1; begin < arrays.size(); begin += maxArrays - 1)
  {
    const std::size_t   end = std::min(arrays.size(), begin + maxArrays - 1);
    std::vector<void *> batch{ arrays[0] };
    batch.insert(batch.end(), arrays.data() + begin, arrays.data() + end);
    work(batch, static_cast<int>(batch.size()));
  }
}

} // namespace

void
EnqueueSumIntoFirst(const GpuContext & gpu, const std::vector<void *> & arrays, std::size_t count, SumType type)
{
  ForBatches(arrays, [&](const std::vector<void *> & batch, int size) {
    EnqueueArraySum(gpu, batch, count, type, { size, 0, 1 });
  });
}

void
EnqueueCopiesOfFirst(const GpuContext & gpu, const std::vector<void *> & arrays, std::size_t count, SumType type)
{
  ForBatches(arrays, [&](const std::vector<void *> & batch, int size) {
    EnqueueArraySum(gpu, batch, count, type, { 1, 1, size });
  });
}

void
EnqueueSumIntoAll(const GpuContext & gpu, const std::vector<void *> & arrays, std::size_t count, SumType type)
{
  if (arrays.size() <= maxArrays)
  {
    const auto size = static_cast<int>(arrays.size());
    EnqueueArraySum(gpu, arrays, count, type, { size, 0, size });
    return;
  }
  EnqueueSumIntoFirst(gpu, arrays, count, type);
  EnqueueCopiesOfFirst(gpu, arrays, count, type);
}

} // namespace cudaneuro::gpu
