// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansKernelChoice_cuh
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansKernelChoice_cuh

#include "core/Dispatch.h"
#include "denoising/nonlocalmeans/NonLocalMeansKernel.cuh"
#include "denoising/nonlocalmeans/NonLocalMeansShape.cuh"

namespace cudaneuro::gpu
{

/* The choice of the kernel with tiles for some radii. TColumn and TDefaultShape belong to one weighting. */

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
template <template <int, int, int, bool, bool, typename> class TColumn,
          template <int, int>
          class TDefaultShape,
          bool VMap,
          int  VPatch,
          int  VPatchZ,
          int  VWindowZ,
          bool VRician>
NonLocalMeansChoice
ChooseShape(const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock)
{
  using Shape = TDefaultShape<VPatch, VPatchZ>;
  const auto choice = ChoiceOf<TColumn<VPatch, VPatchZ, VWindowZ, VRician, VMap, Shape>>(arguments, VPatchZ);
  if constexpr (VPatchZ > 0)
  {
    if (choice.sharedBytes > sharedBytesPerBlock)
    {
      using SmallShape = NonLocalMeansShape<VPatch == 3 || VMap ? 2 : 4, 2, 2, 1>;
      return ChoiceOf<TColumn<VPatch, VPatchZ, 0, VRician, VMap, SmallShape>>(arguments, VPatchZ);
    }
  }
  return choice;
}

/** Returns the kernel for these radii, without a launch function if there is none.
 * \tparam VWindowOfThree the window radius for which patches of radius 3 are unrolled, or 0 */
template <template <int, int, int, bool, bool, typename> class TColumn,
          template <int, int>
          class TDefaultShape,
          bool VMap,
          int  VWindowOfThree = 0>
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
        // Only the most common window of the most common patches is unrolled.
        constexpr int unrolledWindow = radiusZ == 3 ? VWindowOfThree : radiusZ == 0 ? 0 : 3;
        choice =
          arguments.window[2] == unrolledWindow
            ? ChooseShape<TColumn, TDefaultShape, VMap, radius, radiusZ, unrolledWindow, isRician>(arguments,
                                                                                                   sharedBytesPerBlock)
            : ChooseShape<TColumn, TDefaultShape, VMap, radius, radiusZ, 0, isRician>(arguments, sharedBytesPerBlock);
      });
    });
  });
  return choice;
}

} // namespace cudaneuro::gpu

#endif
