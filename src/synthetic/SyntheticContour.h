// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_synthetic_SyntheticContour_h
#define cudaneuro_synthetic_SyntheticContour_h

#include "cudaneuro/SyntheticSurfaces.h"

namespace cudaneuro
{

/** Triangles by dual contouring: a vertex for each cell of a grid that the surface crosses, four of which are joined
 * around each edge of the grid that the surface crosses. A vertex is the intersection of the tangent planes at the
 * cell's crossings, so that it is on an edge or a corner of the surface if there is one in the cell. */
SyntheticMesh
ContourOf(Context & context, const SyntheticSurface & surface, double spacing);

} // namespace cudaneuro

#endif
