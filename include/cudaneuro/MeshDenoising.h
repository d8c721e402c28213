// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_MeshDenoising_h
#define cudaneuro_MeshDenoising_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Parameters.h"
#include "cudaneuro/SignedDistance.h"

#include <cstdint>

namespace cudaneuro
{

/** Parameters of DenoiseMesh. None needs to be set. */
struct MeshDenoisingParameters
{
  /** Standard deviation of the vertices' noise along the surface's normals, in mm; 0 estimates it from the mesh. */
  double noise = 0.0;
};

/** Describes the parameters. */
constexpr auto
Describe(const MeshDenoisingParameters &)
{
  using P = MeshDenoisingParameters;
  return std::make_tuple(
    Parameter(&P::noise,
              "Noise",
              "mm",
              "Standard deviation of the vertices' noise along normals; 0 estimates it from the mesh",
              FromZero(lengthRange)));
}

/** Measurements of DenoiseMesh on the noisy and the denoised mesh. */
struct MeshDenoisingResult
{
  /** The noise that was used, given or estimated, in mm. */
  double noise = 0.0;
  /** The mean length of the edges of the noisy mesh, in mm. */
  double meanEdgeLength = 0.0;
  /** Volume enclosed by the noisy and by the denoised mesh, in mm^3; negative where normals are inward. Only for a
   * closed mesh. */
  double inputVolume = 0.0;
  double outputVolume = 0.0;
  /** Number of edges with one triangle, at which the mesh is open. */
  std::int64_t borderEdges = 0;
  /** Whether the mesh was left unchanged because it has flat faces, which noise would not have left flat. */
  bool hasFlatFaces = false;
};

/** Removes independent noise from the vertices of a triangle mesh, by moving them to the estimated surface.
 *
 * Normals are filtered on the mesh itself: joint bilateral means of the noisy triangles' area vectors (Zheng, Fu,
 * Au and Tai 2011), guided by the result of the previous round (rolling guidance; Zhang, Shen, Xu and Jia 2014),
 * with their own residuals smoothed and added again (twicing; Tukey 1977), so that folds are not flattened. Then
 * vertices are moved until the triangles have these normals (Sun, Rosin, Martin and Langbein 2007). This is done at
 * twelve scales, from five mean edge lengths to one, and beside them the mesh is low-pass filtered by four windowed
 * sinc filters (Taubin, Zhang and Golub 1996). Stein's unbiased estimate of the risk (Stein 1981), with three
 * random probes of the divergence (Ramani, Blu and Unser 2008), finds around each vertex which of these, or the
 * noisy mesh itself, are closest to the true surface; the result is their mean with weights that fall exponentially
 * with the risk. Edges stay sharp, and smooth surfaces become smooth. Finally, all vertices of a closed mesh move
 * by one step along their normals, so that it keeps its volume, whose mean independent noise does not change.
 *
 * The noise is estimated from the residuals of cubic surfaces fitted to neighborhoods of 2.6 edge lengths: the
 * median of their magnitude, for the fraction whose sign changes along edges as often as that of independent
 * noise. A mesh without noise stays unchanged, and so does one whose noise is not given and that has the flat
 * faces of a construction: a quarter of its edges lie in a plane with both of their triangles, and lengths of
 * edges deviate by half of their mean or more.
 *
 * Triangles, and the order of vertices, stay. A mesh may be open: vertices of its border move along the normal
 * only. It may have several parts, and triangles that are doubled, flipped or without area. A mesh that is
 * rotated, shifted or scaled gives the result rotated, shifted or scaled, and one with another numbering of
 * vertices the same surface, both up to rounding: the signs of the probes are functions of a vertex's rank among
 * all by its distance from their mean. The same input gives the same bits.
 * \param surface from 1 to 2^28 triangles; points that belong to none stay where they are.
 * \param points the denoised positions, three coordinates in mm for each point; may be surface.points. Host
 * memory.
 * \throws InvalidParameterError naming the value, for noise outside its range, a surface without triangles or
 * whose edges have no length, a triangle of points that do not exist, and coordinates that are not finite or above
 * 1e12 in magnitude; OutOfMemoryError, Aborted
 *
 * \ingroup CudaNeuro */
CudaNeuro_EXPORT MeshDenoisingResult
DenoiseMesh(Context &                       context,
            const MeshDenoisingParameters & parameters,
            const ConstTriangles &          surface,
            double *                        points);

} // namespace cudaneuro

#endif
