// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/nonlocalmeans/NonLocalMeansKernelChoice.cuh"
#include "denoising/nonlocalmeans/NonLocalMeansSumColumn.cuh"

namespace cudaneuro::gpu
{

NonLocalMeansChoice
ChooseNonLocalMeansSum(
  int patch, int patchZ, bool rician, const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock)
{
  return ChooseNonLocalMeans<NonLocalMeansSumColumn, NonLocalMeansSumDefaultShape, false, 5>(
    patch, patchZ, rician, arguments, sharedBytesPerBlock);
}

} // namespace cudaneuro::gpu
