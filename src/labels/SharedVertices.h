// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_SharedVertices_h
#define cudaneuro_labels_SharedVertices_h

#include "cudaneuro/LabelSurface.h"
#include "labels/BandContour.h"

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

/** Moves vertices of neighbors that are on one edge, from opposite sides, to the middle between them: where both
 * surfaces have the same triangles, there are then neither gaps nor overlaps.
 * \param edges of the vertices of each surface */
void
JoinVertices(Context &                                    context,
             const std::vector<std::vector<VertexEdge>> & edges,
             std::vector<LabelSurface> &                  surfaces);

} // namespace cudaneuro

#endif
