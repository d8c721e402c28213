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

/** The edge of a grid that the vertex of a contour is on. */
struct VertexEdge
{
  /** The same number for the same edge in the contours of all labels of an image. */
  std::int64_t edge;
  bool         isLowInside;
};

/** The edges of a contour's vertices.
 * \param box of which \p labelGrid was made */
std::vector<VertexEdge>
EdgesInImage(const Grid & grid, const LabelGrid & labelGrid, const LabelBox & box, const BandContour & contour);

/** A vertex of one of some surfaces. */
struct SurfaceVertex
{
  std::size_t surface;
  std::size_t vertex;
};

/** The vertices of two neighbors that are on one edge, from opposite sides. */
using VertexPair = std::array<SurfaceVertex, 2>;

/** \param edges of the vertices of each surface */
std::vector<VertexPair>
FindPairs(Context & context, const std::vector<std::vector<VertexEdge>> & edges);

/** Moves the vertices of pairs to the middle between them: where both surfaces have the same triangles, there are then
 * neither gaps nor overlaps. */
void
JoinVertices(Context & context, const std::vector<VertexPair> & pairs, std::vector<LabelSurface> & surfaces);

} // namespace cudaneuro

#endif
