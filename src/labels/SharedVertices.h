// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_SharedVertices_h
#define cudaneuro_labels_SharedVertices_h

#include "cudaneuro/LabelSurface.h"
#include "labels/BandContour.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cudaneuro
{

/** The edge of a grid on which the vertex of a contour lies. */
struct VertexEdge
{
  /** Number of the edge, which is the same in the contours of all labels of an image. */
  std::int64_t edge;
  bool         isLowInside;
};

/** The edges of a contour's vertices.
 * \param box from which \p labelGrid was made */
std::vector<VertexEdge>
EdgesInImage(const Grid & grid, const LabelGrid & labelGrid, const LabelBox & box, const BandContour & contour);

/** A vertex of one of several surfaces. */
struct SurfaceVertex
{
  std::size_t surface;
  std::size_t vertex;
};

/** The vertices of two neighbors that cross one edge in opposite directions. */
using VertexPair = std::array<SurfaceVertex, 2>;

/** \param edges of the vertices of each surface */
std::vector<VertexPair>
FindPairs(Context & context, const std::vector<std::vector<VertexEdge>> & edges);

/** Moves the vertices of each pair to their midpoint: where both surfaces have the same triangles, there are then
 * neither gaps nor overlaps. */
void
JoinVertices(Context & context, const std::vector<VertexPair> & pairs, std::vector<LabelSurface> & surfaces);

} // namespace cudaneuro

#endif
