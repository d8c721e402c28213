// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansKernelChoice_cuh
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansKernelChoice_cuh

#include "core/Dispatch.h"
#include "denoising/nonlocalmeans/NonLocalMeansKernel.cuh"
#include "denoising/nonlocalmeans/NonLocalMeansShape.cuh"

namespace cudaneuro::gpu
{

/* Which kernel with tiles serves which radii. A TFamily is one weighting: its Column and its DefaultShape. */

template <typename TColumn>
NonLocalMeansChoice
ChoiceOf(const NonLocalMeansArguments & arguments, int patchZ)
{
  return { LaunchNonLocalMeans<TColumn>,
           TColumn::Shape::planes,
           arguments.window[2] + TColumn::patchesToReach * patchZ,
           TColumn::Tile::Bytes(arguments) };
}

/** Returns the kernel of the default shape or, where shared memory is scarce, of one with fewer warps. */
template <typename TFamily, int VPatch, int VPatchZ, int VWindowZ, bool VRician>
NonLocalMeansChoice
ChooseShape(const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock)
{
  using Shape = typename TFamily::template DefaultShape<VPatch, VPatchZ>;
  using Column = typename TFamily::template Column<VPatch, VPatchZ, VWindowZ, VRician, Shape>;
  const NonLocalMeansChoice choice = ChoiceOf<Column>(arguments, VPatchZ);
  if constexpr (VPatchZ > 0)
  {
    if (choice.sharedBytes > sharedBytesPerBlock)
    {
      using SmallShape = NonLocalMeansShape<VPatch == 3 ? 2 : 4, 2, 2, 1>;
      return ChoiceOf<typename TFamily::template Column<VPatch, VPatchZ, 0, VRician, SmallShape>>(arguments, VPatchZ);
    }
  }
  return choice;
}

/** Returns the kernel for these radii, without a launch function where the family has none. */
template <typename TFamily>
NonLocalMeansChoice
ChooseNonLocalMeans(
  int patch, int patchZ, bool rician, const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock)
{
  NonLocalMeansChoice choice;
  WithConstant<0, 1>(rician ? 1 : 0, [&](auto ricianConstant) {
    constexpr bool isRician = ricianConstant() != 0;
    WithConstant<1, 2, 3>(patch, [&](auto patchConstant) {
      constexpr int radius = patchConstant();
      WithConstant<0, radius>(patchZ, [&](auto patchZConstant) {
        constexpr int radiusZ = patchZConstant();
        // The most common window is unrolled for the most common patches.
        constexpr int unrolledWindow = radiusZ == 1 || radiusZ == 2 ? 3 : 0;
        choice = arguments.window[2] == unrolledWindow
                   ? ChooseShape<TFamily, radius, radiusZ, unrolledWindow, isRician>(arguments, sharedBytesPerBlock)
                   : ChooseShape<TFamily, radius, radiusZ, 0, isRician>(arguments, sharedBytesPerBlock);
      });
    });
  });
  return choice;
}

} // namespace cudaneuro::gpu

#endif
