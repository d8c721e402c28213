// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/levels/LabelDomain.h"

namespace cudaneuro
{

std::int32_t
LabelDomain::VoxelAtNode(std::int32_t node) const
{
  const std::int64_t offset = spline.nodes.voxels[static_cast<std::size_t>(node)];
  const Extent &     nodes = spline.extent;
  const auto         x = 2 * static_cast<int>(offset % nodes.x);
  const auto         y = 2 * static_cast<int>(offset / nodes.x % nodes.y);
  const auto         z = 2 * static_cast<int>(offset / nodes.x / nodes.y);
  const bool         isInBox = x < grid.extent.x && y < grid.extent.y && z < grid.extent.z;
  return isInBox ? band.numbers[static_cast<std::size_t>(grid.Offset(x, y, z))] : -1;
}

std::vector<float>
LabelDomain::SpreadToNodes(const std::vector<std::uint8_t> & isThere) const
{
  std::vector<float> sums(static_cast<std::size_t>(spline.nodes.count), 0.0f);
  for (std::size_t i = 0; i < isThere.size(); ++i)
  {
    if (isThere[i] != 0)
    {
      const std::array<int, 3> index = grid.IndexOf(band.voxels[i]);
      ForEachNode(spline.extent, index[0], index[1], index[2], [&](std::int64_t node, float weight) {
        sums[static_cast<std::size_t>(spline.nodes.numbers[static_cast<std::size_t>(node)])] += weight;
      });
    }
  }
  return sums;
}

LabelDomain
MakeLabelDomain(Context & context, const Grid & grid, const ConstVolume & labels, const LabelBox & box)
{
  LabelDomain domain{ MakeLabelGrid(context, grid, labels, box), {}, {}, {} };
  domain.band = MakeLabelBand(context, domain.grid);
  domain.spline = MakeSplineBand(context, domain.grid.extent, domain.band);
  domain.coarse = MakeSplineBand(context, domain.spline.extent, domain.spline.nodes);
  return domain;
}

} // namespace cudaneuro
