// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/FiniteRangeGpu.h"

#include "core/Exp2.h"
#include "jobs/ReductionStage.h"

#include <cmath>

namespace cudaneuro::gpu
{

namespace
{

constexpr int threadsPerBlock = 256;
constexpr int blocksPerPlane = 16;

/** Smallest and largest of a warp's values, in lane 0. */
__device__ void
WarpRange(float & smallest, float & largest)
{
  for (int offset = 16; offset > 0; offset /= 2)
  {
    smallest = fminf(smallest, __shfl_down_sync(0xffffffffu, smallest, offset));
    largest = fmaxf(largest, __shfl_down_sync(0xffffffffu, largest, offset));
  }
}

/** Reads planes [0, gridDim.y) of \p planeVoxels voxels; writes the range of the finite ones of each of the
 * blocksPerPlane parts of each plane to ranges, {infinity, -infinity} where there is none. */
__global__ void
FiniteRangeKernel(const float * __restrict__ input, std::int64_t planeVoxels, float2 * ranges)
{
  const float * const plane = input + static_cast<std::int64_t>(blockIdx.y) * planeVoxels;
  float               smallest = INFINITY;
  float               largest = -INFINITY;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threadsPerBlock + threadIdx.x; i < planeVoxels;
       i += threadsPerBlock * blocksPerPlane)
  {
    const float value = plane[i];
    smallest = fminf(smallest, IsFinite(value) ? value : INFINITY);
    largest = fmaxf(largest, IsFinite(value) ? value : -INFINITY);
  }
  __shared__ float2 warps[threadsPerBlock / 32];
  WarpRange(smallest, largest);
  if (threadIdx.x % 32 == 0)
  {
    warps[threadIdx.x / 32] = make_float2(smallest, largest);
  }
  __syncthreads();
  if (threadIdx.x < 32)
  {
    const bool isWarp = threadIdx.x < threadsPerBlock / 32;
    smallest = isWarp ? warps[threadIdx.x].x : INFINITY;
    largest = isWarp ? warps[threadIdx.x].y : -INFINITY;
    WarpRange(smallest, largest);
    if (threadIdx.x == 0)
    {
      ranges[static_cast<std::int64_t>(blockIdx.y) * blocksPerPlane + blockIdx.x] = make_float2(smallest, largest);
    }
  }
}

} // namespace

std::array<double, 2>
ComputeFiniteRange(Context & context, const Grid & grid, const ConstVolume & input)
{
  const DeviceScope          scope(context.Gpu().GetDevice());
  const std::size_t          numberOfRanges = static_cast<std::size_t>(grid.size[2]) * blocksPerPlane;
  const DeviceBuffer<float2> deviceRanges = context.Gpu().AllocateArray<float2>(numberOfRanges);

  PlaneJob job;
  job.grid = grid;
  job.inputs = { input };
  job.makeStage = [&](GpuContext & gpu, const DeviceSlab & slab) {
    return std::make_unique<ReductionStage>(slab, 0, [&, slab](std::int64_t begin, std::int64_t end) {
      const std::int64_t     planeVoxels = slab.grid.VoxelsPerPlane();
      constexpr std::int64_t mostPlanes = 65535; // the largest gridDim.y
      for (std::int64_t z = begin; z < end; z += mostPlanes)
      {
        const dim3 blocks(blocksPerPlane, static_cast<unsigned int>(std::min(mostPlanes, end - z)));
        FiniteRangeKernel<<<blocks, threadsPerBlock, 0, gpu.ComputeStream()>>>(
          slab.inputs[0] + z * planeVoxels, planeVoxels, deviceRanges.Data() + (slab.firstPlane + z) * blocksPerPlane);
        CUDANEURO_CUDA_LAUNCHED("FiniteRangeKernel");
      }
    });
  };
  RunPlaneJob(context, job);

  float smallest = INFINITY;
  float largest = -INFINITY;
  for (const float2 & range : context.Gpu().CopyToHost(deviceRanges, numberOfRanges))
  {
    smallest = std::fmin(smallest, range.x);
    largest = std::fmax(largest, range.y);
  }
  if (smallest > largest)
  {
    return { 0.0, 0.0 };
  }
  return { double{ smallest }, double{ largest } };
}

} // namespace cudaneuro::gpu
