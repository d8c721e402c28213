// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansKernelChoice_cuh
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansKernelChoice_cuh

#include "denoising/nonlocalmeans/NonLocalMeansTile.cuh"

namespace cudaneuro
{
namespace gpu
{

/* Which tiled kernel serves which radii. A TFamily is one weighting's kernels: Shape, DefaultShape and Launch, as those of
 * its kernel's header, and patchesToReach, the patch radii beyond the window that a plane depends on. */

template <typename TFamily, int VPatch, int VPatchZ, int VWindowZ, bool VRician, typename TShape>
NonLocalMeansKernel
MakeKernelOfShape(const NonLocalMeansArguments & arguments)
{
  using Tile = NonLocalMeansTile<VPatch, VPatchZ, TShape::rows, TShape::planes, TShape::warps>;
  NonLocalMeansKernel kernel;
  kernel.launch = TFamily::template Launch<VPatch, VPatchZ, VWindowZ, VRician, TShape>;
  kernel.planes = TShape::planes;
  kernel.reach = arguments.window[2] + TFamily::patchesToReach * VPatchZ;
  kernel.sharedBytes = Tile::Bytes(arguments);
  return kernel;
}

/** The default shape or, where shared memory is scarce, one with fewer warps. */
template <typename TFamily, int VPatch, int VPatchZ, int VWindowZ, bool VRician>
NonLocalMeansKernel
MakeKernel(const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock)
{
  using Shape = typename TFamily::template DefaultShape<VPatch, VPatchZ>;
  const NonLocalMeansKernel kernel = MakeKernelOfShape<TFamily, VPatch, VPatchZ, VWindowZ, VRician, Shape>(arguments);
  if constexpr (VPatchZ > 0)
  {
    if (kernel.sharedBytes > sharedBytesPerBlock)
    {
      using SmallShape = typename TFamily::template Shape<VPatch == 3 ? 2 : 4, 2, 2, 1>;
      return MakeKernelOfShape<TFamily, VPatch, VPatchZ, 0, VRician, SmallShape>(arguments);
    }
  }
  return kernel;
}

/** The window radius that is used most is unrolled. */
template <typename TFamily, int VPatch, bool VRician>
NonLocalMeansKernel
FindWindow(const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock)
{
  return arguments.window[2] == 3 ? MakeKernel<TFamily, VPatch, VPatch, 3, VRician>(arguments, sharedBytesPerBlock)
                                  : MakeKernel<TFamily, VPatch, VPatch, 0, VRician>(arguments, sharedBytesPerBlock);
}

template <typename TFamily, bool VRician>
NonLocalMeansKernel
FindPatch(int patch, int patchZ, const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock)
{
  if (patchZ == 0)
  {
    switch (patch)
    {
      case 1:
        return MakeKernel<TFamily, 1, 0, 0, VRician>(arguments, sharedBytesPerBlock);
      case 2:
        return MakeKernel<TFamily, 2, 0, 0, VRician>(arguments, sharedBytesPerBlock);
      case 3:
        return MakeKernel<TFamily, 3, 0, 0, VRician>(arguments, sharedBytesPerBlock);
    }
  }
  else if (patchZ == patch)
  {
    switch (patch)
    {
      case 1:
        return FindWindow<TFamily, 1, VRician>(arguments, sharedBytesPerBlock);
      case 2:
        return FindWindow<TFamily, 2, VRician>(arguments, sharedBytesPerBlock);
      case 3:
        return MakeKernel<TFamily, 3, 3, 0, VRician>(arguments, sharedBytesPerBlock);
    }
  }
  return NonLocalMeansKernel();
}

/** The kernel for these radii; without a launch function where none of the family serves them. */
template <typename TFamily>
NonLocalMeansKernel
FindNonLocalMeansKernel(
  int patch, int patchZ, bool rician, const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock)
{
  return rician ? FindPatch<TFamily, true>(patch, patchZ, arguments, sharedBytesPerBlock)
                : FindPatch<TFamily, false>(patch, patchZ, arguments, sharedBytesPerBlock);
}

} // namespace gpu
} // namespace cudaneuro

#endif
