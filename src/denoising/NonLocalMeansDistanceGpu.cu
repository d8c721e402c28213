// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "NonLocalMeansDistanceKernel.cuh"

namespace cudaneuro
{
namespace gpu
{

namespace
{

template <int VPatch, int VPatchZ, int VWindowZ, bool VRician>
NonLocalMeansKernel
MakeKernel(const NonLocalMeansArguments & arguments)
{
  using Shape = NonLocalMeansDistanceDefaultShape<VPatch, VPatchZ>;
  using Tile = NonLocalMeansTile<VPatch, VPatchZ, Shape::rows, Shape::planes, Shape::warps>;
  NonLocalMeansKernel kernel;
  kernel.launch = LaunchNonLocalMeansDistance<VPatch, VPatchZ, VWindowZ, VRician, Shape>;
  kernel.planes = Shape::planes;
  kernel.reach = arguments.window[2] + VPatchZ;
  kernel.sharedBytes = Tile::Bytes(arguments);
  return kernel;
}

/** The window radius that is used most is unrolled. */
template <int VPatch, bool VRician>
NonLocalMeansKernel
FindWindow(const NonLocalMeansArguments & arguments)
{
  return arguments.window[2] == 3 ? MakeKernel<VPatch, VPatch, 3, VRician>(arguments)
                                  : MakeKernel<VPatch, VPatch, 0, VRician>(arguments);
}

template <bool VRician>
NonLocalMeansKernel
FindPatch(int patch, int patchZ, const NonLocalMeansArguments & arguments)
{
  if (patchZ == 0)
  {
    switch (patch)
    {
      case 1:
        return MakeKernel<1, 0, 0, VRician>(arguments);
      case 2:
        return MakeKernel<2, 0, 0, VRician>(arguments);
      case 3:
        return MakeKernel<3, 0, 0, VRician>(arguments);
    }
  }
  else if (patchZ == patch)
  {
    switch (patch)
    {
      case 1:
        return FindWindow<1, VRician>(arguments);
      case 2:
        return FindWindow<2, VRician>(arguments);
      case 3:
        return MakeKernel<3, 3, 0, VRician>(arguments);
    }
  }
  return NonLocalMeansKernel();
}

} // namespace

NonLocalMeansKernel
FindNonLocalMeansDistanceKernel(int patch, int patchZ, bool rician, const NonLocalMeansArguments & arguments)
{
  return rician ? FindPatch<true>(patch, patchZ, arguments) : FindPatch<false>(patch, patchZ, arguments);
}

} // namespace gpu
} // namespace cudaneuro
