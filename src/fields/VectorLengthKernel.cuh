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
#include <iterator>
#include <type_traits>

namespace cudaneuro::gpu
{

constexpr int vectorLengthThreads = 256;

/** The number of blocks per multiprocessor. */
template <bool VQuads>
constexpr int vectorLengthBlocks = VQuads ? 4 : 8;

/** The type of a load: four floats of a volume, or one. */
template <bool VQuads>
using VectorLengthItem = std::conditional_t<VQuads, float4, float>;

/** Returns the bits of the squared length. Floats >= 0 are ordered like their bits, so integers can be compared. */
__device__ __forceinline__ unsigned int
SquaredLengthBits(float x, float y, float z)
{
  return __float_as_uint(x * x + (y * y + z * z));
}

__device__ __forceinline__ unsigned int
SquaredLengthBits(const float4 & x, const float4 & y, const float4 & z)
{
  return max(max(SquaredLengthBits(x.x, y.x, z.x), SquaredLengthBits(x.y, y.y, z.y)),
             max(SquaredLengthBits(x.z, y.z, z.z), SquaredLengthBits(x.w, y.w, z.w)));
}

/** Reads the vectors of \p from, writes their largest squared length to the gate, and copies them to \p to, which may
 * be null. Works with any number of blocks. Runs from the last voxel to the first: the values written last are still in
 * the cache, and the next kernel finds its first values there. VQuads: four vectors at a time; addresses and \p voxels
 * must then be multiples of four floats. */
template <bool VQuads>
static __global__ void
__launch_bounds__(vectorLengthThreads)
  VectorLengthKernel(std::int64_t voxels, ConstSoAField from, SoAField to, DeviceGate gate)
{
  if (gate.IsClosed())
  {
    return;
  }
  using Item = VectorLengthItem<VQuads>;
  constexpr int      perItem = sizeof(Item) / sizeof(float);
  const Item * const fromX = reinterpret_cast<const Item *>(from.x);
  const Item * const fromY = reinterpret_cast<const Item *>(from.y);
  const Item * const fromZ = reinterpret_cast<const Item *>(from.z);
  unsigned int       largest = 0;
  const std::int64_t items = voxels / perItem;
  const std::int64_t step = std::int64_t{ gridDim.x } * vectorLengthThreads;
#pragma unroll 4
  for (std::int64_t i = items - 1 - (std::int64_t{ blockIdx.x } * vectorLengthThreads + threadIdx.x); i >= 0; i -= step)
  {
    const Item x = fromX[i];
    const Item y = fromY[i];
    const Item z = fromZ[i];
    if (to.x)
    {
      reinterpret_cast<Item *>(to.x)[i] = x;
      reinterpret_cast<Item *>(to.y)[i] = y;
      reinterpret_cast<Item *>(to.z)[i] = z;
    }
    largest = max(largest, SquaredLengthBits(x, y, z));
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

template <bool VQuads>
void
LaunchVectorLengthOf(
  const GpuContext & gpu, std::int64_t voxels, const ConstSoAField & from, const SoAField & to, const DeviceGate & gate)
{
  const std::int64_t blocks = DivideUp(voxels, vectorLengthThreads * (VQuads ? 4 : 1));
  const std::int64_t mostBlocks = std::int64_t{ gpu.NumberOfMultiprocessors() } * vectorLengthBlocks<VQuads>;
  const auto         launched = static_cast<unsigned int>(std::min(blocks, mostBlocks));
  VectorLengthKernel<VQuads><<<launched, vectorLengthThreads, 0, gpu.ComputeStream()>>>(voxels, from, to, gate);
  CUDANEURO_CUDA_LAUNCHED("VectorLengthKernel");
}

/** Launches VectorLengthKernel for all vectors; \p to may be null. */
inline void
LaunchVectorLength(
  const GpuContext & gpu, std::int64_t voxels, const ConstSoAField & from, const SoAField & to, const DeviceGate & gate)
{
  const auto startsWithQuad = [](const float * volume) {
    return reinterpret_cast<std::uintptr_t>(volume) % sizeof(float4) == 0;
  };
  const float * const volumes[6] = { from.x, from.y, from.z, to.x, to.y, to.z };
  const bool          inQuads = voxels % 4 == 0 && std::all_of(std::begin(volumes), std::end(volumes), startsWithQuad);
  const auto          launch = inQuads ? LaunchVectorLengthOf<true> : LaunchVectorLengthOf<false>;
  launch(gpu, voxels, from, to, gate);
}

} // namespace cudaneuro::gpu

#endif
