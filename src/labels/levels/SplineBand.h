// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_SplineBand_h
#define cudaneuro_labels_levels_SplineBand_h

#include "labels/levels/LabelGrid.h"
#include "labels/levels/SplineTiles.h"

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
  /** Those of the band. */
  SplineTiles tiles;
};

SplineBand
MakeSplineBand(Context & context, const Extent & box, const LabelBand & band);

/** A band and its splines. The band may be nodes, of which those of the splines are every second one. */
struct SplineDomain
{
  const Extent &     box;
  const LabelBand &  band;
  const SplineBand & spline;
};

} // namespace cudaneuro

#endif
