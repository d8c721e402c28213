// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/nonlocalmeans/NonLocalMeansKernelChoice.cuh"
#include "denoising/nonlocalmeans/NonLocalMeansSumKernel.cuh"

namespace cudaneuro
{
namespace gpu
{

namespace
{

struct SumFamily
{
  static constexpr int patchesToReach = 2;

  template <int VRows, int VPlanes, int VWarps, int VBlocks>
  using Shape = NonLocalMeansSumShape<VRows, VPlanes, VWarps, VBlocks>;

  template <int VPatch, int VPatchZ>
  using DefaultShape = NonLocalMeansSumDefaultShape<VPatch, VPatchZ>;

  template <int VPatch, int VPatchZ, int VWindowZ, bool VRician, typename TShape>
  static constexpr auto Launch = LaunchNonLocalMeansSum<VPatch, VPatchZ, VWindowZ, VRician, TShape>;
};

} // namespace

NonLocalMeansKernel
FindNonLocalMeansSumKernel(
  int patch, int patchZ, bool rician, const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock)
{
  return FindNonLocalMeansKernel<SumFamily>(patch, patchZ, rician, arguments, sharedBytesPerBlock);
}

} // namespace gpu
} // namespace cudaneuro
