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
constexpr int sumVoxelsAtOnce = 4; // of a thread, whose reads overlap
constexpr int brightnessThreads = 512;

/** Reads the volume and the mask. Writes the sums of the voxels in each of the sumBlocksOfPlane parts of each plane;
 * blockIdx.y is the plane, blockIdx.x the part. */
static __global__ void
NoiseSumKernel(NoisePlanes planes, NoiseBrightnessSums * sums)
{
  constexpr std::int64_t step = sumThreads * sumBlocksOfPlane;
  const std::int64_t     count = planes.size[0] * planes.size[1];
  const std::int64_t     first = (planes.zBegin + blockIdx.y) * count;
  const float * const    plane = planes.input + first;
  NoiseBrightnessSums    sum = NoiseBrightnessSums::Empty();
  for (std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * sumThreads + threadIdx.x; begin < count;
       begin += step * sumVoxelsAtOnce)
  {
    float value[sumVoxelsAtOnce];
    float before[sumVoxelsAtOnce];
    float after[sumVoxelsAtOnce];
#pragma unroll
    for (int k = 0; k < sumVoxelsAtOnce; ++k)
    {
      const std::int64_t i = begin + k * step;
      value[k] = i < count ? plane[i] : NAN;
      before[k] = i > 0 && i < count ? plane[i - 1] : NAN;
      after[k] = i + 1 < count ? plane[i + 1] : NAN;
    }
#pragma unroll
    for (int k = 0; k < sumVoxelsAtOnce; ++k)
    {
      if (IsWithinNoiseLimit(value[k], planes.limit) &&
          (planes.mask == nullptr || planes.mask[first + begin + k * step] != 0))
      {
        sum.Add(value[k], before[k], after[k]);
      }
    }
  }
  ReduceBlock<sumThreads>(
    sum, static_cast<int>(threadIdx.x), sums + static_cast<std::int64_t>(blockIdx.y) * sumBlocksOfPlane + blockIdx.x);
}

/** Reads the sums of all parts, and writes the brightness that cubes of \p corners voxels must exceed. */
static __global__ void
NoiseBrightnessKernel(const NoiseBrightnessSums * sums, std::size_t parts, float corners, float * brightness)
{
  __shared__ NoiseBrightnessSums total;
  NoiseBrightnessSums            sum = NoiseBrightnessSums::Empty();
  for (std::size_t i = threadIdx.x; i < parts; i += brightnessThreads)
  {
    sum.Include(sums[i]);
  }
  ReduceBlock<brightnessThreads>(sum, static_cast<int>(threadIdx.x), &total);
  if (threadIdx.x == 0)
  {
    *brightness = corners * NoiseBrightnessThreshold(total);
  }
}

/** Enqueues the computation of the brightness that cubes must exceed. */
inline DeviceBuffer<float>
ComputeBrightness(Context & context, const NoiseVolume & volume)
{
  const GpuContext & gpu = GpuOf(context);
  const std::size_t  parts = static_cast<std::size_t>(volume.grid.size[2]) * sumBlocksOfPlane;
  const auto         sums = gpu.AllocateArray<NoiseBrightnessSums>(parts);
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
