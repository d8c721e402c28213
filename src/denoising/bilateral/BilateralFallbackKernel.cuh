// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralFallbackKernel_cuh
#define cudaneuro_denoising_bilateral_BilateralFallbackKernel_cuh

#include "core/IntegerMath.h"
#include "denoising/bilateral/BilateralKernel.cuh"

namespace cudaneuro::gpu
{

/** BilateralKernel for any radius: one thread computes one output and reads the neighbors from device memory. */
static __global__ void
BilateralFallbackKernel(const BilateralArguments a)
{
  const std::int64_t plane = static_cast<std::int64_t>(a.size.x) * a.size.y;
  const std::int64_t begin = plane * a.zBegin;
  const std::int64_t index = begin + blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (index >= plane * a.zEnd)
  {
    return;
  }
  const int   z = static_cast<int>(index / plane);
  const int   y = static_cast<int>((index - z * plane) / a.size.x);
  const int   x = static_cast<int>(index - z * plane - static_cast<std::int64_t>(y) * a.size.x);
  const float value = a.input[index];
  const float center = ScaleBilateralIntensity(a, LoadBilateralIntensity(a, index));
  if (center == bilateralExcluded)
  {
    a.output[index] = value;
    return;
  }
  float weight = 0.0f;
  float weightedDifference = 0.0f;
  for (int nz = max(z - a.radius[2], 0); nz <= min(z + a.radius[2], a.size.z - 1); ++nz)
  {
    for (int ny = max(y - a.radius[1], 0); ny <= min(y + a.radius[1], a.size.y - 1); ++ny)
    {
      const std::int64_t row = (static_cast<std::int64_t>(nz) * a.size.y + ny) * a.size.x;
      const float        exponentYZ = fmaf(a.unitExponent[2],
                                    static_cast<float>(nz - z) * static_cast<float>(nz - z),
                                    a.unitExponent[1] * static_cast<float>(ny - y) * static_cast<float>(ny - y));
      for (int nx = max(x - a.radius[0], 0); nx <= min(x + a.radius[0], a.size.x - 1); ++nx)
      {
        const float dx = static_cast<float>(nx - x);
        const float d = ScaleBilateralIntensity(a, LoadBilateralIntensity(a, row + nx)) - center;
        const float w = Exp2(BilateralExponent(fmaf(a.unitExponent[0], dx * dx, exponentYZ), d));
        weight += w;
        weightedDifference = fmaf(w, d, weightedDifference);
      }
    }
  }
  a.output[index] = value + BilateralMean(weightedDifference, weight) * a.inverseRangeScale;
}

inline void
LaunchBilateralFallback(const BilateralArguments & a, cudaStream_t stream)
{
  constexpr unsigned int threads = 128;
  const std::int64_t     voxels = static_cast<std::int64_t>(a.size.x) * a.size.y * (a.zEnd - a.zBegin);
  BilateralFallbackKernel<<<static_cast<unsigned int>(DivideUp(voxels, threads)), threads, 0, stream>>>(a);
  CUDANEURO_CUDA_LAUNCHED("BilateralFallbackKernel");
}

} // namespace cudaneuro::gpu

#endif
