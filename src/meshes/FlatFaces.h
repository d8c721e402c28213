// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_FlatFaces_h
#define cudaneuro_meshes_FlatFaces_h

#include "meshes/MeshMeasures.h"

namespace cudaneuro
{

/** How the triangles of a mesh share its edges. */
struct EdgeCounts
{
  /** Edges of one triangle. */
  std::int64_t border = 0;
  /** Edges of two triangles, and those of them that lie in a plane with both. */
  std::int64_t shared = 0;
  std::int64_t flat = 0;
};

EdgeCounts
CountEdges(const ConstTriangles & surface);

/** Whether lengths of edges deviate by half of their mean and more, which those of a surface do not that is sampled
 * evenly, as marching cubes do it. Axes are scaled so that edges are as long along each: voxels may be long. For most
 * meshes MeshMeasures::edgeSpread tells it, without another look at them. */
bool
HasUnevenEdges(const ConstTriangles & surface, const MeshMeasures & measures);

/** Whether a quarter of the edges and more are flat. A construction has them, and noise of its vertices would leave
 * none. */
bool
HasFlatFaces(const EdgeCounts & counts);

} // namespace cudaneuro

#endif
