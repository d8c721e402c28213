// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_SplineBand_h
#define cudaneuro_labels_levels_SplineBand_h

#include "labels/levels/LabelGrid.h"
#include "labels/levels/SplineTiles.h"

#include <vector>

namespace cudaneuro
{

/** Cubic B-splines over a band. Smooth fields are given and computed at nodes, which are every second voxel along each
 * axis, an eighth of the voxels. */
struct SplineBand
{
  /** Numbers of nodes along the axes of the box. */
  Extent extent;
  /** The nodes of the band's voxels, as a band among the nodes of the box; without codes. */
  LabelBand nodes;
  /** 1 / the sum of each node's weights at the band's voxels. */
  std::vector<float> inverseWeights;
  /** The tiles that contain voxels of the band. */
  SplineTiles tiles;
};

SplineBand
MakeSplineBand(Context & context, const Extent & box, const LabelBand & band);

/** A band and its splines. The band may consist of nodes, of which every second one is a node of the splines. */
struct SplineDomain
{
  const Extent &     box;
  const LabelBand &  band;
  const SplineBand & spline;
};

} // namespace cudaneuro

#endif
