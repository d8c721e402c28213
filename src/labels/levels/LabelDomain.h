// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_LabelDomain_h
#define cudaneuro_labels_levels_LabelDomain_h

#include "labels/levels/SplineBand.h"

#include <array>
#include <cstdint>
#include <vector>

namespace cudaneuro
{

/** The grids on which the surface of a label is computed. */
struct LabelDomain
{
  LabelGrid  grid;
  LabelBand  band;
  SplineBand spline;
  /** Splines over the nodes, whose own nodes are every fourth voxel. */
  SplineBand coarse;

  SplineDomain
  Splines() const
  {
    return { grid.extent, band, spline };
  }
  SplineDomain
  CoarseSplines() const
  {
    return { spline.extent, spline.nodes, coarse };
  }

  /** The voxel of the band at a node; -1 where there is none. */
  std::int32_t
  VoxelAtNode(std::int32_t node) const;
  /** The value of a field given at the nodes, at a voxel of the band. */
  float
  SplineAt(const std::vector<float> & field, std::int32_t voxel) const
  {
    const std::array<int, 3> index = grid.IndexOf(band.voxels[static_cast<std::size_t>(voxel)]);
    float                    sum = 0.0f;
    ForEachNode(spline.extent, index[0], index[1], index[2], [&](std::int64_t node, float weight) {
      sum += weight * field[static_cast<std::size_t>(spline.nodes.numbers[static_cast<std::size_t>(node)])];
    });
    return sum;
  }
  /** The sum of each node's spline weights at the voxels where \p isThere is not 0. */
  std::vector<float>
  SpreadToNodes(const std::vector<std::uint8_t> & isThere) const;
};

LabelDomain
MakeLabelDomain(Context & context, const Grid & grid, const ConstVolume & labels, const LabelBox & box);

} // namespace cudaneuro

#endif
