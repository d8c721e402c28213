// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralFallbackKernel_cuh
#define cudaneuro_denoising_bilateral_BilateralFallbackKernel_cuh

#include "core/Dispatch.h"
#include "core/IntegerMath.h"
#include "denoising/bilateral/BilateralKernel.cuh"

namespace cudaneuro::gpu
{

/** Does what BilateralKernel does, for any radius: a thread computes one output and reads device memory only. */
template <bool VMap>
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
  const float center = ScaleBilateralIntensity(a, LoadBilateralIntensity<VMap>(a, index));
  if (center == bilateralExcluded)
  {
    a.output[index] = value;
    return;
  }
  const float precision = LoadBilateralPrecision<VMap>(a, index);
  float       weight = 0.0f;
  float       weightedDifference = 0.0f;
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
        const float d = ScaleBilateralIntensity(a, LoadBilateralIntensity<VMap>(a, row + nx)) - center;
        const float spatial = fmaf(a.unitExponent[0], dx * dx, exponentYZ);
        const float w = Exp2(VMap ? BilateralExponent(spatial, d, precision) : BilateralExponent(spatial, d));
        weight += w;
        weightedDifference = fmaf(w, d, weightedDifference);
      }
    }
  }
  a.output[index] = value + BilateralMean(weightedDifference, weight) * a.inverseRangeScale;
}

template <bool VMap>
void
LaunchBilateralFallback(const BilateralArguments & a, cudaStream_t stream)
{
  constexpr unsigned int threads = 128;
  const std::int64_t     voxels = static_cast<std::int64_t>(a.size.x) * a.size.y * (a.zEnd - a.zBegin);
  BilateralFallbackKernel<VMap><<<static_cast<unsigned int>(DivideUp(voxels, threads)), threads, 0, stream>>>(a);
  CUDANEURO_CUDA_LAUNCHED("BilateralFallbackKernel");
}

/** Launches the fast kernel or the fallback for these radii. TShape gives the launch shape by the radius along x. */
template <template <int> class TShape>
void
LaunchAnyBilateral(const BilateralArguments & arguments, cudaStream_t stream)
{
  const auto launch = [&](auto radius) { LaunchBilateral<radius(), TShape<radius()>>(arguments, stream); };
  if (!HasBilateralKernel(arguments) || !WithConstantFrom<1, 2, 3, 4, 5, 6, 7>(arguments.radius[0], launch))
  {
    LaunchBilateralFallback<TShape<1>::hasMap>(arguments, stream);
  }
}

/** LaunchAnyBilateral for noise that varies, in a source file of its own because its kernels compile slowly. */
void
LaunchBilateralWithMap(const BilateralArguments & arguments, cudaStream_t stream);

} // namespace cudaneuro::gpu

#endif
