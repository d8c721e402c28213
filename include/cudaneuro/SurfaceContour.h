// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_SurfaceContour_h
#define cudaneuro_SurfaceContour_h

#include "cudaneuro/Context.h"
#include "cudaneuro/SignedDistance.h"

#include <cstdint>
#include <vector>

namespace cudaneuro
{

/** A surface of triangles in host memory, their normals outward. */
struct SurfaceContour
{
  std::vector<double>       points;
  std::vector<std::int32_t> triangles;
  /** The surface for functions that read it; valid as long as this one is. */
  ConstTriangles
  View() const
  {
    return { points.data(),
             static_cast<std::int64_t>(points.size() / 3),
             triangles.data(),
             static_cast<std::int64_t>(triangles.size() / 3) };
  }
};

/** How near to a voxel, in voxels, a surface may pass that is made of triangles on a grid.
 *
 * Where faces lie on the planes of the grid, triangles would be made of one point, or have no area once their points
 * are of single precision, as files have them. A surface that is off by a thousandth of a voxel, or by 16 steps of
 * single precision at the grid's farthest corner, has none. */
CudaNeuro_EXPORT double
SurfaceClearance(const Geometry & geometry);

/** The zero level of a signed distance, negative inside, as triangles that keep edges, on the host.
 *
 * Marching cubes cut edges and corners by chamfers as wide as a voxel. This is dual contouring (Ju, Losasso, Schaefer
 * and Warren 2002): cells of eight voxels that the surface passes have a vertex each, and four are joined around each
 * edge of the grid that crosses it. Where the surface turns by more than 45 degrees in a cell, the vertex is where the
 * planes that touch it at its crossings meet; elsewhere it is the crossings' mean. Gradients are one-sided differences
 * from the side where the distance is smoother, so that they are those of one face, not of the mean of two (ENO; Harten
 * et al. 1987). Vertices keep SurfaceClearance from the faces of their cells.
 *
 * The surface is open where it leaves the image. An edge of it may have four triangles where it passes one cell twice.
 * \param distances of type Float in host memory.
 * \throws InvalidParameterError for another type or memory, Aborted */
CudaNeuro_EXPORT SurfaceContour
ContourWithEdges(Context & context, const Geometry & geometry, const ConstVolume & distances);

} // namespace cudaneuro

#endif
