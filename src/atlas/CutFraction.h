// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_CutFraction_h
#define cudaneuro_atlas_CutFraction_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Geometry.h"

namespace cudaneuro
{

/** The fraction of the image's mass that a map puts beyond the grid of the template, which the atlas therefore
 * loses.
 *
 * Mass is intensity above the background. Otsu's threshold separates bright voxels, which are the head, from dark
 * ones, whose mean is the background. The mass of a bright voxel is its difference from that mean, and that of a
 * dark one 0, so that noisy air may be cut off. Voxels on a lattice of up to 64 points per axis are sampled. The
 * result is the same on the CPU and on CUDA devices.
 * \param image in memory of the context's device
 * \param mask of UnsignedChar there, of voxels that have a value; may be null
 * \param transform from points of the template to points of the image, invertible
 * \returns 0 for images without bright voxels */
double
CutFraction(Context &             context,
            const Geometry &      geometry,
            const float *         image,
            const unsigned char * mask,
            const AffineMap &     transform,
            const Geometry &      ofTemplate);

} // namespace cudaneuro

#endif
