// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_MeshTopology_h
#define cudaneuro_meshes_MeshTopology_h

#include "cudaneuro/Context.h"
#include "cudaneuro/SignedDistance.h"
#include "meshes/MeshMeasures.h"
#include "meshes/MeshOrderFormulas.h"

#include <cstdint>
#include <vector>

namespace cudaneuro
{

/** A mesh, renumbered so that neighbors in space are neighbors in memory, with the connections of its vertices.
 * Positions are relative to the vertices' mean, in mean edge lengths. */
struct MeshTopology
{
  std::int32_t numberOfVertices = 0;
  std::int32_t numberOfTriangles = 0;
  std::int64_t borderEdges = 0;

  /** The number of each vertex in the input. */
  std::vector<std::int32_t> inputVertex;
  /** Three coordinates for each vertex. */
  std::vector<float> positions;
  /** Three vertices for each triangle. */
  std::vector<std::int32_t> corners;
  /** The triangles around vertex v, at trianglesOf[i] for firstTriangle[v] <= i < firstTriangle[v + 1]. */
  std::vector<std::int32_t> firstTriangle;
  std::vector<std::int32_t> trianglesOf;
  /** The neighbors of vertex v, at neighborsOf[i] for firstNeighbor[v] <= i < firstNeighbor[v + 1]. */
  std::vector<std::int32_t> firstNeighbor;
  std::vector<std::int32_t> neighborsOf;
  /** Number of neighbors, from the first on, over which low-pass filters take means: all of them, except for a vertex
   * on the border, which uses those along the border. */
  std::vector<std::int32_t> meanNeighbors;
  std::vector<std::uint8_t> isOnBorder;
  /** The rank of the vertex by its distance from the center. */
  std::vector<std::int32_t> rank;
};

/** MeshFrame of a surface with these measures. */
MeshFrame
FrameOf(const MeshMeasures & measures);

MeshTopology
MakeMeshTopology(Context & context, const ConstTriangles & surface, const MeshMeasures & measures);

} // namespace cudaneuro

#endif
