// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_SplineBand_h
#define cudaneuro_labels_SplineBand_h

#include "labels/LabelGrid.h"
#include "labels/SplineFormulas.h"

#include <vector>

namespace cudaneuro
{

/** Cubic B-splines over a band: smooth fields have a value at every second voxel along each axis, which is a node, and
 * are computed there, on an eighth of the voxels. */
struct SplineBand
{
  /** Nodes along the axes of the box. */
  Extent extent;
  /** The nodes that the band's voxels have, as a band among the nodes of the box; without codes. */
  LabelBand nodes;
  /** 1 / the sum of the weights that a node has at the band's voxels. */
  std::vector<float> inverseWeights;
};

/** \param band without voxels at the faces of the box */
SplineBand
MakeSplineBand(Context & context, const LabelGrid & grid, const LabelBand & band);

/** What the surface of a label is computed on. */
struct LabelDomain
{
  LabelGrid  grid;
  LabelBand  band;
  SplineBand spline;

  /** The voxel of the band where a node is; -1 where there is none. */
  std::int32_t
  VoxelAtNode(std::int32_t node) const;
  /** The value at a voxel of the band of a field that is given at the nodes. */
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
  /** The sum of the weights that each node has at the voxels where there is something. */
  std::vector<float>
  SpreadToNodes(const std::vector<std::uint8_t> & isThere) const;
};

LabelDomain
MakeLabelDomain(Context & context, const Grid & grid, const ConstVolume & labels, const LabelBox & box);

} // namespace cudaneuro

#endif
