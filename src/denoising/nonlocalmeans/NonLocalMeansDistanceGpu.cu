// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/nonlocalmeans/NonLocalMeansDistanceColumn.cuh"
#include "denoising/nonlocalmeans/NonLocalMeansKernelChoice.cuh"

namespace cudaneuro::gpu
{

namespace
{

struct DistanceFamily
{
  template <int VPatch, int VPatchZ, int VWindowZ, bool VRician, typename TShape>
  using Column = NonLocalMeansDistanceColumn<VPatch, VPatchZ, VWindowZ, VRician, TShape>;

  template <int VPatch, int VPatchZ>
  using DefaultShape = NonLocalMeansDistanceDefaultShape<VPatch, VPatchZ>;
};

} // namespace

NonLocalMeansChoice
ChooseNonLocalMeansDistance(
  int patch, int patchZ, bool rician, const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock)
{
  return ChooseNonLocalMeans<DistanceFamily>(patch, patchZ, rician, arguments, sharedBytesPerBlock);
}

} // namespace cudaneuro::gpu
