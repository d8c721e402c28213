// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/FiniteRange.h"

#include "core/ApproximateMath.h"
#include "cuda/WarpReduce.cuh"
#include "jobs/ReductionStage.h"

namespace cudaneuro::gpu
{

namespace
{

constexpr int threadsPerBlock = 256;
constexpr int blocksPerPlane = 16;

/** Sets the arguments to the smallest and the largest of a warp's values. */
__device__ void
WarpRange(float & smallest, float & largest)
{
  smallest = WarpReduce(smallest, [](float a, float b) { return fminf(a, b); });
  largest = WarpReduce(largest, [](float a, float b) { return fmaxf(a, b); });
}

/** Reads planes [0, gridDim.y) of \p planeVoxels voxels each. Writes to ranges the range of the finite values in each
 * of the blocksPerPlane parts of each plane, an empty range if there is none. */
__global__ void
FiniteRangeKernel(const float * __restrict__ input, std::int64_t planeVoxels, FiniteRange * ranges)
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
      FiniteRange & range = ranges[static_cast<std::int64_t>(blockIdx.y) * blocksPerPlane + blockIdx.x];
      range.smallest = smallest;
      range.largest = largest;
    }
  }
}

} // namespace

std::array<double, 2>
ComputeFiniteRange(Context & context, const Grid & grid, const ConstVolume & input)
{
  const GpuContext & gpu = GpuOf(context);
  const DeviceScope  scope(gpu.GetDevice());
  const std::size_t  numberOfRanges = static_cast<std::size_t>(grid.size[2]) * blocksPerPlane;
  const auto         ranges = gpu.AllocateArray<FiniteRange>(numberOfRanges);
  PlaneJob           job;
  job.grid = grid;
  job.inputs = { input };
  job.makeStage = [&](GpuContext &, const DeviceSlab & slab) {
    return std::make_unique<ReductionStage>(slab, 0, [&, slab](std::int64_t begin, std::int64_t end) {
      const std::int64_t     planeVoxels = slab.grid.VoxelsPerPlane();
      constexpr std::int64_t mostPlanes = 65535; // the largest gridDim.y
      for (std::int64_t z = begin; z < end; z += mostPlanes)
      {
        const dim3 blocks(blocksPerPlane, static_cast<unsigned int>(std::min(mostPlanes, end - z)));
        FiniteRangeKernel<<<blocks, threadsPerBlock, 0, gpu.ComputeStream()>>>(
          slab.inputs[0] + z * planeVoxels, planeVoxels, ranges.Data() + (slab.firstPlane + z) * blocksPerPlane);
        CUDANEURO_CUDA_LAUNCHED("FiniteRangeKernel");
      }
    });
  };
  RunPlaneJob(context, job);

  FiniteRange all;
  for (const FiniteRange & range : gpu.CopyToHost(ranges, numberOfRanges))
  {
    all.Include(range);
  }
  return all.ToArray();
}

} // namespace cudaneuro::gpu
