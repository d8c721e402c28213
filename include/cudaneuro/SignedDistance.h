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

/** A surface of triangles that is only read, in host memory. Triangles that meet share points: where files list the
 * points of each triangle anew, as STL files do, those at the same place are to be merged first. */
struct ConstTriangles
{
  /** Three coordinates in mm for each point, as an array of shape (points, 3). */
  const double * points = nullptr;
  std::int64_t   numberOfPoints = 0;
  /** Three points for each triangle, as an array of shape (triangles, 3), in one sense of rotation over the surface. */
  const std::int32_t * triangles = nullptr;
  std::int64_t         numberOfTriangles = 0;
};

/** What keeps a surface from having an inside. */
struct SurfaceDefects
{
  /** Edges with one triangle; with more than two; and with several that do not run along it as often one way as the
   * other. */
  std::int64_t openEdges = 0;
  std::int64_t sharedEdges = 0;
  std::int64_t flippedEdges = 0;
  /** Triangles without area. They do no harm; the edges of those that have a point twice are not counted above. */
  std::int64_t degenerateTriangles = 0;
  /** Whether the surface has an inside. */
  bool
  IsClosed() const
  {
    return openEdges == 0 && flippedEdges == 0;
  }
};

/** Counts the defects.
 * \throws InvalidParameterError for a triangle of points that do not exist, and coordinates that are not finite. */
CudaNeuro_EXPORT SurfaceDefects
FindDefects(const ConstTriangles & surface);
/** Parameters of the functions that make signed distances; Describe says what each is. */
struct SignedDistanceParameters
{
  /** There is no default. */
  double reach = 0.0;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const SignedDistanceParameters &)
{
  using P = SignedDistanceParameters;
  return std::make_tuple(Parameter(&P::reach,
                                   "Reach",
                                   "mm",
                                   "Distances are exact up to here; beyond, they are this with the right sign",
                                   lengthRange));
}

/** What was noticed while the inside was found. */
struct SignedDistanceResult
{
  /** Voxels inside whose winding number, 1 or -1 about most of them, is another: the surface intersects itself,
   * parts overlap, or parts run the other way round than others. */
  std::int64_t ambiguousVoxels = 0;
};

/** Writes the distance to a closed surface, in mm, negative inside, at the centers of all voxels of a grid.
 *
 * The distance is that to the nearest point of the triangles, with rounding errors of 5e-7 of the size of the largest
 * triangle plus the reach. A voxel is inside where the surface's winding number about it is not 0; a surface all of
 * whose triangles run the other way round has the same inside. Surfaces inside others that run the other way round are
 * holes. The winding number is exact but for voxels nearer to the surface than 2^-30 of the grid's size.
 * \throws InvalidParameterError naming the value, for a surface that is not closed, without triangles, or not
 * between the centers of the outermost voxels, coordinates that are not finite, a direction whose columns are not
 * orthonormal to 1e-4, and grids of more than 65536 voxels along an axis; OutOfMemoryError, Aborted */
CudaNeuro_EXPORT SignedDistanceResult
SignedDistanceOfSurface(Context &                        context,
                        const SignedDistanceParameters & parameters,
                        const ConstTriangles &           surface,
                        const Geometry &                 geometry,
                        const Volume &                   output);

/** Writes the distance to the boundary of a label, in mm, negative inside: to the nearest center of a face between a
 * voxel with the label and one without. On grids of one spacing, linear interpolation between these two voxels is 0
 * there.
 *
 * For voxels of 1 mm within 2.5 mm of the true surface, and surfaces at random places, the root mean square error is
 * 0.29 mm for a plane with normal (1, 0, 0), 0.20 for (1, 1, 0), 0.25 for (1, 1, 1), 0.20 for (3, 2, 1), and 0.21 for
 * balls of radius 5, 10 and 18, whose mean error is below 0.03. Distances to whole faces have 0.29, 0.29, 0.40, 0.40
 * and 0.37; those to voxel centers on the other side, less half a voxel, 0.29, 0.20, 0.23, 0.24 and 0.24.
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

/** Writes the distance to the surface input = 0, in mm, with the sign of the input; 0 is outside. \p output may be \p
 * input.
 *
 * The surface is that of linear interpolation: each cell between eight voxel centers is cut into six tetrahedra, in
 * each of which the input is taken for the linear function that its corners have. Since its triangles are chords,
 * interpolation of the distances to it would be 0 farther inside than that of the input. Therefore a voxel that has
 * neighbors along the axes on the other side gets its distance less the mean of these errors, so that the surface
 * remains where it is between neighbors.
 *
 * Distances are exact for planes, and of second order elsewhere: too large by 0.13 / R voxels in the mean on a sphere
 * of R voxels, and by 0.003 / R next to it. Repetition takes 0.02 % of a ball's volume at R = 5 each time, and 0.004 %
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
