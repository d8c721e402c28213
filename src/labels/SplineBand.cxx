// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/SplineBand.h"

namespace cudaneuro
{
namespace
{

/** The sum of the weights that a node has at the band's voxels; 0 where it has none. */
float
WeightOf(const LabelGrid & grid, const LabelBand & band, const std::array<int, 3> & node)
{
  float sum = 0.0f;
  ForEachVoxelOfNode(grid.extent, node[0], node[1], node[2], [&](std::int64_t voxel, float weight) {
    sum += band.numbers[static_cast<std::size_t>(voxel)] >= 0 ? weight : 0.0f;
  });
  return sum;
}

} // namespace

SplineBand
MakeSplineBand(Context & context, const LabelGrid & grid, const LabelBand & band)
{
  SplineBand   spline{ SplineExtent(grid.extent), {}, {} };
  const Extent extent = spline.extent;
  const auto   all = std::int64_t{ extent.x } * extent.y * extent.z;
  const auto   plane = std::int64_t{ extent.x } * extent.y;
  // The weights of all nodes of the box.
  std::vector<float> weights(static_cast<std::size_t>(all));
  context.ParallelFor(extent.z, [&](std::int64_t z) {
    for (std::int64_t i = z * plane; i < (z + 1) * plane; ++i)
    {
      const std::array<int, 3> node{ static_cast<int>(i % extent.x),
                                     static_cast<int>(i / extent.x % extent.y),
                                     static_cast<int>(z) };
      weights[static_cast<std::size_t>(i)] = WeightOf(grid, band, node);
    }
  });
  LabelBand & nodes = spline.nodes;
  nodes.numbers.assign(static_cast<std::size_t>(all), -1);
  for (std::int64_t i = 0; i < all; ++i)
  {
    const float weight = weights[static_cast<std::size_t>(i)];
    if (weight > 0.0f)
    {
      nodes.numbers[static_cast<std::size_t>(i)] = nodes.count++;
      nodes.voxels.push_back(static_cast<std::int32_t>(i));
      spline.inverseWeights.push_back(1.0f / weight);
    }
  }
  nodes.FindNeighbors(context, extent);
  return spline;
}

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
  LabelDomain domain{ MakeLabelGrid(context, grid, labels, box), {}, {} };
  domain.band = MakeLabelBand(context, domain.grid);
  domain.spline = MakeSplineBand(context, domain.grid, domain.band);
  return domain;
}

} // namespace cudaneuro
