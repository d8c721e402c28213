// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/IntegerMath.h"
#include "denoising/diffusion/DiffusionKernels.cuh"
#include "images/noise/NoiseValues.h"

namespace cudaneuro::gpu
{
namespace
{

/** Reads the noise and writes RelativeInverseNoise() from plane \p zBegin on; writes 1 between a row's end and its
 * pitch. Each thread writes one float. */
__global__ void
InverseNoiseKernel(DiffusionArguments a, float largestNoise, int zBegin, std::int64_t floats, float * inverseNoise)
{
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= floats)
  {
    return;
  }
  const std::int64_t row = zBegin * static_cast<std::int64_t>(a.size.y) + i / a.inverseNoisePitch;
  const auto         x = static_cast<int>(i % a.inverseNoisePitch);
  inverseNoise[row * a.inverseNoisePitch + x] =
    x < a.size.x ? RelativeInverseNoise(largestNoise, a.noise[row * a.size.x + x]) : 1.0f;
}

} // namespace

DiffusionKernels
FindDiffusionKernelsWithMap(const AnisotropicDiffusionParameters & parameters)
{
  return FindDiffusionKernels<DiffusionMapShape<PeronaMalikDefaultShape, 3>,
                              DiffusionMapShape<GerigDefaultShape, 6>,
                              DiffusionMapShape<WeickertDefaultShape, 3>>(parameters);
}

void
LaunchInverseNoise(const DiffusionArguments & arguments,
                   float                      largestNoise,
                   int                        zBegin,
                   int                        zEnd,
                   float *                    inverseNoise,
                   cudaStream_t               stream)
{
  constexpr int      threads = 256;
  const std::int64_t floats = arguments.inverseNoisePitch * arguments.size.y * (zEnd - zBegin);
  InverseNoiseKernel<<<static_cast<unsigned int>(DivideUp(floats, threads)), threads, 0, stream>>>(
    arguments, largestNoise, zBegin, floats, inverseNoise);
  CUDANEURO_CUDA_LAUNCHED("InverseNoiseKernel");
}

} // namespace cudaneuro::gpu
