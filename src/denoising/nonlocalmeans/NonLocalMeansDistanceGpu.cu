// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/nonlocalmeans/NonLocalMeansDistanceKernel.cuh"
#include "denoising/nonlocalmeans/NonLocalMeansKernelChoice.cuh"

namespace cudaneuro
{
namespace gpu
{

namespace
{

struct DistanceFamily
{
  static constexpr int patchesToReach = 1;

  template <int VRows, int VPlanes, int VWarps, int VBlocks>
  using Shape = NonLocalMeansDistanceShape<VRows, VPlanes, VWarps, VBlocks>;

  template <int VPatch, int VPatchZ>
  using DefaultShape = NonLocalMeansDistanceDefaultShape<VPatch, VPatchZ>;

  template <int VPatch, int VPatchZ, int VWindowZ, bool VRician, typename TShape>
  static constexpr auto Launch = LaunchNonLocalMeansDistance<VPatch, VPatchZ, VWindowZ, VRician, TShape>;
};

} // namespace

NonLocalMeansKernel
FindNonLocalMeansDistanceKernel(
  int patch, int patchZ, bool rician, const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock)
{
  return FindNonLocalMeansKernel<DistanceFamily>(patch, patchZ, rician, arguments, sharedBytesPerBlock);
}

} // namespace gpu
} // namespace cudaneuro
