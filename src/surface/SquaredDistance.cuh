// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_SquaredDistance_cuh
#define cudaneuro_surface_SquaredDistance_cuh

#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"

#include <algorithm>
#include <cstdint>
#include <limits>

/** Volumes of squared distances that warps lower. */
namespace cudaneuro::gpu
{

constexpr int warpThreads = 32;
constexpr int fillThreads = 256;

/** Number of blocks for these items, limited to that of a launch: kernels process items in strided loops. */
inline unsigned int
BlocksFor(std::int64_t items, int itemsPerBlock)
{
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  return static_cast<unsigned int>(std::clamp<std::int64_t>(DivideUp(items, itemsPerBlock), 1, most));
}

/** Writes values[i] = value for i in [0, count). */
static __global__ void
__launch_bounds__(fillThreads) FillKernel(std::int64_t count, float value, float * values)
{
  const std::int64_t stride = std::int64_t{ gridDim.x } * fillThreads;
  for (std::int64_t i = std::int64_t{ blockIdx.x } * fillThreads + threadIdx.x; i < count; i += stride)
  {
    values[i] = value;
  }
}

inline void
EnqueueFill(cudaStream_t stream, std::int64_t count, float value, float * values)
{
  FillKernel<<<BlocksFor(count, fillThreads), fillThreads, 0, stream>>>(count, value, values);
  CUDANEURO_CUDA_LAUNCHED("FillKernel");
}

/** Lowers a squared distance by an atomic minimum of its bits, which have the order of the values as these are not
 * negative. Most values are not lower than the stored one, and a stale value from a cache only costs the attempt. */
__device__ __forceinline__ void
LowerTo(float * squared, float value)
{
  if (value < __ldcg(squared))
  {
    atomicMin(reinterpret_cast<unsigned int *>(squared), __float_as_uint(value));
  }
}

} // namespace cudaneuro::gpu

#endif
