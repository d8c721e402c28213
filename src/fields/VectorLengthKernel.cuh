// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_VectorLengthKernel_cuh
#define cudaneuro_fields_VectorLengthKernel_cuh

#include "core/IntegerMath.h"
#include "core/SoAField.h"
#include "cuda/DeviceGate.h"
#include "cuda/GpuContext.h"
#include "cuda/WarpReduce.cuh"

#include <algorithm>
#include <cstdint>

namespace cudaneuro::gpu
{

constexpr int vectorLengthThreads = 256;

/** Finds the largest squared length of the vectors of \p from for the gate, and copies them to \p to, which may be null.
 * Any number of blocks. */
static __global__ void
__launch_bounds__(vectorLengthThreads)
  VectorLengthKernel(std::int64_t voxels, ConstSoAField from, SoAField to, DeviceGate gate)
{
  if (gate.IsClosed())
  {
    return;
  }
  unsigned int       largest = 0;
  const std::int64_t step = std::int64_t{ gridDim.x } * vectorLengthThreads;
#pragma unroll 4
  for (std::int64_t i = std::int64_t{ blockIdx.x } * vectorLengthThreads + threadIdx.x; i < voxels; i += step)
  {
    const float x = from.x[i];
    const float y = from.y[i];
    const float z = from.z[i];
    if (to.x)
    {
      to.x[i] = x;
      to.y[i] = y;
      to.z[i] = z;
    }
    // Floats >= 0 order as their bits do, so that integers can be compared.
    largest = max(largest, __float_as_uint(x * x + (y * y + z * z)));
  }
  if (gate.largestSquaredLength)
  {
    largest = WarpReduce(largest, [](unsigned int a, unsigned int b) { return max(a, b); });
    if (threadIdx.x % 32 == 0 && largest != 0)
    {
      atomicMax(gate.largestSquaredLength, largest);
    }
  }
}

inline void
LaunchVectorLength(
  const GpuContext & gpu, std::int64_t voxels, const ConstSoAField & from, const SoAField & to, const DeviceGate & gate)
{
  const std::int64_t blocks = DivideUp(voxels, vectorLengthThreads);
  const auto launched = static_cast<unsigned int>(std::min<std::int64_t>(blocks, gpu.NumberOfMultiprocessors() * 8));
  VectorLengthKernel<<<launched, vectorLengthThreads, 0, gpu.ComputeStream()>>>(voxels, from, to, gate);
  CUDANEURO_CUDA_LAUNCHED("VectorLengthKernel");
}

} // namespace cudaneuro::gpu

#endif
