// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/noise/NoiseValues.h"

#include "core/ApproximateMath.h"
#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"
#include "cuda/WarpReduce.cuh"
#include "images/ReferenceIntensityLattice.h"
#include "jobs/DeviceVolumes.h"

#include <optional>

namespace cudaneuro::gpu
{

namespace
{

constexpr int threadsPerBlock = 256;
constexpr int mostBlocks = 2048;

/** Reads all voxels and, unless it is null, the mask. Each warp writes the properties of its voxels to \p warps. */
__global__ void
NoiseValuesKernel(
  const void * data, PixelType type, const unsigned char * mask, std::int64_t numberOfVoxels, NoiseValues * warps)
{
  NoiseValues        seen;
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * threadsPerBlock + threadIdx.x;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * threadsPerBlock;
  for (std::int64_t voxel = thread; voxel < numberOfVoxels; voxel += stride)
  {
    if (mask != nullptr && mask[voxel] == 0)
    {
      continue;
    }
    const float value = ReadPixel(data, type, voxel);
    const bool  isGood = IsFinite(value) && value >= 0.0f;
    seen.largest = isGood ? fmaxf(seen.largest, value) : seen.largest;
    seen.smallest = isGood && value > 0.0f ? fminf(seen.smallest, value) : seen.smallest;
    seen.zeros += value == 0.0f ? 1 : 0;
    seen.firstBad = isGood || seen.firstBad < voxel ? seen.firstBad : voxel;
  }
  seen.largest = WarpReduce(seen.largest, [](float a, float b) { return fmaxf(a, b); });
  seen.smallest = WarpReduce(seen.smallest, [](float a, float b) { return fminf(a, b); });
  seen.zeros = WarpReduce(seen.zeros, [](std::int64_t a, std::int64_t b) { return a + b; });
  seen.firstBad = WarpReduce(seen.firstBad, [](std::int64_t a, std::int64_t b) { return a < b ? a : b; });
  if (threadIdx.x % 32 == 0)
  {
    warps[thread / 32] = seen;
  }
}

} // namespace

NoiseValues
LookAtNoise(Context & context, const Grid & grid, const ConstVolume & noise, const ConstVolume & mask)
{
  GpuContext &              gpu = GpuOf(context);
  const DeviceScope         scope(gpu.GetDevice());
  const MaskInput           inside(context, grid, mask);
  std::optional<FloatInput> copy;
  ConstVolume               map = noise;
  if (noise.space == MemorySpace::Host)
  {
    copy.emplace(context, grid, noise);
    map = { copy->Data(), PixelType::Float, MemorySpace::Device };
  }
  const std::int64_t        numberOfVoxels = grid.NumberOfVoxels();
  const std::int64_t        blocks = std::min<std::int64_t>(mostBlocks, DivideUp(numberOfVoxels, threadsPerBlock));
  const std::size_t         numberOfWarps = static_cast<std::size_t>(blocks) * (threadsPerBlock / 32);
  DeviceBuffer<NoiseValues> warps = gpu.AllocateArray<NoiseValues>(numberOfWarps);
  NoiseValuesKernel<<<static_cast<unsigned int>(blocks), threadsPerBlock, 0, gpu.ComputeStream()>>>(
    map.data, map.type, inside.Data(), numberOfVoxels, warps.Data());
  CUDANEURO_CUDA_LAUNCHED("NoiseValuesKernel");
  NoiseValues all;
  for (const NoiseValues & values : gpu.CopyToHost(warps, numberOfWarps))
  {
    all.Include(values);
  }
  return all;
}

} // namespace cudaneuro::gpu
