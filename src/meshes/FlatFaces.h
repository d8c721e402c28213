// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_FlatFaces_h
#define cudaneuro_meshes_FlatFaces_h

#include "meshes/MeshMeasures.h"

namespace cudaneuro
{

/** Counts of edges by the number of triangles that share them. */
struct EdgeCounts
{
  /** Number of edges of one triangle. */
  std::int64_t border = 0;
  /** Number of edges of two triangles, and of those among them whose triangles lie in one plane. */
  std::int64_t shared = 0;
  std::int64_t flat = 0;
};

EdgeCounts
CountEdges(const ConstTriangles & surface);

/** Whether the standard deviation of edge lengths is at least half of their mean, which it is not for a surface sampled
 * evenly, as by marching cubes. Axes are scaled to the same mean square of edges, because voxels may be anisotropic.
 * For most meshes MeshMeasures::edgeSpread decides without another pass over them. */
bool
HasUnevenEdges(const ConstTriangles & surface, const MeshMeasures & measures);

/** Whether at least a quarter of the edges are flat, as in a construction. Noise of the vertices would leave
 * none. */
bool
HasFlatFaces(const EdgeCounts & counts);

} // namespace cudaneuro

#endif
