// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/nonlocalmeans/NonLocalMeansDistanceColumn.cuh"
#include "denoising/nonlocalmeans/NonLocalMeansKernelChoice.cuh"

namespace cudaneuro::gpu
{

NonLocalMeansChoice
ChooseNonLocalMeansDistanceWithMap(
  int patch, int patchZ, bool rician, const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock)
{
  return ChooseNonLocalMeans<NonLocalMeansDistanceColumn, NonLocalMeansDistanceMapShape, true>(
    patch, patchZ, rician, arguments, sharedBytesPerBlock);
}

} // namespace cudaneuro::gpu
