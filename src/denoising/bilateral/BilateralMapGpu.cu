// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/bilateral/BilateralFallbackKernel.cuh"

namespace cudaneuro::gpu
{

void
LaunchBilateralWithMap(const BilateralArguments & arguments, cudaStream_t stream)
{
  LaunchAnyBilateral<BilateralMapShape>(arguments, stream);
}

} // namespace cudaneuro::gpu
