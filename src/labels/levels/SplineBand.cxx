// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/levels/SplineBand.h"

namespace cudaneuro
{
namespace
{

/** The sum of a node's weights at the band's voxels; 0 where it has none. */
float
WeightOf(const Extent & box, const LabelBand & band, const std::array<int, 3> & node)
{
  float sum = 0.0f;
  ForEachVoxelOfNode(box, node[0], node[1], node[2], [&](std::int64_t voxel, float weight) {
    sum += band.numbers[static_cast<std::size_t>(voxel)] >= 0 ? weight : 0.0f;
  });
  return sum;
}

} // namespace

SplineBand
MakeSplineBand(Context & context, const Extent & box, const LabelBand & band)
{
  SplineBand   spline{ SplineExtent(box), {}, {}, MakeSplineTiles(context, box, band.numbers) };
  const Extent extent = spline.extent;
  const auto   all = std::int64_t{ extent.x } * extent.y * extent.z;
  const auto   plane = std::int64_t{ extent.x } * extent.y;
  // Weights of all nodes of the box.
  std::vector<float> weights(static_cast<std::size_t>(all));
  context.ParallelFor(extent.z, [&](std::int64_t z) {
    for (std::int64_t i = z * plane; i < (z + 1) * plane; ++i)
    {
      const std::array<int, 3> node{ static_cast<int>(i % extent.x),
                                     static_cast<int>(i / extent.x % extent.y),
                                     static_cast<int>(z) };
      weights[static_cast<std::size_t>(i)] = WeightOf(box, band, node);
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

} // namespace cudaneuro
