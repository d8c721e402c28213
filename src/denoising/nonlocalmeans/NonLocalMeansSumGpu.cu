// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/nonlocalmeans/NonLocalMeansKernelChoice.cuh"
#include "denoising/nonlocalmeans/NonLocalMeansSumColumn.cuh"

namespace cudaneuro::gpu
{

namespace
{

struct SumFamily
{
  template <int VPatch, int VPatchZ, int VWindowZ, bool VRician, typename TShape>
  using Column = NonLocalMeansSumColumn<VPatch, VPatchZ, VWindowZ, VRician, TShape>;

  template <int VPatch, int VPatchZ>
  using DefaultShape = NonLocalMeansSumDefaultShape<VPatch, VPatchZ>;
};

} // namespace

NonLocalMeansChoice
ChooseNonLocalMeansSum(
  int patch, int patchZ, bool rician, const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock)
{
  return ChooseNonLocalMeans<SumFamily>(patch, patchZ, rician, arguments, sharedBytesPerBlock);
}

} // namespace cudaneuro::gpu
