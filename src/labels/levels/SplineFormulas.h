// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_SplineFormulas_h
#define cudaneuro_labels_levels_SplineFormulas_h

#include "core/HostDevice.h"
#include "core/SoAField.h"

#include <cstdint>

/** Cubic B-splines whose nodes are every second voxel of a box: node i is voxel 2 i. */
namespace cudaneuro
{

/** The weight of a node at a voxel at a distance of -2 to 2 voxels along an axis. The weights of all nodes at a voxel
 * add up to 1. */
CUDANEURO_HOST_DEVICE float
SplineWeight(int distance)
{
  const int squared = distance * distance;
  return squared == 0 ? 0.75f : (squared == 1 ? 0.5f : 0.125f);
}

/** Numbers of nodes along the axes of a box. Its last voxels may lack a node; they are outside the band. */
CUDANEURO_HOST_DEVICE Extent
SplineExtent(const Extent & box)
{
  return { box.x / 2 + 1, box.y / 2 + 1, box.z / 2 + 1 };
}

/** Calls body(offset among the nodes, weight) for the nodes of voxel (x, y, z). */
template <typename TBody>
CUDANEURO_HOST_DEVICE void
ForEachNode(const Extent & nodes, int x, int y, int z, const TBody & body)
{
  const auto last = [](int voxel, int count) { return (voxel + 2) / 2 < count ? (voxel + 2) / 2 : count - 1; };
  for (int k = (z - 1) / 2; k <= last(z, nodes.z); ++k)
  {
    for (int j = (y - 1) / 2; j <= last(y, nodes.y); ++j)
    {
      const float        weight = SplineWeight(z - 2 * k) * SplineWeight(y - 2 * j);
      const std::int64_t row = (std::int64_t{ k } * nodes.y + j) * nodes.x;
      for (int i = (x - 1) / 2; i <= last(x, nodes.x); ++i)
      {
        body(row + i, weight * SplineWeight(x - 2 * i));
      }
    }
  }
}

/** Calls body(offset in the box, weight) for the voxels of node (i, j, k). */
template <typename TBody>
CUDANEURO_HOST_DEVICE void
ForEachVoxelOfNode(const Extent & box, int i, int j, int k, const TBody & body)
{
  constexpr int reach = 2;
  const auto    low = [](int node) { return 2 * node - reach > 0 ? 2 * node - reach : 0; };
  const auto    high = [](int node, int size) { return 2 * node + reach < size ? 2 * node + reach : size - 1; };
  for (int z = low(k); z <= high(k, box.z); ++z)
  {
    for (int y = low(j); y <= high(j, box.y); ++y)
    {
      const float        weight = SplineWeight(z - 2 * k) * SplineWeight(y - 2 * j);
      const std::int64_t row = (std::int64_t{ z } * box.y + y) * box.x;
      for (int x = low(i); x <= high(i, box.x); ++x)
      {
        body(row + x, weight * SplineWeight(x - 2 * i));
      }
    }
  }
}

} // namespace cudaneuro

#endif
