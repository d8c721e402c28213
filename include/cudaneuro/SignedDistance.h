// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_SignedDistance_h
#define cudaneuro_SignedDistance_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Geometry.h"
#include "cudaneuro/Parameters.h"

#include <cstdint>

namespace cudaneuro
{

/** A surface of triangles that is only read, in host memory. Adjacent triangles must share points: where files repeat
 * points for each triangle, as STL files do, points at the same place must be merged first. */
struct ConstTriangles
{
  /** Three coordinates in mm for each point, as an array of shape (points, 3). */
  const double * points = nullptr;
  std::int64_t   numberOfPoints = 0;
  /** Three point indices for each triangle, as an array of shape (triangles, 3), all in one sense of rotation. */
  const std::int32_t * triangles = nullptr;
  std::int64_t         numberOfTriangles = 0;
};

/** Counts of the defects because of which a surface has no inside. */
struct SurfaceDefects
{
  /** Edges with one triangle; edges with more than two; those of them with an odd number, such as the rim of an inner
   * wall; and edges of an even number of triangles that do not run along it equally often in both directions. */
  std::int64_t openEdges = 0;
  std::int64_t sharedEdges = 0;
  std::int64_t oddEdges = 0;
  std::int64_t flippedEdges = 0;
  /** Triangles without area. They do no harm; the edges of those that have a point twice are not counted above. */
  std::int64_t degenerateTriangles = 0;
  /** Whether the surface has an inside. */
  bool
  IsClosed() const
  {
    return openEdges == 0 && oddEdges == 0 && flippedEdges == 0;
  }
};

/** Counts the defects of a surface.
 * \throws InvalidParameterError for a triangle of points that do not exist, and coordinates that are not finite. */
CudaNeuro_EXPORT SurfaceDefects
FindDefects(const ConstTriangles & surface);
/** Parameters of the functions that make signed distances; Describe lists their units, meanings and ranges. */
struct SignedDistanceParameters
{
  /** A length in mm, without a default. */
  double reach = 0.0;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const SignedDistanceParameters &)
{
  using P = SignedDistanceParameters;
  return std::make_tuple(
    Parameter(&P::reach,
              "Reach",
              "mm",
              "Largest distance that is computed; voxels farther away have this distance with their own sign",
              lengthRange));
}

/** Observations of SignedDistanceOfSurface, made while the inside is determined. */
struct SignedDistanceResult
{
  /** Number of inside voxels whose winding number differs from that of most of them, 1 or -1: the surface intersects
   * itself, parts overlap, or some parts have the opposite orientation. */
  std::int64_t ambiguousVoxels = 0;
};

/** Writes the signed distance to a closed surface, in mm, negative inside, at the centers of all voxels of a grid.
 *
 * It is the distance to the nearest point of the triangles, with rounding errors of 5e-7 of the size of the largest
 * triangle plus the reach. A voxel is inside where the surface's winding number about it is not 0; a surface whose
 * triangles all have the opposite orientation has the same inside. Surfaces inside others with opposite orientation are
 * holes. The winding number is exact except for voxels nearer to the surface than 2^-30 of the grid's size.
 * \throws InvalidParameterError naming the value, for a surface that is not closed, without triangles, or not between
 * the centers of the outermost voxels, coordinates that are not finite, a direction whose columns are not orthonormal
 * to 1e-4, and grids of more than 65536 voxels along an axis; OutOfMemoryError, Aborted */
CudaNeuro_EXPORT SignedDistanceResult
SignedDistanceOfSurface(Context &                        context,
                        const SignedDistanceParameters & parameters,
                        const ConstTriangles &           surface,
                        const Geometry &                 geometry,
                        const Volume &                   output);

/** Writes the signed distance to the boundary of a label, in mm, negative inside: to the nearest center of a face
 * between a voxel with the label and one without. On grids of one spacing, linear interpolation between these two
 * voxels is 0 there.
 *
 * For voxels of 1 mm within 2.5 mm of the true surface, and surfaces at random places, the root mean square error is
 * 0.29 mm for a plane with normal (1, 0, 0), 0.20 for (1, 1, 0), 0.25 for (1, 1, 1), 0.20 for (3, 2, 1), and 0.21 for
 * balls of radius 5, 10 and 18, whose mean error is below 0.03. Distances to whole faces have 0.29, 0.29, 0.40, 0.40
 * and 0.37; distances to voxel centers on the other side, minus half a voxel, 0.29, 0.20, 0.23, 0.24 and 0.24.
 *
 * Labels of all pixel types are compared with \p label as double.
 * \throws InvalidParameterError for a label that no voxel has, or that all have, and a grid of fewer than two voxels
 * along an axis; OutOfMemoryError, Aborted */
CudaNeuro_EXPORT void
SignedDistanceOfLabel(Context &                        context,
                      const SignedDistanceParameters & parameters,
                      double                           label,
                      const Grid &                     grid,
                      const ConstVolume &              labels,
                      const Volume &                   output);

/** Writes the signed distance to the surface input = 0, in mm, with the sign of the input; 0 is outside. \p output may
 * be \p input.
 *
 * The surface is that of linear interpolation: each cell between eight voxel centers is divided into six tetrahedra, in
 * each of which the input is replaced by the linear function with its values at the corners. Since its triangles are
 * chords, interpolation of the distances to it would be 0 farther inside than that of the input. Therefore a voxel that
 * has neighbors along the axes on the other side gets its distance minus the mean of these errors, so that the surface
 * remains where it is between neighbors.
 *
 * Distances are exact for planes, and of second order elsewhere: too large by 0.13 / R voxels on average on a sphere of
 * radius R voxels, and by 0.003 / R next to it. Each repetition removes 0.02 % of a ball's volume at R = 5, and 0.004 %
 * at R = 10.
 * \throws InvalidParameterError for an input that has no zero level, or is not finite, and a grid of fewer than two
 * voxels along an axis; OutOfMemoryError, Aborted */
CudaNeuro_EXPORT void
ReinitializeSignedDistance(Context &                        context,
                           const SignedDistanceParameters & parameters,
                           const Grid &                     grid,
                           const ConstVolume &              input,
                           const Volume &                   output);

} // namespace cudaneuro

#endif
