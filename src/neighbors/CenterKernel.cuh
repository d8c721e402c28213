// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_CenterKernel_cuh
#define cudaneuro_neighbors_CenterKernel_cuh

#include "core/IntegerMath.h"

#include <cstdint>

namespace cudaneuro::gpu
{

/** Maximum number of vectors whose mean is the center, which need not be the mean of all. */
constexpr std::int64_t centerSamples = 1024;
constexpr int          centerRows = 32;

/** Writes the mean of about centerSamples points to \p center. A block of 32 x centerRows threads computes 32
 * components. */
static __global__ void
CenterKernel(const float * points, std::int64_t count, int stride, float * center)
{
  __shared__ float   sums[centerRows][32];
  const int          component = static_cast<int>(blockIdx.x * 32 + threadIdx.x);
  const std::int64_t step = DivideUp(count, centerSamples);
  const std::int64_t samples = DivideUp(count, step);
  float              sum = 0.0f;
  for (std::int64_t sample = threadIdx.y; sample < samples; sample += centerRows)
  {
    sum += points[sample * step * stride + component] / static_cast<float>(samples);
  }
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0)
  {
    for (int i = 1; i < centerRows; ++i)
    {
      sum += sums[i][threadIdx.x];
    }
    center[component] = sum;
  }
}

} // namespace cudaneuro::gpu

#endif
