// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "NonLocalMeansSumKernel.cuh"

namespace cudaneuro
{
namespace gpu
{

namespace
{

template <int VPatch, int VPatchZ, int VWindowZ, bool VRician, typename TShape>
NonLocalMeansKernel
MakeKernelOfShape(const NonLocalMeansArguments & arguments)
{
  using Tile = NonLocalMeansTile<VPatch, VPatchZ, TShape::rows, TShape::planes, TShape::warps>;
  NonLocalMeansKernel kernel;
  kernel.launch = LaunchNonLocalMeansSum<VPatch, VPatchZ, VWindowZ, VRician, TShape>;
  kernel.planes = TShape::planes;
  kernel.reach = arguments.window[2] + 2 * VPatchZ;
  kernel.sharedBytes = Tile::Bytes(arguments);
  return kernel;
}

/** The default shape or, where shared memory is scarce, one with fewer warps. */
template <int VPatch, int VPatchZ, int VWindowZ, bool VRician>
NonLocalMeansKernel
MakeKernel(const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock)
{
  using Shape = NonLocalMeansSumDefaultShape<VPatch, VPatchZ>;
  const NonLocalMeansKernel kernel = MakeKernelOfShape<VPatch, VPatchZ, VWindowZ, VRician, Shape>(arguments);
  if constexpr (VPatchZ > 0)
  {
    if (kernel.sharedBytes > sharedBytesPerBlock)
    {
      using SmallShape = NonLocalMeansSumShape<VPatch == 3 ? 2 : 4, 2, 2, 1>;
      return MakeKernelOfShape<VPatch, VPatchZ, 0, VRician, SmallShape>(arguments);
    }
  }
  return kernel;
}

/** The window radius that is used most is unrolled. */
template <int VPatch, bool VRician>
NonLocalMeansKernel
FindWindow(const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock)
{
  return arguments.window[2] == 3 ? MakeKernel<VPatch, VPatch, 3, VRician>(arguments, sharedBytesPerBlock)
                                  : MakeKernel<VPatch, VPatch, 0, VRician>(arguments, sharedBytesPerBlock);
}

template <bool VRician>
NonLocalMeansKernel
FindPatch(int patch, int patchZ, const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock)
{
  if (patchZ == 0)
  {
    switch (patch)
    {
      case 1:
        return MakeKernel<1, 0, 0, VRician>(arguments, sharedBytesPerBlock);
      case 2:
        return MakeKernel<2, 0, 0, VRician>(arguments, sharedBytesPerBlock);
      case 3:
        return MakeKernel<3, 0, 0, VRician>(arguments, sharedBytesPerBlock);
    }
  }
  else if (patchZ == patch)
  {
    switch (patch)
    {
      case 1:
        return FindWindow<1, VRician>(arguments, sharedBytesPerBlock);
      case 2:
        return FindWindow<2, VRician>(arguments, sharedBytesPerBlock);
      case 3:
        return MakeKernel<3, 3, 0, VRician>(arguments, sharedBytesPerBlock);
    }
  }
  return NonLocalMeansKernel();
}

} // namespace

NonLocalMeansKernel
FindNonLocalMeansSumKernel(
  int patch, int patchZ, bool rician, const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock)
{
  return rician ? FindPatch<true>(patch, patchZ, arguments, sharedBytesPerBlock)
                : FindPatch<false>(patch, patchZ, arguments, sharedBytesPerBlock);
}

} // namespace gpu
} // namespace cudaneuro
