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

/** A surface of triangles in host memory, with normals outward. */
struct SurfaceContour
{
  std::vector<double>       points;
  std::vector<std::int32_t> triangles;
  /** Returns a view of the surface for functions that read it; valid as long as this object is. */
  ConstTriangles
  View() const
  {
    return { points.data(),
             static_cast<std::int64_t>(points.size() / 3),
             triangles.data(),
             static_cast<std::int64_t>(triangles.size() / 3) };
  }
};

/** Returns the minimum distance, in voxels, that a surface of triangles on a grid keeps from the voxels.
 *
 * If faces lie on the planes of the grid, triangles would shrink to a point, or lose their area when their points are
 * stored in single precision, as in files. A surface that is moved by a thousandth of a voxel, or by 16 steps of single
 * precision at the grid's farthest corner, has no such triangles. */
CudaNeuro_EXPORT double
SurfaceClearance(const Geometry & geometry);

/** Contours the zero level of a signed distance, negative inside, as triangles that keep sharp edges, on the host.
 *
 * Marching cubes cut edges and corners by chamfers as wide as a voxel. This is dual contouring (Ju, Losasso, Schaefer
 * and Warren 2002): each cell of eight voxels that the surface crosses has one vertex, and four of them are joined
 * around each edge of the grid that crosses the surface. Where the surface turns by more than 45 degrees in a cell, the
 * vertex is the intersection of the tangent planes at its crossings; elsewhere it is the crossings' mean. Gradients are
 * one-sided differences from the side where the distance is smoother, so that they belong to one face, not to the mean
 * of two (ENO; Harten et al. 1987). Vertices keep SurfaceClearance from the faces of their cells.
 *
 * The surface is open where it leaves the image. An edge of it may have four triangles where it passes one cell twice.
 * \param distances of type Float in host memory.
 * \throws InvalidParameterError for another type or memory, Aborted */
CudaNeuro_EXPORT SurfaceContour
ContourWithEdges(Context & context, const Geometry & geometry, const ConstVolume & distances);

} // namespace cudaneuro

#endif
