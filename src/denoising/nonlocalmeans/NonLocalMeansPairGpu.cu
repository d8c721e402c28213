// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/Dispatch.h"
#include "denoising/nonlocalmeans/NonLocalMeansPairKernel.cuh"

namespace cudaneuro::gpu
{
namespace
{

constexpr int pairWindow = 3;
using PairShape = NonLocalMeansShape<4, 2, 8, 1>;

template <int VPatch, bool VRician, bool VMaximum>
NonLocalMeansChoice
ChoiceOfPairs(const NonLocalMeansArguments & a)
{
  using Column = NonLocalMeansPairColumn<VPatch, pairWindow, VRician, VMaximum, PairShape>;
  using Tile = typename Column::Tile;
  using Sums = typename Column::Sums;
  const auto tiles = static_cast<std::size_t>(DivideUp(a.size.x, Tile::tileX)) * DivideUp(a.size.y, Tile::tileY);

  NonLocalMeansChoice choice;
  choice.launch = LaunchNonLocalMeansPairs<Column, pairWindow, VRician>;
  choice.planes = Column::planes;
  choice.reach = VPatch + std::max(Column::startPlanes, pairWindow + Column::planes - 1);
  choice.sharedBytes = Column::SharedBytes(a);
  choice.scratchBytesPerPlane = tiles * Sums::sums * Sums::floatsPerPlane * sizeof(float);
  return choice;
}

} // namespace

NonLocalMeansChoice
ChooseNonLocalMeansPairs(
  int patch, int patchZ, bool rician, const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock)
{
  NonLocalMeansChoice choice;
  const bool          isWindow =
    std::all_of(arguments.window, arguments.window + 3, [](int radius) { return radius == pairWindow; });
  if (!isWindow || patch != patchZ)
  {
    return choice;
  }
  WithConstant<1, 2>(patch, [&](auto patchConstant) {
    WithConstant<0, 1, 2, 3>((rician ? 1 : 0) + (arguments.maximumCenterWeight ? 2 : 0), [&](auto constant) {
      choice = ChoiceOfPairs<patchConstant(), constant() % 2 != 0, constant() / 2 != 0>(arguments);
    });
  });
  return choice.sharedBytes <= sharedBytesPerBlock ? choice : NonLocalMeansChoice();
}

} // namespace cudaneuro::gpu
