// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_noise_NoiseBrightness_cuh
#define cudaneuro_images_noise_NoiseBrightness_cuh

#include "cuda/Reduce.cuh"
#include "images/noise/NoiseEstimateFormulas.h"
#include "images/noise/NoisePasses.cuh"

/** The brightness that cubes must exceed to be selected, from the sum of the voxels that are not excluded. */
namespace cudaneuro::gpu
{

constexpr int sumThreads = 256;
constexpr int sumBlocksOfPlane = 16;
constexpr int brightnessThreads = 512;

/** The sum and the number of some voxels. */
struct NoiseSum
{
  double sum;
  Count  count;

  CUDANEURO_HOST_DEVICE static NoiseSum
  Empty()
  {
    return { 0.0, 0 };
  }
  CUDANEURO_HOST_DEVICE void
  Include(const NoiseSum & other)
  {
    sum += other.sum;
    count += other.count;
  }
};

/** Reads the volume and the mask. Writes the sum of the voxels that are not excluded in each of the sumBlocksOfPlane
 * parts of each plane; blockIdx.y is the plane, blockIdx.x the part. */
static __global__ void
NoiseSumKernel(NoisePlanes planes, NoiseSum * sums)
{
  const std::int64_t planeVoxels = planes.size[0] * planes.size[1];
  const std::int64_t first = (planes.zBegin + blockIdx.y) * planeVoxels;
  NoiseSum           sum = NoiseSum::Empty();
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * sumThreads + threadIdx.x; i < planeVoxels;
       i += sumThreads * sumBlocksOfPlane)
  {
    const float value = planes.input[first + i];
    if (IsWithinNoiseLimit(value, planes.limit) && (planes.mask == nullptr || planes.mask[first + i] != 0))
    {
      sum.Include({ value, 1 });
    }
  }
  ReduceBlock<sumThreads>(
    sum, static_cast<int>(threadIdx.x), sums + static_cast<std::int64_t>(blockIdx.y) * sumBlocksOfPlane + blockIdx.x);
}

/** Reads the sums of all parts, and writes the brightness that cubes of \p corners voxels must exceed. */
static __global__ void
NoiseBrightnessKernel(const NoiseSum * sums, std::size_t parts, float corners, float * brightness)
{
  __shared__ NoiseSum total;
  NoiseSum            sum = NoiseSum::Empty();
  for (std::size_t i = threadIdx.x; i < parts; i += brightnessThreads)
  {
    sum.Include(sums[i]);
  }
  ReduceBlock<brightnessThreads>(sum, static_cast<int>(threadIdx.x), &total);
  if (threadIdx.x == 0)
  {
    *brightness = corners * NoiseBrightnessThreshold(total.sum, total.count);
  }
}

/** Enqueues the computation of the brightness that cubes must exceed. */
inline DeviceBuffer<float>
ComputeBrightness(Context & context, const NoiseVolume & volume)
{
  const GpuContext & gpu = GpuOf(context);
  const std::size_t  parts = static_cast<std::size_t>(volume.grid.size[2]) * sumBlocksOfPlane;
  const auto         sums = gpu.AllocateArray<NoiseSum>(parts);
  const auto         corners = static_cast<float>(1 << NumberOfNoiseAxes(volume.grid));
  auto               brightness = gpu.AllocateArray<float>(1);
  RunPass(context, volume, 0, [&](NoisePlanes planes, std::int64_t plane) {
    constexpr std::int64_t mostPlanes = 65535; // the largest gridDim.y
    for (; planes.zBegin < planes.zEnd; planes.zBegin += mostPlanes, plane += mostPlanes)
    {
      const auto count = static_cast<unsigned int>(std::min(mostPlanes, planes.zEnd - planes.zBegin));
      NoiseSumKernel<<<dim3(sumBlocksOfPlane, count), sumThreads, 0, gpu.ComputeStream()>>>(
        planes, sums.Data() + plane * sumBlocksOfPlane);
      CUDANEURO_CUDA_LAUNCHED("NoiseSumKernel");
    }
  });
  NoiseBrightnessKernel<<<1, brightnessThreads, 0, gpu.ComputeStream()>>>(
    sums.Data(), parts, corners, brightness.Data());
  CUDANEURO_CUDA_LAUNCHED("NoiseBrightnessKernel");
  return brightness;
}

} // namespace cudaneuro::gpu

#endif
