// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_LabelSurface_h
#define cudaneuro_LabelSurface_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Geometry.h"
#include "cudaneuro/SurfaceContour.h"

#include <cstdint>
#include <vector>

namespace cudaneuro
{

/** The surface of one label, with its volume and noise. */
struct LabelSurface
{
  /** The value of the label's voxels. */
  double label = 0.0;
  /** Closed, in mm, with normals outward. */
  SurfaceContour surface;
  /** The label's volume (number of voxels times voxel volume) and the volume in the surface, in mm^3. */
  double labelVolume = 0.0;
  double surfaceVolume = 0.0;
  /** Standard deviation of the labels' errors, as distances along the normal, in mm: how far from the surface voxels
   * have the wrong label. It is the one of the logistic function that best predicts the labels that were left out. */
  double noise = 0.0;
};

/** Returns the values of an image other than 0, in ascending order.
 * \throws InvalidParameterError for values that are not finite, and more than 65536 of them; OutOfMemoryError */
CudaNeuro_EXPORT std::vector<double>
                 FindLabels(Context & context, const Grid & grid, const ConstVolume & labels);

/** Makes a smooth surface of each label, closed also where the label touches the edge of the image: beyond it is
 * background. There are no parameters: cross-validation with voxels' labels that are left out determines how smooth the
 * surface is, region by region.
 *
 * A surface is the zero level of a function, which is the signed distance of a smoothed label, changed so that the
 * label becomes likely: P(label) = 1 / (1 + exp(-distance / tau)), with a penalty on the third derivatives of the
 * change, so that nothing shrinks (iterated Tikhonov regularization). This is done with nine smoothnesses in a narrow
 * band of voxels, and three times more, each without a quarter of the labels. The weights of the nine are the
 * likelihoods of those labels within some six voxels. The mean of the nine is contoured (marching cubes; Lorensen and
 * Cline 1987); the normals of the contour are filtered at four scales of DenoiseMesh, which keep edges, and the same
 * labels determine the weights of these meshes and of the contour itself. Then the vertices move by a smooth field,
 * which the labels determine, and where the label is thinner than some four voxels, so that the volume nearby is that
 * of its voxels. Finally, all surfaces move along their normals so that each encloses the volume of its label's voxels;
 * less where many single voxels differ from all around them, since such noise makes convex labels larger.
 *
 * Two tests find whether the labels' noise is correlated over voxels, so that the neighbors of a label that is left out
 * predict its noise. Then losses have a penalty for the covariance (Efron 2004).
 *
 * Where voxels are longer along some axis, the computation uses a grid of about the shortest spacing along all axes,
 * with gaps between the voxels of the image; voxels more than 12 times as long are divided into 12. A hash of the
 * voxel's place in the label's bounding box selects the labels that are left out: the same input gives the same bits,
 * and an image that is shifted, or whose axes are permuted, gives the surface shifted or permuted, up to rounding and
 * the diagonals of triangles.
 *
 * Each label is smoothed alone. Then vertices of two labels that are on the same edge of the grid, with one label on
 * either side, are moved to the middle between them, so that neighbors have the same points and triangles there. Gaps
 * or overlaps of parts of a voxel remain where smoothing gives a voxel to both labels or to none, and where three meet.
 * \param labels in host memory; voxels are compared with \p wanted as double.
 * \param wanted the labels; where it is empty, FindLabels.
 * \returns the surfaces in this order.
 * \throws InvalidParameterError naming the value, for a label that no voxel has, a direction without an inverse, and
 * labels whose grid has more than 2^31 - 1 voxels; OutOfMemoryError, Aborted
 *
 * \ingroup CudaNeuro */
CudaNeuro_EXPORT std::vector<LabelSurface>
                 MakeLabelSurfaces(Context &                   context,
                                   const Geometry &            geometry,
                                   const ConstVolume &         labels,
                                   const std::vector<double> & wanted = {});

} // namespace cudaneuro

#endif
